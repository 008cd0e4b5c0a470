#include "parsers/envelope/partial_lines.h"

#include <utility>

namespace cutopsy {
namespace {

// Where things stand in a line of the CRI format.
struct CriHead {
  std::size_t length = 0;  // 0: the line is of no such format
  std::size_t tag_at = 0;
  bool is_stderr = false;
};

CriHead read_head(std::string_view raw) {
  constexpr std::size_t kLongestTime = 40;
  constexpr std::size_t kStreamAndTag = 10;  // "stderr F "
  if (raw.size() < kStreamAndTag || raw[0] < '0' || raw[0] > '9') return {};
  const std::size_t space = raw.substr(0, kLongestTime).find(' ');
  if (space == raw.npos) return {};
  const std::string_view rest = raw.substr(space + 1);
  const bool is_stderr = rest.starts_with("stderr ");
  if (!is_stderr && !rest.starts_with("stdout ")) return {};
  const std::string_view tag = rest.substr(7);
  if (!tag.starts_with("P ") && !tag.starts_with("F ")) return {};
  return {space + kStreamAndTag, space + 8, is_stderr};
}

}  // namespace

void PartialLines::give(Stream& stream, const Sink& sink) {
  if (stream.text.empty()) return;
  const std::string whole = std::exchange(stream.text, {});
  sink(whole, stream.begin);
}

void PartialLines::join(std::string_view raw, Place where, const Sink& sink) {
  const CriHead head = read_head(raw);
  if (head.length == 0) {
    finish(sink);
    return sink(raw, where);
  }
  Stream& stream = streams_[head.is_stderr ? 1 : 0];
  const bool partial = raw[head.tag_at] == 'P';
  if (stream.text.size() + raw.size() > kMaxBytes) give(stream, sink);
  if (stream.text.empty()) {
    if (!partial) return sink(raw, where);
    stream.begin = where;
    stream.text = raw;
    stream.text[head.tag_at] = 'F';
    return;
  }
  stream.text += raw.substr(head.length);
  if (!partial) give(stream, sink);
}

void PartialLines::finish(const Sink& sink) {
  for (Stream& stream : streams_) give(stream, sink);
}

}  // namespace cutopsy
