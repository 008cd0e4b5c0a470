// Every entry point that the product asks a driver for, by cuda_abi.h: each hands the call through and tells the
// saboteur. They are indirect functions: one that the real driver does not have is missing here too.
#include "tests/saboteur/saboteur.h"

namespace cutopsy::saboteur {

namespace {

template <typename Entry, typename Signature = typename Entry::Signature>
struct Interposed;

template <typename Entry, typename... Arguments>
struct Interposed<Entry, cuda::Result(Arguments...)> {
  static cuda::Result call(Arguments... arguments) {
    Saboteur& saboteur = Saboteur::instance();
    if (const cuda::Result refused = saboteur.before(Entry::kName); refused != cuda::kSuccess) return refused;
    const cuda::Result result = hand_through(Entry(), saboteur, arguments...);
    if (result == cuda::kSuccess) tell(Entry(), saboteur, arguments...);
    return result;
  }
};

// Each entry point's own type, under its name.
#define CUTOPSY_ENTRY(symbol, required, ...)                                                        \
  struct symbol {                                                                                   \
    using Signature = cuda::entry::symbol;                                                          \
    static constexpr const char* kName = #symbol;                                                   \
    static const CudaCall<Signature>& real() { return Saboteur::instance().driver().symbol; }       \
    static Signature* resolve() { return real() ? &Interposed<symbol, Signature>::call : nullptr; } \
  };
CUTOPSY_CUDA_ENTRY_POINTS(CUTOPSY_ENTRY)
#undef CUTOPSY_ENTRY

template <typename Entry, typename... Arguments>
cuda::Result hand_through(Entry, Saboteur&, Arguments... arguments) {
  return Entry::real()(arguments...).code;
}
cuda::Result hand_through(cuLaunchKernel, Saboteur& saboteur, cuda::Function function, unsigned grid_x, unsigned grid_y,
                          unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                          cuda::Stream stream, void** arguments, void** extra) {
  return saboteur.launch(
      {"", function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, arguments, extra});
}

// After a call that succeeded.
template <typename Entry, typename... Arguments>
void tell(Entry, Saboteur&, Arguments...) {}

void tell(cuMemAlloc_v2, Saboteur& saboteur, cuda::Address* address, std::size_t bytes) {
  saboteur.allocated(*address, bytes);
}
void tell(cuMemFree_v2, Saboteur& saboteur, cuda::Address address) {
  saboteur.freed(address);
}
void tell(cuDevicePrimaryCtxRetain, Saboteur& saboteur, cuda::Context* context, cuda::Device device) {
  saboteur.retained(*context, device);
}
void tell(cuCtxSetCurrent, Saboteur& saboteur, cuda::Context context) {
  saboteur.made_current(context);
}
void tell(cuModuleGetFunction, Saboteur& saboteur, cuda::Function* function, cuda::Module, const char* name) {
  saboteur.found(*function, name);
}
void tell(cuMemcpyHtoD_v2, Saboteur& saboteur, cuda::Address to, const void*, std::size_t bytes) {
  saboteur.copied_to_device(to, bytes);
}
void tell(cuMemcpyDtoH_v2, Saboteur& saboteur, void* to, cuda::Address, std::size_t bytes) {
  saboteur.copied_to_host(to, bytes);
}
void tell(cuMemcpyPeer, Saboteur& saboteur, cuda::Address to, cuda::Context to_context, cuda::Address,
          cuda::Context from_context, std::size_t bytes) {
  saboteur.copied_to_peer(to, to_context, from_context, bytes);
}

}  // namespace

}  // namespace cutopsy::saboteur

extern "C" {

#define CUTOPSY_EXPORT(symbol, required, ...)                \
  static cutopsy::cuda::entry::symbol* saboteur_##symbol() { \
    return cutopsy::saboteur::symbol::resolve();             \
  }                                                          \
  __attribute__((visibility("default"), ifunc("saboteur_" #symbol))) cutopsy::cuda::entry::symbol symbol;
CUTOPSY_CUDA_ENTRY_POINTS(CUTOPSY_EXPORT)
#undef CUTOPSY_EXPORT

}  // extern "C"
