// What the tests of the simulated libcuda.so.1 begin with: the driver opened in a child, a context, the kernels.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>

#include "tests/unit/in_child.h"
#include "validators/cuda_driver.h"

namespace cutopsy::test {

inline constexpr const char* kLibrary = CUTOPSY_FAKE_GPU_LIBRARIES "/libcuda.so.1";
inline constexpr const char* kPtx =
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry cutopsy_smoke(\n.visible .entry "
    "cutopsy_plant_error(\n";

// Any whole number as text. In braces: their values are made from left to right.
struct Number {
  template <typename Integer>
  Number(Integer value) : text(std::to_string(value)) {}
  std::string text;
};

inline std::string joined(std::initializer_list<Number> numbers) {
  std::string text;
  for (const Number& number : numbers) text += (text.empty() ? "" : " ") + number.text;
  return text;
}

// Runs `body` with the simulated driver opened and nothing called.
inline std::string with_driver(const std::string& scenario, const std::function<std::string(CudaDriver&)>& body,
                               const std::map<std::string, std::string>& environment = {}) {
  return in_child(
      scenario,
      [&]() -> std::string {
        std::string why_not;
        const auto cuda = CudaDriver::open(&why_not, kLibrary);
        return cuda ? body(*cuda) : why_not;
      },
      environment);
}

// Device 0 with a context and the kernels.
struct Session {
  explicit Session(CudaDriver& driver) : cuda(driver) {
    cuda.cuInit(0);
    cuda.cuDevicePrimaryCtxRetain(&context, 0);
    cuda.cuCtxSetCurrent(context);
    cuda.cuModuleLoadDataEx(&module, kPtx, 0, nullptr, nullptr);
    cuda.cuModuleGetFunction(&smoke, module, "cutopsy_smoke");
    cuda.cuModuleGetFunction(&plant, module, "cutopsy_plant_error");
  }
  cuda::Address allocate(std::size_t bytes) {
    cuda::Address address = 0;
    cuda.cuMemAlloc_v2(&address, bytes);
    return address;
  }
  // Flips bits of one word of device memory.
  int flip(cuda::Address word, std::uint64_t bits) {
    void* arguments[] = {&word, &bits};
    return cuda.cuLaunchKernel(plant, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr).code;
  }
  std::uint64_t word(cuda::Address address) {
    std::uint64_t value = 0;
    cuda.cuMemcpyDtoH_v2(&value, address, sizeof value);
    return value;
  }

  CudaDriver& cuda;
  cuda::Context context = nullptr;
  cuda::Module module = nullptr;
  cuda::Function smoke = nullptr, plant = nullptr;
};

inline std::string with_session(const std::string& scenario, const std::function<std::string(Session&)>& body) {
  return with_driver(scenario, [&](CudaDriver& cuda) {
    Session session(cuda);
    return body(session);
  });
}

}  // namespace cutopsy::test
