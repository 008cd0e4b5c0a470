// A library that lacks some of its own symbols: how a driver of another age looks to dlsym().
#pragma once

#include <span>
#include <string>

namespace cutopsy::fake {

/// From here on dlsym() finds none of `names` in the shared library that this function is linked into. Works on this
/// process's copy of the library's symbol table; meant to be called from a constructor of the library, before
/// its user can look anything up.
void hide_symbols(std::span<const std::string> names);

}  // namespace cutopsy::fake
