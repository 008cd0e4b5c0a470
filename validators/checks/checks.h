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
extern const Check kDriverRuntime;
extern const Check kDeviceVisibility;
extern const Check kP2pCapability;
extern const Check kFabricMemory;
extern const Check kMulticast;
extern const Check kDisplayWatchdog;
// kernels and device memory
extern const Check kContextSmoke;
extern const Check kArchSupport;
extern const Check kPtxJit;
extern const Check kLaunchLimits;
extern const Check kAllocProbe;
extern const Check kMemoryPattern;
extern const Check kSmSweep;
extern const Check kCopyIntegrity;
extern const Check kP2pIntegrity;
extern const Check kSdcGemm;
extern const Check kSmMemory;

// NVML
extern const Check kNvmlInit;
extern const Check kDriverLibrary;
extern const Check kGpuLost;
extern const Check kGspResponds;
extern const Check kRecoveryState;
extern const Check kQueryHealth;
extern const Check kEccCounters;
extern const Check kEccMode;
extern const Check kRemapState;
extern const Check kRetiredPages;
extern const Check kSramThreshold;
extern const Check kRepairPending;
extern const Check kMemoryHolder;
extern const Check kZombieMemory;
extern const Check kComputeMode;
extern const Check kMigMode;
extern const Check kFabricReady;
extern const Check kFabricHealth;
extern const Check kNvlinkLinks;
extern const Check kNvlinkErrors;
extern const Check kC2cLinks;
extern const Check kPcieLink;
extern const Check kThermalPower;
extern const Check kClockLock;
extern const Check kBar1Space;
extern const Check kInforom;
extern const Check kFirmwareMix;
extern const Check kPersistence;

extern const Check kCollectiveSmoke;

extern const Check kEccUnderLoad;
extern const Check kPcieUnderLoad;
extern const Check kNvlinkUnderLoad;
extern const Check kThrottleUnderLoad;
extern const Check kClocksUnderLoad;
extern const Check kXidReplay;

}  // namespace cutopsy
