// Formats:
//   torch==2.1.0+cu121                             pip freeze; "[pip3] " before it in collect_env; " + " before it in
//   uv torch                 2.1.0+cu121              pip list, uv pip list pytorch               2.1.0
//   py3.10_cuda12.1_cudnn8.9.2_0    pytorch      conda list; "[conda] " in collect_env Successfully installed
//   numpy-1.26.4 torch-2.1.0+cu121                       pip install Requirement already satisfied: torch>=1.6 in
//   /opt/venv/lib/... (2.1.0)      pip install
// What pip collects, downloads or finds in conflict is not installed (yet), and gives nothing.
#include "parsers/installed_packages.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "parsers/job_facts.h"
#include "parsers/word.h"

namespace cutopsy {
namespace {

constexpr auto npos = std::string_view::npos;

struct Package {
  std::string_view name;
  std::string_view fact;
  std::string_view frozen;   // literal of pip freeze
  std::string_view listed;   // literal of pip list and conda list
  bool major_minor = false;  // the fact has two numbers only
};

constexpr Package kPackages[] = {
    {"torch", "torch_version", "torch==", "torch     "},
    {"pytorch", "torch_version", "pytorch==", "torch     "},
    {"torchvision", "torchvision_version", "torchvision==", "torchvision   "},
    {"torchaudio", "torchaudio_version", "torchaudio==", "torchaudio   "},
    {"triton", "triton_version", "triton==", "triton     "},
    {"tensorflow", "tensorflow_version", "tensorflow==", "tensorflow   "},
    {"tensorflow-gpu", "tensorflow_version", "tensorflow-gpu==", "tensorflow-gpu  "},
    {"jax", "jax_version", "jax==", "jax       "},
    {"jaxlib", "jaxlib_version", "jaxlib==", "jaxlib     "},
    {"onnxruntime-gpu", "onnxruntime_version", "onnxruntime-gpu==", "onnxruntime-gpu  "},
    {"paddlepaddle-gpu", "paddle_version", "paddlepaddle-gpu==", "paddlepaddle-gpu  "},
    {"transformers", "transformers_version", "transformers==", "transformers   "},
    {"accelerate", "accelerate_version", "accelerate==", "accelerate   "},
    {"lightning", "lightning_version", "lightning==", "lightning    "},
    {"pytorch-lightning", "lightning_version", "pytorch-lightning==", "pytorch-lightning  "},
    {"deepspeed", "deepspeed_version", "deepspeed==", "deepspeed    "},
    {"megatron-core", "megatron_version", "megatron-core==", "megatron-core   "},
    {"flash-attn", "flash_attn_version", "flash-attn==", "flash-attn   "},
    {"flash_attn", "flash_attn_version", "flash_attn==", "flash_attn   "},
    {"xformers", "xformers_version", "xformers==", "xformers    "},
    {"bitsandbytes", "bitsandbytes_version", "bitsandbytes==", "bitsandbytes   "},
    {"vllm", "vllm_version", "vllm==", "vllm      "},
    {"sglang", "sglang_version", "sglang==", "sglang     "},
    {"ray", "ray_version", "ray==", "ray       "},
    {"tensorrt", "tensorrt_version", "tensorrt==", "tensorrt    "},
    {"nvidia-cudnn-cu11", "cudnn_version", "nvidia-cudnn-cu11==", "nvidia-cudnn-cu11 "},
    {"nvidia-cudnn-cu12", "cudnn_version", "nvidia-cudnn-cu12==", "nvidia-cudnn-cu12 "},
    {"nvidia-cudnn-cu13", "cudnn_version", "nvidia-cudnn-cu13==", "nvidia-cudnn-cu13 "},
    {"nvidia-nccl-cu11", "nccl_version", "nvidia-nccl-cu11==", "nvidia-nccl-cu11 "},
    {"nvidia-nccl-cu12", "nccl_version", "nvidia-nccl-cu12==", "nvidia-nccl-cu12 "},
    {"nvidia-nccl-cu13", "nccl_version", "nvidia-nccl-cu13==", "nvidia-nccl-cu13 "},
    {"cudatoolkit", "cuda_version", "cudatoolkit==", "cudatoolkit   ", true},
    {"pytorch-cuda", "cuda_version", "pytorch-cuda==", "pytorch-cuda   ", true},
};

constexpr std::string_view kInstalled = "Successfully installed ";
constexpr std::string_view kSatisfied = "already satisfied: ";
constexpr std::string_view kCondaOfCollectEnv = "[conda] ";

constexpr auto kTriggers = [] {
  std::array<std::string_view, 2 * std::size(kPackages) + 3> triggers;
  std::size_t i = 0;
  for (const Package& package : kPackages) {
    triggers[i++] = package.frozen;
    triggers[i++] = package.listed;
  }
  triggers[i++] = kInstalled;
  triggers[i++] = kSatisfied;
  triggers[i++] = kCondaOfCollectEnv;
  return triggers;
}();

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// True for "2.1.0+cu121", "2.6.0a0+df5bbc09d1.nv24.11".
bool is_version(std::string_view text) {
  const bool dotted = text.size() >= 3 && is_digit(text[0]) && text.find('.') != npos;
  return dotted && std::ranges::all_of(text, [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'z') || c == '.' || c == '+' || c == '_' || c == '-';
         });
}

std::string_view major_minor(std::string_view version) {
  const std::size_t patch = version.find('.', version.find('.') + 1);
  return version.substr(0, patch);
}

void add(std::string_view name, std::string_view version, Fields& found) {
  if (!is_version(version)) return;
  for (const Package& package : kPackages) {
    if (package.name == name) found.set_if_absent(package.fact, package.major_minor ? major_minor(version) : version);
  }
}

// "numpy-1.26.4 torch-2.1.0+cu121"
void read_installed(std::string_view words, Fields& found) {
  for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
    for (std::size_t dash = word.find('-'); dash != npos; dash = word.find('-', dash + 1)) {
      if (dash + 1 < word.size() && is_digit(word[dash + 1])) {
        add(word.substr(0, dash), word.substr(dash + 1), found);
        break;
      }
    }
  }
}

// "torch>=1.6 in ./lib/python3.10/site-packages (from -r requirements.txt (line 3)) (2.1.0)"
void read_satisfied(std::string_view rest, Fields& found) {
  const std::string_view requirement = take_word(rest);
  const std::size_t open = rest.rfind('(');
  if (open == npos || !rest.ends_with(')')) return;
  add(requirement.substr(0, requirement.find_first_of("<>=!~;[(")), rest.substr(open + 1, rest.size() - open - 2),
      found);
}

// A line of a list, which holds nothing before the package but the mark of who lists it.
void read_listed(std::string_view text, Fields& found) {
  std::string_view rest = text;
  std::string_view word = take_word(rest);
  const bool of_conda = text.starts_with(kCondaOfCollectEnv);
  if (of_conda || word == "[pip3]" || word == "[pip]" || word == "+" || word == "~") word = take_word(rest);
  if (const std::size_t pin = word.find("=="); pin != npos) {
    if (rest.empty()) add(word.substr(0, pin), word.substr(pin + 2), found);
    return;
  }
  const bool is_column = rest.starts_with("  ") || of_conda;
  const std::string_view version = take_word(rest);
  if (is_column && rest.find("-->") == npos) add(word, version, found);
}

void parse(const Line& line, EventSink& sink) {
  const bool may_list = std::ranges::any_of(kTriggers, [&](auto trigger) { return line.text.find(trigger) != npos; });
  if (!may_list) return;
  Fields found;
  if (const std::size_t at = line.text.find(kInstalled); at != npos) {
    read_installed(line.text.substr(at + kInstalled.size()), found);
  } else if (const std::size_t satisfied = line.text.find(kSatisfied); satisfied != npos) {
    read_satisfied(line.text.substr(satisfied + kSatisfied.size()), found);
  } else {
    read_listed(line.text, found);
  }
  if (found.size() > 0) report_facts(std::move(found), line.envelope, line.where, sink);
}

}  // namespace

constinit const LineParser kInstalledPackagesParser{"installed_packages", kTriggers, parse};

}  // namespace cutopsy
