#include "parsers/mention.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace cutopsy {
namespace {

// Longest stretch before a phrase that is looked at.
constexpr std::size_t kWindow = 200;

// A string literal after a statement, a call that prints, a comparison or a shell search.
bool opens_literal_in_source(std::string_view before) {
  if (before.size() > kWindow) before.remove_prefix(before.size() - kWindow);
  if (before.find_first_of("\"'") == std::string_view::npos) return false;
  static const RE2 kSource(
      R"re((?:\b(?:raise|throw|return)\s+[\w.:]+\s*\(|\b(?:f?printf|print|puts|warn|write|log|info|error|warning)\s*\(\s*)re"
      R"re((?:stderr,\s*)?|\b(?:if|elif|in|case|assert|match|grep)\s+|[=!]=\s*|<<\s*)[fFrRbBuL]?["'][^"']{0,40}$)re",
      RE2::Latin1);
  return RE2::PartialMatch(re2::StringPiece(before.data(), before.size()), kSource);
}

// Words of advice and supposition, as they begin.
constexpr std::array<std::string_view, 9> kHedges = {"avoid",   "prevent",   "handle",  "handling", "possible",
                                                     "example", "potential", "instead", "mean"};
constexpr std::array<std::string_view, 8> kWholeHedges = {"if", "like", "such", "may", "might", "risk", "see", "often"};

bool is_hedge(std::string_view word) {
  std::array<char, 12> lower{};
  const std::size_t length = std::min(word.size(), lower.size());
  std::transform(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(length), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string_view start(lower.data(), length);
  return std::any_of(kHedges.begin(), kHedges.end(), [&](auto hedge) { return start.starts_with(hedge); }) ||
         (word.size() == length && std::find(kWholeHedges.begin(), kWholeHedges.end(), start) != kWholeHedges.end());
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c));
}

// True when the clause that leads to the phrase supposes it.
bool supposes(std::string_view before) {
  while (before.ends_with(' ') || before.ends_with(',')) before.remove_suffix(1);
  if (before.ends_with("e.g.") || before.ends_with("i.e.")) return true;
  if (before.size() > kWindow) before.remove_prefix(before.size() - kWindow);
  const auto clause_end = before.find_last_of(":.;!?");
  std::string_view clause = clause_end == std::string_view::npos ? before : before.substr(clause_end + 1);
  while (!clause.empty()) {
    const auto begin = std::find_if(clause.begin(), clause.end(), is_letter);
    const auto end = std::find_if_not(begin, clause.end(), is_letter);
    if (is_hedge({begin, end})) return true;
    clause.remove_prefix(static_cast<std::size_t>(end - clause.begin()));
  }
  return false;
}

// What PyTorch warns of while it tries cuDNN's plans one after the other (ATen/native/cudnn/Conv_v8.cpp): another one
// did.
bool tells_of_a_trial(std::string_view before) {
  return before.find("Plan failed with a") != std::string_view::npos;
}

}  // namespace

bool only_mentioned(std::string_view before) {
  return opens_literal_in_source(before) || tells_of_a_trial(before) || supposes(before);
}

}  // namespace cutopsy
