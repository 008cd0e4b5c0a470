// The simulated libnccl.so.2: all-reduce of floats within one process, through the simulated libcuda's own calls.
//
// Keys of the scenario are in README.md. Work is done by ncclGroupEnd.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/fake_gpu/scenario.h"
#include "validators/nccl.h"

namespace cutopsy::fake {

namespace {

struct Comm {
  int device = 0;
  cuda::Context context = nullptr;
};

struct Work {
  const Comm* comm;
  cuda::Address given, received;
  std::size_t count;
};

std::vector<std::unique_ptr<Comm>> comms;
std::vector<Work> works;

template <class Signature>
Signature* cuda_call(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library ? dlsym(library, name) : nullptr;
  if (!symbol) std::abort();
  return reinterpret_cast<Signature*>(symbol);
}

#define CUTOPSY_CUDA(name) cuda_call<cuda::entry::name>(#name)

const Scenario::Section& section_of(const Comm& comm) {
  return Scenario::current().gpus().at(static_cast<std::size_t>(comm.device));
}

// What a scenario has a call do: hang, or answer a code.
int injected(const std::string& call) {
  const Scenario::Section& driver = Scenario::current().driver();
  const auto hanging = driver.words("hang");
  while (std::find(hanging.begin(), hanging.end(), call) != hanging.end()) pause();
  return static_cast<int>(driver.number("nccl." + call));
}

// "OFFSET:MASK" flips bits of the result there.
void damage(const Scenario::Section& gpu, std::vector<float>* sums) {
  unsigned long long offset = 0, mask = 0;
  if (std::sscanf(gpu.text("nccl.wrong").c_str(), "%lli:%lli", reinterpret_cast<long long*>(&offset),
                  reinterpret_cast<long long*>(&mask)) != 2) {
    return;
  }
  const std::size_t place = offset / sizeof(float);
  if (place >= sums->size()) return;
  (*sums)[place] =
      std::bit_cast<float>(std::bit_cast<std::uint32_t>((*sums)[place]) ^ static_cast<std::uint32_t>(mask));
}

int do_works() {
  if (works.empty()) return kNcclSuccess;
  std::vector<float> sums(works.front().count), part(works.front().count);
  const std::size_t bytes = sums.size() * sizeof(float);
  for (const Work& work : works) {
    CUTOPSY_CUDA(cuCtxSetCurrent)(work.comm->context);
    if (CUTOPSY_CUDA(cuMemcpyDtoH_v2)(part.data(), work.given, bytes) != 0) return kNcclUnhandledCudaError;
    if (section_of(*work.comm).number("nccl.silent") != 0) continue;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
  }
  for (const Work& work : works) {
    std::vector<float> result = sums;
    damage(section_of(*work.comm), &result);
    CUTOPSY_CUDA(cuCtxSetCurrent)(work.comm->context);
    if (CUTOPSY_CUDA(cuMemcpyHtoD_v2)(work.received, result.data(), bytes) != 0) return kNcclUnhandledCudaError;
  }
  works.clear();
  return kNcclSuccess;
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version) {
  *version = 22703;
  return injected("ncclGetVersion");
}

int ncclCommInitAll(NcclComm* handles, int count, const int* devices) {
  if (const int code = injected("ncclCommInitAll"); code != kNcclSuccess) return code;
  for (int rank = 0; rank < count; ++rank) {
    auto comm = std::make_unique<Comm>();
    comm->device = devices ? devices[rank] : rank;
    cuda::Device device = 0;
    if (CUTOPSY_CUDA(cuDeviceGet)(&device, comm->device) != 0) return kNcclUnhandledCudaError;
    if (CUTOPSY_CUDA(cuDevicePrimaryCtxRetain)(&comm->context, device) != 0) return kNcclUnhandledCudaError;
    handles[rank] = reinterpret_cast<NcclComm>(comm.get());
    comms.push_back(std::move(comm));
  }
  return kNcclSuccess;
}

int ncclCommDestroy(NcclComm) {
  return injected("ncclCommDestroy");
}

int ncclGroupStart() {
  return injected("ncclGroupStart");
}

int ncclGroupEnd() {
  if (const int code = injected("ncclGroupEnd"); code != kNcclSuccess) return code;
  return do_works();
}

int ncclAllReduce(const void* given, void* received, std::size_t count, NcclType type, NcclOperation operation,
                  NcclComm handle, cuda::Stream) {
  if (const int code = injected("ncclAllReduce"); code != kNcclSuccess) return code;
  if (type != kNcclFloat32 || operation != kNcclSum) return kNcclInvalidArgument;
  works.push_back({reinterpret_cast<const Comm*>(handle), reinterpret_cast<cuda::Address>(given),
                   reinterpret_cast<cuda::Address>(received), count});
  return kNcclSuccess;
}

}  // extern "C"

}  // namespace cutopsy::fake
