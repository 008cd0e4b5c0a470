#include "tests/fake_gpu/cuda/absent_symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace cutopsy::fake {

namespace {

// Symbol tables are mapped read-only, private to the process.
void clear_name(ElfW(Sym) * symbol) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(symbol) & ~(page - 1);
  const std::size_t bytes = reinterpret_cast<std::uintptr_t>(symbol + 1) - first;
  mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ | PROT_WRITE);
  symbol->st_name = 0;  // the empty name, which nobody asks for
  mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ);
}

}  // namespace

void hide_symbols(std::span<const std::string> names) {
  Dl_info library{};
  if (names.empty() || !dladdr(reinterpret_cast<void*>(&hide_symbols), &library)) return;
  void* const self = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  for (const std::string& name : names) {
    void* const address = dlsym(self, name.c_str());
    ElfW(Sym)* symbol = nullptr;
    Dl_info found{};
    if (address && dladdr1(address, &found, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) && symbol) {
      clear_name(symbol);
    }
  }
  dlclose(self);
}

}  // namespace cutopsy::fake
