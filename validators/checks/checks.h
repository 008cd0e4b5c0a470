// The checks, each defined in the file that has its name.
#pragma once

#include "validators/check.h"

namespace cutopsy {

extern const Check kSameMachine;
// the machine's files
extern const Check kShmSize;
extern const Check kMemlock;
extern const Check kPinnedLimit;
extern const Check kCgroupMemory;
extern const Check kCgroupOom;
extern const Check kHostMemory;
extern const Check kDiskSpace;
extern const Check kModuleLoaded;
extern const Check kModuleFlavour;
extern const Check kModuleConflict;
extern const Check kModuleVersion;
extern const Check kSecureBoot;
extern const Check kDeviceNodes;
extern const Check kBusPresence;
extern const Check kPcieWidth;
extern const Check kIommu;
extern const Check kAcs;
extern const Check kEdac;
extern const Check kPersistenceDaemon;
extern const Check kFabricManager;
extern const Check kNumaAffinity;
extern const Check kNicLink;
extern const Check kInfinibandLink;
extern const Check kKernelLogXids;
extern const Check kKernelLogOom;
extern const Check kKernelLogAer;

}  // namespace cutopsy
