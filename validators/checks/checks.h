// The checks, each defined in the file that has its name.
#pragma once

#include "validators/check.h"

namespace cutopsy {

extern const Check kSameMachine;
extern const Check kShmSize;

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
// kernels and device memory
extern const Check kContextSmoke;
extern const Check kArchSupport;
extern const Check kPtxJit;
extern const Check kLaunchLimits;
extern const Check kAllocProbe;
extern const Check kMemoryPattern;

}  // namespace cutopsy
