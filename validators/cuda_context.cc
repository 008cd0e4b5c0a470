#include "validators/cuda_context.h"

#include <utility>

namespace cutopsy {

CudaContext::~CudaContext() {
  if (context_) cuda_.cuDevicePrimaryCtxRelease_v2(device_);
}

CudaStatus CudaContext::open() {
  if (CudaStatus status = cuda_.cuInit(0); !status.ok()) return status;
  if (CudaStatus status = cuda_.cuDeviceGet(&device_, ordinal_); !status.ok()) return status;
  if (CudaStatus status = cuda_.cuDevicePrimaryCtxRetain(&context_, device_); !status.ok()) {
    context_ = nullptr;
    return status;
  }
  return make_current();
}

CudaStatus CudaContext::make_current() const {
  return context_ ? cuda_.cuCtxSetCurrent(context_) : CudaStatus{};
}

CudaStatus CudaContext::attribute(cuda::DeviceAttribute attribute, int* value) const {
  return cuda_.cuDeviceGetAttribute(value, attribute, device_);
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : cuda_(other.cuda_), address_(std::exchange(other.address_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  if (this != &other) {
    release();
    cuda_ = other.cuda_;
    address_ = std::exchange(other.address_, 0);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

CudaStatus DeviceMemory::allocate(const CudaDriver& cuda, std::size_t bytes) {
  release();
  cuda_ = &cuda;
  CudaStatus status = cuda.cuMemAlloc_v2(&address_, bytes);
  bytes_ = status.ok() ? bytes : 0;
  if (!status.ok()) address_ = 0;
  return status;
}

void DeviceMemory::release() {
  if (bytes_ != 0) cuda_->cuMemFree_v2(address_);
  address_ = 0;
  bytes_ = 0;
}

}  // namespace cutopsy
