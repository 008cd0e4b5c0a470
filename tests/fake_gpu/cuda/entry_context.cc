// Entry points: primary contexts, the thread's current context, peers.
#include "tests/fake_gpu/cuda/entry.h"
#include "tests/fake_gpu/cuda/fault_report.h"
#include "tests/fake_gpu/cuda/peers.h"
#include "tests/fake_gpu/load_mark.h"

using namespace cutopsy::fake;

namespace {

// CU_COMPUTEMODE_…: prohibited lets nobody in, exclusive only one process.
bool is_closed_to_us(const Device& device) {
  const auto mode = device.section().number("compute_mode");
  return mode == 2 || (mode == 3 && device.section().has("processes"));
}

}  // namespace

CUTOPSY_EXPORT int cuDevicePrimaryCtxRetain(Context** context, CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  if (!context) return status::invalid_value;
  if (is_closed_to_us(*it)) return status::device_unavailable;
  if (it->section().number("lost") != 0) return status::unknown;
  if (const int scar = Scar::of(*it); scar != 0 && driver.primary_context(*it).retained == 0) return scar;
  *context = &driver.primary_context(*it);
  ++(*context)->retained;
  mark_load(it->index());
  return status::success;
}

CUTOPSY_EXPORT int cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  Context& context = driver.primary_context(*it);
  if (context.retained == 0) return status::invalid_context;
  --context.retained;
  return status::success;
}

CUTOPSY_EXPORT int cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  CUTOPSY_ENTER_ON(device);
  if (!flags || !active) return status::invalid_value;
  *flags = driver.primary_context(*it).flags;
  *active = driver.primary_context(*it).retained > 0;
  return status::success;
}

CUTOPSY_EXPORT int cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  CUTOPSY_ENTER_ON(device);
  driver.primary_context(*it).flags = flags;
  return status::success;
}

CUTOPSY_EXPORT int cuCtxSetCurrent(Context* context) {
  CUTOPSY_ENTER(initialised);
  if (context && !driver.is_context(context)) return status::invalid_context;
  driver.current() = context;
  return status::success;
}

CUTOPSY_EXPORT int cuCtxGetCurrent(Context** context) {
  CUTOPSY_ENTER(initialised);
  if (!context) return status::invalid_value;
  *context = driver.current();
  return status::success;
}

CUTOPSY_EXPORT int cuCtxPushCurrent_v2(Context* context) {
  CUTOPSY_ENTER(initialised);
  if (!driver.is_context(context)) return status::invalid_context;
  driver.stack().push_back(context);
  return status::success;
}

CUTOPSY_EXPORT int cuCtxPopCurrent_v2(Context** context) {
  CUTOPSY_ENTER(initialised);
  if (!driver.current()) return status::invalid_context;
  if (context) *context = driver.current();
  driver.stack().pop_back();
  return status::success;
}

CUTOPSY_EXPORT int cuCtxGetDevice(CUdevice* device) {
  CUTOPSY_ENTER(context);
  if (!device) return status::invalid_value;
  *device = driver.ordinal_of(driver.current()->device);
  return status::success;
}

CUTOPSY_EXPORT int cuCtxGetApiVersion(Context* context, unsigned* version) {
  CUTOPSY_ENTER(context);
  if (!version || (context && !driver.is_context(context))) return status::invalid_value;
  *version = 3020;
  return status::success;
}

CUTOPSY_EXPORT int cuCtxSynchronize() {
  CUTOPSY_ENTER(context);
  return driver.finish_all(driver.current());
}

CUTOPSY_EXPORT int cuCtxEnablePeerAccess(Context* peer, unsigned flags) {
  CUTOPSY_ENTER(context);
  if (flags != 0) return status::invalid_value;
  if (!driver.is_context(peer) || peer == driver.current()) return status::invalid_context;
  if (!peer_listed(*driver.current()->device, *peer->device, "p2p.access")) return status::peer_access_unsupported;
  const bool enabled = driver.current()->peers.insert(peer->device).second;
  return enabled ? status::success : status::peer_access_already_enabled;
}

CUTOPSY_EXPORT int cuCtxDisablePeerAccess(Context* peer) {
  CUTOPSY_ENTER(context);
  if (!driver.is_context(peer)) return status::invalid_context;
  if (const int error = driver.finish_all(driver.current()); error != 0) return error;
  return driver.current()->peers.erase(peer->device) > 0 ? status::success : status::peer_access_not_enabled;
}
