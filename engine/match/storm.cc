#include "engine/match/storm.h"

#include <algorithm>
#include <utility>

#include "parsers/equal_but_for_time.h"

namespace cutopsy {
namespace {

std::size_t end_of_coordinates(std::string_view text, std::size_t begin) {
  return std::min(text.find_first_not_of("0123456789,", begin), text.size());
}

// Cuts the coordinates out of "…: block: [0,0,0], thread: [31,0,0] Assertion …".
std::vector<std::string_view> around_coordinates(std::string_view text) {
  constexpr std::string_view kBlock = "block: [";
  constexpr std::string_view kThread = "thread: [";
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  while (true) {
    const std::size_t block = text.find(kBlock, begin);
    const std::size_t thread = text.find(kThread, begin);
    if (block == text.npos && thread == text.npos) break;
    const std::size_t coordinates = block < thread ? block + kBlock.size() : thread + kThread.size();
    pieces.push_back(text.substr(begin, coordinates - begin));
    begin = end_of_coordinates(text, coordinates);
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

// Whether `text` is the pieces with coordinates between them.
bool consists_of(std::string_view text, const std::vector<std::string_view>& pieces) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!text.starts_with(pieces[i])) return false;
    text.remove_prefix(pieces[i].size());
    if (i + 1 == pieces.size()) break;
    const std::size_t coordinates = end_of_coordinates(text, 0);
    if (coordinates == 0) return false;
    text.remove_prefix(coordinates);
  }
  return text.empty();
}

// Of a line that says itself how little it means, it matters what stands in quotes: Finding::quoted.
bool may_be_quoted(const Envelope& envelope) {
  return envelope.level == "info" || envelope.level == "debug";
}

}  // namespace

void Storm::next_line(const Line& line, const std::vector<LiteralId>& literals) {
  if (changed_) {
    for (Known& known : known_) known.findings.clear();
  } else if (!current_.findings.empty()) {
    remember();
  }
  changed_ = false;
  only_device_asserts_ = true;
  where_ = line.where;
  current_.text = line.text;
  current_.literals = literals;
  current_.envelope = line.envelope;
  current_.findings.clear();
}

void Storm::counted(std::size_t index, const Finding& repeat) {
  const bool is_of_line = repeat.where == where_ && repeat.begin == where_ && repeat.because == Place{} &&
                          repeat.record == 0 && repeat.text == current_.text;
  if (!is_of_line || may_be_quoted(repeat.envelope) || current_.text.size() > kMaxTextBytes) return changed();
  only_device_asserts_ = only_device_asserts_ && repeat.kind == "torch.device_assert";
  current_.findings.push_back(index);
}

void Storm::remember() {
  Known& known = known_[oldest_++ % known_.size()];
  std::swap(known, current_);
  if (reads_coordinates_ || !only_device_asserts_) {
    known.pieces = {known.text};
  } else {
    known.pieces = around_coordinates(known.text);
  }
}

const Storm::Known* Storm::repeated() const {
  const auto found = std::ranges::find_if(known_, [this](const Known& known) {
    return !known.findings.empty() && consists_of(current_.text, known.pieces) && known.literals == current_.literals &&
           equal_but_for_time(known.envelope, current_.envelope);
  });
  return found == known_.end() ? nullptr : &*found;
}

}  // namespace cutopsy
