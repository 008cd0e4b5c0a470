// The package that a Python source file belongs to, by its path alone.
#pragma once

#include <string_view>

namespace cutopsy {

/// "megatron" of ".../site-packages/megatron/core/parallel_state.py". A file outside site-packages belongs to a package
/// only in a checkout of a framework of the GPU stack ("/workspace/DeepSpeed/deepspeed/runtime/engine.py"); "" for all
/// others, above all for a user's own program, even where its folder has a framework's name.
std::string_view python_package_of(std::string_view file);

}  // namespace cutopsy
