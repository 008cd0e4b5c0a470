// The checks, each defined in the file that has its name.
#pragma once

#include "validators/check.h"

namespace cutopsy {

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

// the log's machine and the job: its libraries, environment and network
extern const Check kStubLib;
extern const Check kCompatLib;
extern const Check kDriverFiles;
extern const Check kJitLibrary;
extern const Check kTorchBuild;
extern const Check kLibraryArch;
extern const Check kLibraryPath;
extern const Check kRuntimeLibs;
extern const Check kVisibleDevicesEnv;
extern const Check kAllocatorEnv;
extern const Check kJitEnv;
extern const Check kMpsEnv;
extern const Check kNcclEnv;
extern const Check kDebugEnv;
extern const Check kRendezvousPort;
extern const Check kNetworkInterface;
extern const Check kHostnameLoopback;
extern const Check kUptime;

}  // namespace cutopsy
