// Formats: the CRI log format (kubernetes, pkg/kubelet/kuberuntime/logs/logs.go: a chunk has the tag P, the last one
// F), Docker's json-file driver (moby, daemon/logger/copier.go: a chunk has no "\n" at its end).
#include "parsers/envelope/chunk_joiner.h"

#include <iterator>

#include "parsers/envelope/timestamp.h"

namespace cutopsy {
namespace {

// A physical line that may be a chunk: what stands around its text.
struct Chunk {
  std::string_view text;
  std::size_t stream = 0;  // 0: stdout, 1: stderr
  bool is_chunk = false;   // it is of one of the formats
  bool is_last = true;
};

Chunk read_cri(std::string_view raw) {
  constexpr std::string_view kTags[] = {" stdout P", " stdout F", " stderr P", " stderr F"};
  constexpr std::size_t kLongestTime = 40;
  if (raw.substr(0, kLongestTime).find(" std") == raw.npos) return {};
  const std::size_t time = read_timestamp(raw).length;
  if (time == 0) return {};
  for (std::size_t i = 0; i < std::size(kTags); ++i) {
    std::string_view text = raw.substr(time);
    if (!text.starts_with(kTags[i])) continue;
    text.remove_prefix(kTags[i].size());
    if (!text.empty() && text[0] != ' ') return {};
    text.remove_prefix(text.empty() ? 0 : 1);
    return {text, i / 2, true, i % 2 == 1};
  }
  return {};
}

Chunk read_json_file(std::string_view raw) {
  constexpr std::string_view kBegin = R"({"log":")";
  constexpr std::string_view kEnds[] = {R"(","stream":"stdout")", R"(","stream":"stderr")"};
  for (std::size_t i = 0; i < std::size(kEnds); ++i) {
    const std::size_t end = raw.rfind(kEnds[i]);
    if (end == raw.npos || end < kBegin.size()) continue;
    const std::string_view text = raw.substr(kBegin.size(), end - kBegin.size());
    return {text, i, true, text.ends_with("\\n")};
  }
  return {};
}

Chunk read_chunk(std::string_view raw) {
  if (raw.starts_with(R"({"log":")")) return read_json_file(raw);
  return !raw.empty() && raw[0] >= '0' && raw[0] <= '9' ? read_cri(raw) : Chunk{};
}

}  // namespace

bool ChunkJoiner::is_unfinished(std::string_view raw) {
  return !read_chunk(raw).is_last;
}

void ChunkJoiner::add(std::string_view raw, Place where, const Sink& sink) {
  const Chunk chunk = read_chunk(raw);
  Held& held = held_[chunk.stream];
  if (!chunk.is_chunk || (chunk.is_last && held.raw.empty())) return sink(raw, where);
  if (held.raw.empty()) {
    held.where = where;
    held.raw.assign(raw.data(), chunk.text.data() + chunk.text.size());
    held.tail.assign(chunk.text.data() + chunk.text.size(), raw.data() + raw.size());
  } else {
    held.raw.append(chunk.text);
  }
  if (!chunk.is_last && held.raw.size() < kMaxBytes) return;
  held.raw.append(held.tail);
  sink(held.raw, held.where);
  held.raw.clear();
}

void ChunkJoiner::finish(const Sink& sink) {
  for (Held& held : held_) {
    if (held.raw.empty()) continue;
    held.raw.append(held.tail);
    sink(held.raw, held.where);
    held.raw.clear();
  }
}

}  // namespace cutopsy
