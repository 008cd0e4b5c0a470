// The part of NVML's binary interface that the checks use: its types and the table of its entry points.
//
// Own declarations of the layouts and values in nvml.h of NVML 13 (https://github.com/NVIDIA/go-nvml,
// gen/nvml/nvml.h). NVML keeps a function's layout for ever: a changed one gets a new suffix (_v2, _v3) or a version
// number in the struct. Every function returns a code, see NvmlCode.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cutopsy {

/// What NVML's functions return.
enum NvmlCode : int {
  kNvmlLibraryMissing = -2,  ///< ours: the library could not be opened
  kNvmlSymbolMissing = -1,   ///< ours: the library has no such function: an older driver
  kNvmlSuccess = 0,
  kNvmlInvalidArgument = 2,
  kNvmlNotSupported = 3,
  kNvmlNoPermission = 4,
  kNvmlNotFound = 6,
  kNvmlInsufficientSize = 7,
  kNvmlInsufficientPower = 8,
  kNvmlDriverNotLoaded = 9,
  kNvmlTimeout = 10,
  kNvmlFunctionNotFound = 13,
  kNvmlCorruptedInforom = 14,
  kNvmlGpuIsLost = 15,
  kNvmlResetRequired = 16,
  kNvmlOperatingSystem = 17,
  kNvmlVersionMismatch = 18,
  kNvmlArgumentVersionMismatch = 25,
  kNvmlUnknown = 999,
};

using NvmlDevice = struct NvmlDeviceHandle*;

struct NvmlPciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(NvmlPciInfo) == 68);

struct NvmlMemory {
  std::uint64_t total;
  std::uint64_t free;
  std::uint64_t used;  ///< what is reserved for the driver and the firmware included
};
static_assert(sizeof(NvmlMemory) == 24);

struct NvmlMemoryV2 {
  unsigned version;
  std::uint64_t total;
  std::uint64_t reserved;
  std::uint64_t free;
  std::uint64_t used;
};
static_assert(sizeof(NvmlMemoryV2) == 40);

struct NvmlBar1Memory {
  std::uint64_t total;
  std::uint64_t free;
  std::uint64_t used;
};
static_assert(sizeof(NvmlBar1Memory) == 24);

struct NvmlProcessInfoV1 {
  unsigned pid;
  std::uint64_t used_memory;
};
static_assert(sizeof(NvmlProcessInfoV1) == 16);

/// Of the functions with _v2 and _v3.
struct NvmlProcessInfo {
  unsigned pid;
  std::uint64_t used_memory;
  unsigned gpu_instance_id;
  unsigned compute_instance_id;
};
static_assert(sizeof(NvmlProcessInfo) == 24);

struct NvmlUtilization {
  unsigned gpu;     ///< percent of the last sample period in which a kernel ran
  unsigned memory;  ///< percent of it in which memory was read or written
};
static_assert(sizeof(NvmlUtilization) == 8);

enum NvmlValueType : unsigned {
  kNvmlDouble = 0,
  kNvmlUnsignedInt = 1,
  kNvmlUnsignedLong = 2,
  kNvmlUnsignedLongLong = 3,
  kNvmlSignedLongLong = 4,
  kNvmlSignedInt = 5,
  kNvmlUnsignedShort = 6,
};

struct NvmlFieldValue {
  unsigned field_id;
  unsigned scope_id;  ///< the NVLink or C2C link asked about
  std::int64_t timestamp;
  std::int64_t latency_us;
  unsigned value_type;  ///< NvmlValueType
  int code;             ///< of this field alone
  union {
    double d;
    int si;
    unsigned ui;
    unsigned long ul;
    unsigned long long ull;
    long long sll;
    unsigned short us;
  } value;
};
static_assert(sizeof(NvmlFieldValue) == 40);

struct NvmlRowRemapperHistogram {
  unsigned max;  ///< banks that have all their spare rows
  unsigned high;
  unsigned partial;
  unsigned low;
  unsigned none;  ///< banks without a spare row
};
static_assert(sizeof(NvmlRowRemapperHistogram) == 20);

struct NvmlSramEccStatus {
  unsigned version;
  std::uint64_t aggregate_uncorrected_parity;
  std::uint64_t aggregate_uncorrected_secded;
  std::uint64_t aggregate_corrected;
  std::uint64_t volatile_uncorrected_parity;
  std::uint64_t volatile_uncorrected_secded;
  std::uint64_t volatile_corrected;
  std::uint64_t aggregate_uncorrected_l2;
  std::uint64_t aggregate_uncorrected_sm;
  std::uint64_t aggregate_uncorrected_pcie;
  std::uint64_t aggregate_uncorrected_mcu;
  std::uint64_t aggregate_uncorrected_other;
  unsigned threshold_exceeded;
};
static_assert(sizeof(NvmlSramEccStatus) == 104);

struct NvmlTemperature {
  unsigned version;
  unsigned sensor;
  int celsius;
};
static_assert(sizeof(NvmlTemperature) == 12);

struct NvmlRepairStatus {
  unsigned version;
  unsigned channel_repair_pending;
  unsigned tpc_repair_pending;
};
static_assert(sizeof(NvmlRepairStatus) == 12);

struct NvmlFabricInfoV1 {
  unsigned char cluster_uuid[16];
  int status;
  unsigned clique_id;
  unsigned char state;
};
static_assert(sizeof(NvmlFabricInfoV1) == 28);

struct NvmlFabricInfoV2 {
  unsigned version;
  unsigned char cluster_uuid[16];
  int status;
  unsigned clique_id;
  unsigned char state;
  unsigned health_mask;
};
static_assert(sizeof(NvmlFabricInfoV2) == 36);

struct NvmlFabricInfoV3 {
  unsigned version;
  unsigned char cluster_uuid[16];
  int status;
  unsigned clique_id;
  unsigned char state;
  unsigned health_mask;
  unsigned char health_summary;
};
static_assert(sizeof(NvmlFabricInfoV3) == 40);

using NvmlEventSet = struct NvmlEventSetHandle*;

struct NvmlEventData {
  NvmlDevice device;
  unsigned long long event_type;  ///< one of NvmlEventType
  unsigned long long event_data;  ///< of an Xid its number
  unsigned gpu_instance_id;
  unsigned compute_instance_id;
};
static_assert(sizeof(NvmlEventData) == 32);

/// What a struct's version member holds: its size, and its version in the upper byte.
template <class Struct>
constexpr unsigned nvml_version(unsigned version) {
  return static_cast<unsigned>(sizeof(Struct)) | version << 24;
}

enum NvmlErrorType : unsigned { kNvmlCorrected = 0, kNvmlUncorrected = 1 };
enum NvmlCounterType : unsigned { kNvmlVolatile = 0, kNvmlAggregate = 1 };
enum NvmlClock : unsigned { kNvmlSmClock = 1 };
enum NvmlSensor : unsigned { kNvmlGpuSensor = 0 };
enum NvmlThreshold : unsigned { kNvmlSlowdownThreshold = 1 };
enum NvmlComputeMode : unsigned { kNvmlComputeDefault = 0, kNvmlComputeProhibited = 2, kNvmlComputeExclusive = 3 };
enum NvmlFabricState : unsigned char { kNvmlFabricNone, kNvmlFabricNotStarted, kNvmlFabricInProgress, kNvmlFabricDone };
enum NvmlEventType : unsigned long long { kNvmlEventXid = 0x8 };
constexpr unsigned kNvmlMaxLinks = 36;

/// What nvmlDeviceGetFieldValues() is asked for.
enum NvmlField : unsigned {
  kNvmlFieldNvLinkCount = 91,
  kNvmlFieldNvLinkReplay = 161,    ///< of the link in scope_id, up to Hopper
  kNvmlFieldNvLinkRecovery = 162,  ///< likewise
  kNvmlFieldNvLinkCrc = 163,       ///< likewise
  kNvmlFieldNvLinkState = 165,
  kNvmlFieldC2cCount = 170,
  kNvmlFieldC2cStatus = 171,  ///< of the link in scope_id
  kNvmlFieldPcieCorrectable = 173,
  kNvmlFieldPcieNonFatal = 179,
  kNvmlFieldPcieFatal = 180,
  kNvmlFieldNvLink5ReceiveErrors = 208,
  kNvmlFieldNvLink5RecoverySuccessful = 213,
  kNvmlFieldNvLink5RecoveryFailed = 214,
  kNvmlFieldRecoveryAction = 230,
  kNvmlFieldC2cErrors = 231,
};

/// Why the clocks are lower than they could be.
enum NvmlClocksReason : std::uint64_t {
  kNvmlReasonApplicationClocks = 0x2,
  kNvmlReasonPowerCap = 0x4,  ///< normal under load
  kNvmlReasonSoftwareThermal = 0x20,
  kNvmlReasonHardwareSlowdown = 0x8,
  kNvmlReasonHardwareThermal = 0x40,
  kNvmlReasonPowerBrake = 0x80,
};

}  // namespace cutopsy

// X(name without "nvml", argument types...). A function that a driver lacks is no error until it is called.
#define CUTOPSY_NVML_FUNCTIONS(X)                                                               \
  X(Init_v2)                                                                                    \
  X(Shutdown)                                                                                   \
  X(SystemGetDriverVersion, char*, unsigned)                                                    \
  X(SystemGetNVMLVersion, char*, unsigned)                                                      \
  X(SystemGetProcessName, unsigned, char*, unsigned)                                            \
  X(DeviceGetCount_v2, unsigned*)                                                               \
  X(DeviceGetHandleByIndex_v2, unsigned, NvmlDevice*)                                           \
  X(DeviceGetHandleByUUID, const char*, NvmlDevice*)                                            \
  X(DeviceGetHandleByPciBusId_v2, const char*, NvmlDevice*)                                     \
  X(DeviceGetName, NvmlDevice, char*, unsigned)                                                 \
  X(DeviceGetUUID, NvmlDevice, char*, unsigned)                                                 \
  X(DeviceGetPciInfo_v3, NvmlDevice, NvmlPciInfo*)                                              \
  X(DeviceGetMemoryInfo, NvmlDevice, NvmlMemory*)                                               \
  X(DeviceGetMemoryInfo_v2, NvmlDevice, NvmlMemoryV2*)                                          \
  X(DeviceGetBAR1MemoryInfo, NvmlDevice, NvmlBar1Memory*)                                       \
  X(DeviceGetNumaNodeId, NvmlDevice, unsigned*)                                                 \
  X(DeviceGetUtilizationRates, NvmlDevice, NvmlUtilization*)                                    \
  X(DeviceGetComputeRunningProcesses, NvmlDevice, unsigned*, NvmlProcessInfoV1*)                \
  X(DeviceGetComputeRunningProcesses_v2, NvmlDevice, unsigned*, NvmlProcessInfo*)               \
  X(DeviceGetComputeRunningProcesses_v3, NvmlDevice, unsigned*, NvmlProcessInfo*)               \
  X(DeviceGetGraphicsRunningProcesses, NvmlDevice, unsigned*, NvmlProcessInfoV1*)               \
  X(DeviceGetGraphicsRunningProcesses_v2, NvmlDevice, unsigned*, NvmlProcessInfo*)              \
  X(DeviceGetGraphicsRunningProcesses_v3, NvmlDevice, unsigned*, NvmlProcessInfo*)              \
  X(DeviceGetMaxMigDeviceCount, NvmlDevice, unsigned*)                                          \
  X(DeviceGetMigMode, NvmlDevice, unsigned*, unsigned*)                                         \
  X(DeviceGetMigDeviceHandleByIndex, NvmlDevice, unsigned, NvmlDevice*)                         \
  X(DeviceGetDeviceHandleFromMigDeviceHandle, NvmlDevice, NvmlDevice*)                          \
  X(DeviceGetFieldValues, NvmlDevice, int, NvmlFieldValue*)                                     \
  X(DeviceGetEccMode, NvmlDevice, unsigned*, unsigned*)                                         \
  X(DeviceGetDefaultEccMode, NvmlDevice, unsigned*)                                             \
  X(DeviceGetTotalEccErrors, NvmlDevice, unsigned, unsigned, unsigned long long*)               \
  X(DeviceGetMemoryErrorCounter, NvmlDevice, unsigned, unsigned, unsigned, unsigned long long*) \
  X(DeviceGetRemappedRows, NvmlDevice, unsigned*, unsigned*, unsigned*, unsigned*)              \
  X(DeviceGetRowRemapperHistogram, NvmlDevice, NvmlRowRemapperHistogram*)                       \
  X(DeviceGetUnrepairableMemoryFlag_v1, NvmlDevice, unsigned*)                                  \
  X(DeviceGetRetiredPages, NvmlDevice, unsigned, unsigned*, unsigned long long*)                \
  X(DeviceGetRetiredPagesPendingStatus, NvmlDevice, unsigned*)                                  \
  X(DeviceGetSramEccErrorStatus, NvmlDevice, NvmlSramEccStatus*)                                \
  X(DeviceGetRepairStatus, NvmlDevice, NvmlRepairStatus*)                                       \
  X(DeviceGetGpuFabricInfo, NvmlDevice, NvmlFabricInfoV1*)                                      \
  X(DeviceGetGpuFabricInfoV, NvmlDevice, void*)                                                 \
  X(DeviceGetNvLinkState, NvmlDevice, unsigned, unsigned*)                                      \
  X(DeviceGetNvLinkRemotePciInfo_v2, NvmlDevice, unsigned, NvmlPciInfo*)                        \
  X(DeviceGetCurrPcieLinkGeneration, NvmlDevice, unsigned*)                                     \
  X(DeviceGetCurrPcieLinkWidth, NvmlDevice, unsigned*)                                          \
  X(DeviceGetMaxPcieLinkGeneration, NvmlDevice, unsigned*)                                      \
  X(DeviceGetMaxPcieLinkWidth, NvmlDevice, unsigned*)                                           \
  X(DeviceGetPcieReplayCounter, NvmlDevice, unsigned*)                                          \
  X(DeviceGetVirtualizationMode, NvmlDevice, unsigned*)                                         \
  X(DeviceGetCurrentClocksEventReasons, NvmlDevice, unsigned long long*)                        \
  X(DeviceGetCurrentClocksThrottleReasons, NvmlDevice, unsigned long long*)                     \
  X(DeviceGetClockInfo, NvmlDevice, unsigned, unsigned*)                                        \
  X(DeviceGetMaxClockInfo, NvmlDevice, unsigned, unsigned*)                                     \
  X(DeviceGetPerformanceState, NvmlDevice, unsigned*)                                           \
  X(DeviceGetTemperature, NvmlDevice, unsigned, unsigned*)                                      \
  X(DeviceGetTemperatureV, NvmlDevice, NvmlTemperature*)                                        \
  X(DeviceGetTemperatureThreshold, NvmlDevice, unsigned, unsigned*)                             \
  X(DeviceGetPowerUsage, NvmlDevice, unsigned*)                                                 \
  X(DeviceGetEnforcedPowerLimit, NvmlDevice, unsigned*)                                         \
  X(DeviceGetPowerManagementDefaultLimit, NvmlDevice, unsigned*)                                \
  X(DeviceGetComputeMode, NvmlDevice, unsigned*)                                                \
  X(DeviceGetPersistenceMode, NvmlDevice, unsigned*)                                            \
  X(DeviceGetDisplayActive, NvmlDevice, unsigned*)                                              \
  X(DeviceGetVbiosVersion, NvmlDevice, char*, unsigned)                                         \
  X(DeviceGetInforomImageVersion, NvmlDevice, char*, unsigned)                                  \
  X(DeviceValidateInforom, NvmlDevice)                                                          \
  X(DeviceGetGspFirmwareMode, NvmlDevice, unsigned*, unsigned*)                                 \
  X(DeviceGetGspFirmwareVersion, NvmlDevice, char*)                                             \
  X(DeviceGetSupportedEventTypes, NvmlDevice, unsigned long long*)                              \
  X(DeviceRegisterEvents, NvmlDevice, unsigned long long, NvmlEventSet)                         \
  X(EventSetCreate, NvmlEventSet*)                                                              \
  X(EventSetWait_v2, NvmlEventSet, NvmlEventData*, unsigned)                                    \
  X(EventSetFree, NvmlEventSet)
