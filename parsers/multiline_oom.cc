// Formats: c10/cuda/CUDACachingAllocator.cpp, c10/cuda/CUDAMallocAsyncAllocator.cpp
#include "parsers/multiline_oom.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "parsers/gpu_oom.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

// How such messages begin, and parts that stand first where the beginning was lost.
constexpr Phrase kOpeners[] = {
    {"out of memory. Tried to", R"(\b(?:CUDA|HIP) out of memory\. Tried to)"},
    {"would exceed allowed", R"(Allocation on device \d+ would exceed allowed memory)"},
    {"total capac", R"([\d.,]+ ?\w+ total capacity;|total capac(?:i)?ty of [\d.,]+ ?\w+ of which)"},
    {"already allocated;", R"([\d.,]+ ?\w+ already allocated;)"},
    {"allocated by PyTorch", R"([\d.,]+ ?\w+ is allocated by PyTorch)"},
    {"Currently allocated  ", R"(^\s*Currently allocated\s+: [\d.,]+)"},
    {"Requested       ", R"(^\s*Requested\s+: [\d.,]+)"},
    {"Device limit    ", R"(^\s*Device limit\s+: [\d.,]+)"},
    {"Free (according to CUDA)", R"(^\s*Free \(according to CUDA\)\s*: [\d.,]+)"},
};

// What the further lines hold, wherever they were cut.
constexpr std::string_view kParts[] = {"total capac",
                                       " of which",
                                       "is free",
                                       "already allocated",
                                       "allocated by PyTorch",
                                       "reserved by",
                                       "reserved in tota",
                                       "by PyTorch",
                                       "PyTorch but",
                                       "memory in use",
                                       "non-PyTorch",
                                       "Of the allocated",
                                       "of the allocated",
                                       "unallocated",
                                       "fragmentation",
                                       "If reserved",
                                       "PYTORCH_",
                                       "Memory Management",
                                       " allowed;",
                                       "private pools",
                                       "GiB free;",
                                       "MiB free;",
                                       "max_split_size",
                                       "try setting",
                                       "GiB cached)",
                                       "MiB cached)",
                                       "Currently allocated",
                                       "Requested   ",
                                       "Device limit   ",
                                       "(according to CUDA)",
                                       "PyTorch limit (set"};

// How the messages end.
constexpr std::string_view kEnds[] = {
    "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF",    "cached)", "by PyTorch)", "but unallocated.",
    "more than 1EB memory",    "PyTorch limit (set by", "\\n"};  // escaped line ends: all of it stands in one line

constexpr auto kTriggers = triggers_of(kOpeners);

template <std::size_t N>
bool holds_any(std::string_view text, const std::string_view (&parts)[N]) {
  return std::any_of(std::begin(parts), std::end(parts), [&](auto part) { return text.find(part) != text.npos; });
}

class MultilineOom : public Record {
 public:
  explicit MultilineOom(const Line& opener) : first_line_(opener.text), text_(opener.text), opener_(opener) {}

  Step feed(const Line& line) override {
    if (!holds_any(line.text, kParts) || text_.size() + line.text.size() > kMaxBytes) return Step::refused;
    const std::size_t first = std::min(line.text.find_first_not_of(" \t"), line.text.size());
    text_.append(1, ' ').append(line.text.substr(first));
    return holds_any(line.text, kEnds) ? Step::last : Step::taken;
  }

  void finish(EventSink& sink) override {
    Line whole = opener_;
    whole.text = text_;
    auto event = read_gpu_oom(whole);
    if (!event) return;
    event->text = first_line_;
    sink.on_event(std::move(*event));
  }

 private:
  static constexpr std::size_t kMaxBytes = 4096;

  std::string first_line_;
  std::string text_;  // all lines
  Line opener_;       // but for its views
};

std::unique_ptr<Record> open_record(const Line& opener) {
  return goes_on_below(opener.text) ? std::make_unique<MultilineOom>(opener) : nullptr;
}

}  // namespace

bool goes_on_below(std::string_view text) {
  static const PhraseBook openers(kOpeners);
  Fields none;
  return !holds_any(text, kEnds) && openers.find(text, none) != nullptr;
}

constinit const RecordParser kMultilineOomParser{"multiline_oom", kTriggers, open_record, true};

}  // namespace cutopsy
