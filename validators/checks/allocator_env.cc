#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/job.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"pytorch_cuda_alloc_conf", "the variable's value, if the log tells it"},
    Parameter{"pytorch_alloc_conf", "the variable's value, if the log tells it"},
};

enum class Form { boolean, split_size, ratio, power_of_two, count, backend, divisions };

struct Option {
  std::string_view name;
  Form form;
  std::string_view accepts;
};

// PyTorch 2.9, c10/core/AllocatorConfig.cpp and c10/cuda/CUDAAllocatorConfig.cpp
constexpr std::array kOptions = {
    Option{"max_split_size_mb", Form::split_size, "a number of MiB from 20 on"},
    Option{"max_non_split_rounding_mb", Form::split_size, "a number of MiB from 20 on"},
    Option{"garbage_collection_threshold", Form::ratio, "a number between 0.0 and 1.0"},
    Option{"roundup_power2_divisions", Form::divisions, "a power of two, or a list such as [256:1,512:2,>:4]"},
    Option{"expandable_segments", Form::boolean, "True or False"},
    Option{"backend", Form::backend, "native or cudaMallocAsync"},
    Option{"release_lock_on_cudamalloc", Form::boolean, "True or False"},
    Option{"pinned_use_cuda_host_register", Form::boolean, "True or False"},
    Option{"pinned_num_register_threads", Form::power_of_two, "a power of two"},
    Option{"pinned_use_background_threads", Form::boolean, "True or False"},
    Option{"pinned_reserve_segment_size_mb", Form::count, "a number of MiB"},
    Option{"graph_capture_record_stream_reuse", Form::boolean, "True or False"},
};

template <typename T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_power_of_two(std::optional<unsigned> value) {
  return value && *value > 0 && (*value & (*value - 1)) == 0;
}

// [64:8,256:4,>:1]: each interval a power of two or >, each division a power of two or 0
bool are_divisions(std::string_view list) {
  if (!list.starts_with('[')) return is_power_of_two(number<unsigned>(list));
  if (!list.ends_with(']')) return false;
  list = list.substr(1, list.size() - 2);
  while (!list.empty()) {
    const std::string_view pair = list.substr(0, list.find(','));
    list.remove_prefix(std::min(pair.size() + 1, list.size()));
    const std::size_t colon = pair.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view interval = pair.substr(0, colon);
    const auto division = number<unsigned>(pair.substr(colon + 1));
    if (interval != ">" && !is_power_of_two(number<unsigned>(interval))) return false;
    if (division != 0U && !is_power_of_two(division)) return false;
  }
  return true;
}

bool has_form(std::string_view value, Form form) {
  switch (form) {
    case Form::boolean:
      return value == "True" || value == "False";
    case Form::split_size:
      return number<unsigned>(value).value_or(0) >= 20;
    case Form::ratio: {
      const auto ratio = number<double>(value);
      return ratio && *ratio > 0 && *ratio < 1;
    }
    case Form::power_of_two:
      return is_power_of_two(number<unsigned>(value));
    case Form::count:
      return number<unsigned>(value).value_or(0) > 0;
    case Form::backend:
      return value == "native" || value == "cudaMallocAsync";
    case Form::divisions:
      return are_divisions(value);
  }
  return false;
}

// The items between the commas outside of brackets, blanks left out as PyTorch does.
std::vector<std::string> split_items(std::string_view text) {
  std::vector<std::string> items(1);
  bool in_list = false;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) continue;
    if (c == '[') in_list = true;
    if (c == ']') in_list = false;
    if (c == ',' && !in_list) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  if (items.back().empty()) items.pop_back();  // a comma at the end is let pass
  return items;
}

Answer judge(const std::string& variable, const std::string& value) {
  const std::string shown = variable + "=" + value + ": ";
  const std::string advice =
      "Write it as option:value,option:value, with the values of PyTorch's notes on CUDA memory.";
  std::string unknown;
  for (const std::string& item : split_items(value)) {
    const std::size_t colon = item.find(':');
    if (colon == std::string::npos) {
      return Answer::yes(shown + "\"" + item + "\" has no value; an option is name:value", advice);
    }
    const std::string name = item.substr(0, colon);
    const std::string given = item.substr(colon + 1);
    const auto* const option =
        std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& known) { return known.name == name; });
    if (option == kOptions.end()) {
      unknown = name;
    } else if (!has_form(given, option->form)) {
      return Answer::yes(shown + name + " takes " + std::string(option->accepts) + ", not \"" + given + "\"", advice);
    }
  }
  if (unknown.empty()) return Answer::no(shown + "well formed");
  return Answer::undecided(shown + "\"" + unknown + "\" is no option of PyTorch 2.9 or older", advice);
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  // The first of them that is set counts.
  constexpr std::array kVariables = {"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"};
  bool known = false;
  for (const char* const variable : kVariables) {
    known = known || job.knows(variable);
    if (const auto value = job.variable(variable)) return judge(variable, *value).with(variable, *value);
  }
  if (!known) return job.unknown_environment();
  return Answer::no("PYTORCH_CUDA_ALLOC_CONF is not set in " + job.name());
}

}  // namespace

extern const Check kAllocatorEnv = {
    .name = "allocator-env",
    .question = "Is PYTORCH_CUDA_ALLOC_CONF malformed?",
    .decision =
        "yes when an item is not name:value or a known option's value is of a form that PyTorch refuses; unknown "
        "for an option that PyTorch 2.9 does not have",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
