#include "validators/nccl.h"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>

namespace cutopsy {

namespace {

struct Meaning {
  int code;
  const char* text;
};

constexpr Meaning kMeanings[] = {
    {kNcclSymbolMissing, "this library does not have the function"},
    {kNcclUnhandledCudaError, "a call to CUDA failed"},
    {kNcclSystemError, "a call to the system failed"},
    {kNcclInternalError, "an internal check failed"},
    {kNcclInvalidArgument, "invalid argument"},
    {kNcclInvalidUsage, "invalid usage"},
    {kNcclRemoteError, "a peer failed"},
};

}  // namespace

std::string NcclStatus::text() const {
  const auto* const meaning =
      std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning& row) { return row.code == code; });
  const std::string what = meaning == std::end(kMeanings) ? "an error" : meaning->text;
  return std::string(call) + " says: " + what + " (NCCL " + std::to_string(code) + ")";
}

std::unique_ptr<Nccl> Nccl::open(const std::string& library, std::string* why_not) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* const reason = dlerror();
    *why_not = reason ? reason : library + " cannot be opened";
    return nullptr;
  }
  std::unique_ptr<Nccl> nccl(new Nccl);
  const auto bind = [&](auto& entry) {
    entry.function = reinterpret_cast<decltype(entry.function)>(dlsym(handle, entry.name));
  };
#define CUTOPSY_NCCL_BIND(name, ...) bind(nccl->name);
  CUTOPSY_NCCL_FUNCTIONS(CUTOPSY_NCCL_BIND)
#undef CUTOPSY_NCCL_BIND
  return nccl;
}

}  // namespace cutopsy
