#include <algorithm>
#include <array>

#include "validators/check.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

// In the order in which they are asked.
constexpr std::array kChecks = {
    &kSameMachine,
    // the machine's files
    &kBusPresence,
    &kModuleLoaded,
    &kModuleConflict,
    &kSecureBoot,
    &kModuleFlavour,
    &kModuleVersion,
    &kDeviceNodes,
    &kFabricManager,
    &kPersistenceDaemon,
    &kKernelLogXids,
    &kKernelLogAer,
    &kKernelLogOom,
    &kPcieWidth,
    &kIommu,
    &kAcs,
    &kNumaAffinity,
    &kEdac,
    &kShmSize,
    &kMemlock,
    &kPinnedLimit,
    &kCgroupMemory,
    &kCgroupOom,
    &kHostMemory,
    &kDiskSpace,
    &kNicLink,
    &kInfinibandLink,
    // the log's machine and the job: its libraries, environment and network
    &kUptime,
    &kStubLib,
    &kCompatLib,
    &kDriverFiles,
    &kJitLibrary,
    &kTorchBuild,
    &kLibraryArch,
    &kLibraryPath,
    &kRuntimeLibs,
    &kVisibleDevicesEnv,
    &kAllocatorEnv,
    &kJitEnv,
    &kMpsEnv,
    &kNcclEnv,
    &kDebugEnv,
    &kRendezvousPort,
    &kNetworkInterface,
    &kHostnameLoopback,
    // NVML
    &kNvmlInit,
    &kDriverLibrary,
    &kGpuLost,
    &kGspResponds,
    &kRecoveryState,
    &kQueryHealth,
    &kEccCounters,
    &kEccMode,
    &kRemapState,
    &kRetiredPages,
    &kSramThreshold,
    &kRepairPending,
    &kMemoryHolder,
    &kZombieMemory,
    &kComputeMode,
    &kMigMode,
    &kFabricReady,
    &kFabricHealth,
    &kNvlinkLinks,
    &kNvlinkErrors,
    &kC2cLinks,
    &kPcieLink,
    &kThermalPower,
    &kClockLock,
    &kBar1Space,
    &kInforom,
    &kFirmwareMix,
    &kPersistence,
    // the CUDA driver: what it is and what it sees
    &kDriverRuntime,
    &kDeviceVisibility,
    &kP2pCapability,
    &kDisplayWatchdog,
    // the GPU: contexts, kernels and memory
    &kContextSmoke,
    &kArchSupport,
    &kPtxJit,
    &kLaunchLimits,
    &kAllocProbe,
    &kMemoryPattern,
    // memory that is shared through the fabric
    &kFabricMemory,
    &kMulticast,
    &kSmSweep,
    &kCopyIntegrity,
    &kP2pIntegrity,
    &kCollectiveSmoke,
    &kSdcGemm,
    &kSmMemory,
    // what was seen while the checks before loaded the GPU
    &kEccUnderLoad,
    &kPcieUnderLoad,
    &kNvlinkUnderLoad,
    &kThrottleUnderLoad,
    &kClocksUnderLoad,
    &kXidReplay,
};

}  // namespace

std::span<const Check* const> all_checks() {
  return kChecks;
}

const Check* find_check(std::string_view name) {
  const auto found =
      std::find_if(kChecks.begin(), kChecks.end(), [&](const Check* check) { return check->name == name; });
  return found == kChecks.end() ? nullptr : *found;
}

}  // namespace cutopsy
