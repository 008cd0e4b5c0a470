#include "engine/explain/input_identity.h"

#include <algorithm>

#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

void keep(std::string_view value, std::set<std::string>& values) {
  if (!value.empty() && values.size() < IdentityBuilder::kMaxNames) values.emplace(value);
}

std::string_view last_lines(std::string_view text, std::size_t count) {
  std::size_t at = text.size();
  for (std::size_t lines = 0; lines <= count; ++lines) {
    at = at == 0 ? text.npos : text.rfind('\n', at - 1);
    if (at == text.npos) return text;
  }
  return text.substr(at + 1);
}

}  // namespace

void IdentityBuilder::sample(std::string_view lines, bool from_end) {
  Stripper stripper;
  if (from_end) lines = last_lines(lines, kSampledLines);
  for (std::size_t read = 0; read < kSampledLines && !lines.empty(); ++read) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    stripper.strip(lines.substr(0, end), {}, [this](const Line& line) {
      ++lines_;
      kernel_lines_ += line.envelope.kernel ? 1 : 0;
      timed_lines_ += line.envelope.kernel || !line.envelope.time.empty() ? 1 : 0;
      add(line.envelope);
    });
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void IdentityBuilder::add(const Envelope& envelope) {
  keep(envelope.host, identity_.hosts);
  keep(envelope.pid, identity_.pids);
  keep(envelope.rank, identity_.ranks);
  if (envelope.seconds <= 0) return;
  double& first = identity_.first_seconds;
  first = first > 0 ? std::min(first, envelope.seconds) : envelope.seconds;
  identity_.last_seconds = std::max(identity_.last_seconds, envelope.seconds);
}

InputIdentity IdentityBuilder::finish(std::span<const Finding> findings, std::span<const Fact> facts) {
  identity_.kernel_log = kernel_lines_ * 2 > lines_;
  identity_.kernel_clock = kernel_lines_ * 2 > timed_lines_;
  for (const Finding& finding : findings) {
    add(finding.envelope);
    keep(finding.fields.get("pid"), identity_.pids);
    keep(finding.fields.get("host"), identity_.hosts);
    for (const std::string& rank : finding.ranks) keep(rank, identity_.ranks);
  }
  for (const Fact& fact : facts) add(fact.envelope);
  return std::move(identity_);
}

}  // namespace cutopsy
