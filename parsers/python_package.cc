#include "parsers/python_package.h"

#include <algorithm>
#include <cstddef>

namespace cutopsy {
namespace {

// A framework that people run from its source tree: the start of the name of the folder that holds the package, without
// regard to case, and the package's folder in it.
struct Checkout {
  std::string_view holder;
  std::string_view folder;
  std::string_view package;
};
constexpr Checkout kCheckouts[] = {
    {"megatron", "megatron", "megatron"},
    {"nemo", "nemo", "nemo"},
    {"deepspeed", "deepspeed", "deepspeed"},
    {"vllm", "vllm", "vllm"},
    {"pytorch", "torch", "torch"},
    {"python", "triton", "triton"},
    {"python", "triton_kernels", "triton_kernels"},
    {"python", "sglang", "sglang"},
    {"triton_kernels", "triton_kernels", "triton_kernels"},
    {"flash-attention", "flash_attn", "flash_attn"},
    {"flash-attention", "hopper", "flash_attn"},
    {"transformerengine", "transformer_engine", "transformer_engine"},
    {"src", "accelerate", "accelerate"},
    {"src", "transformers", "transformers"},
};

// Folders that tell a copy of Megatron inside another project's tree.
constexpr std::string_view kMegatronFolders[] = {"core", "training", "legacy", "mpu"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_with_caseless(std::string_view text, std::string_view start) {
  return text.size() >= start.size() &&
         std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) { return a == lower(b); });
}

// Takes the first component off `path`; Windows' separators count too.
std::string_view next_component(std::string_view& path) {
  const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
  const std::string_view component = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return component;
}

std::string_view without_extension(std::string_view name) {
  return name.ends_with(".py") ? name.substr(0, name.size() - 3) : name;
}

// What stands below the last site-packages; "" when there is none.
std::string_view below_site_packages(std::string_view file) {
  constexpr std::string_view kFolder = "-packages";
  const std::size_t at = file.rfind(kFolder);
  if (at == file.npos) return {};
  std::string_view rest = file.substr(at);
  const bool is_folder = next_component(rest) == kFolder;
  const std::string_view before = file.substr(0, at);
  return is_folder && (before.ends_with("site") || before.ends_with("dist")) ? rest : std::string_view{};
}

std::string_view package_in_checkout(std::string_view holder, std::string_view folder, std::string_view inner) {
  for (const Checkout& checkout : kCheckouts) {
    if (folder == checkout.folder && starts_with_caseless(holder, checkout.holder)) return checkout.package;
  }
  const bool is_megatron =
      folder == "megatron" && std::ranges::find(kMegatronFolders, inner) != std::end(kMegatronFolders);
  return is_megatron ? folder : std::string_view{};
}

}  // namespace

std::string_view python_package_of(std::string_view file) {
  if (std::string_view installed = below_site_packages(file); !installed.empty()) {
    const std::string_view first = next_component(installed);
    return without_extension(first.ends_with(".egg") ? next_component(installed) : first);
  }
  std::string_view holder;
  std::string_view folder = next_component(file);
  while (!file.empty()) {
    const std::string_view inner = next_component(file);
    if (const std::string_view package = package_in_checkout(holder, folder, inner); !package.empty()) return package;
    holder = folder;
    folder = inner;
  }
  return {};
}

}  // namespace cutopsy
