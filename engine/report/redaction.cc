#include "engine/report/redaction.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace cutopsy {
namespace {

enum class Kind { secret, address };

struct Mask {
  Kind kind;
  const char* pattern;
  const char* replacement;
};

// In the order in which they apply: what has a longer form first.
constexpr Mask kMasks[] = {
    // Credentials in a URL: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
    {Kind::secret, R"((\b[A-Za-z][A-Za-z0-9+.-]*://)[^\s/@<]+@)", R"(\1<token>@)"},
    // JSON Web Tokens: https://www.rfc-editor.org/rfc/rfc7519
    {Kind::secret, R"(\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)", "<token>"},
    // Tokens that begin alike: of GitHub, GitLab, Hugging Face, OpenAI, Slack, AWS, Google, PyPI, npm, W&B.
    // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
    // https://docs.gitlab.com/security/tokens/#token-prefixes
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
    {Kind::secret,
     R"(\b(gh[pousr]_\w{20,}|github_pat_\w{20,}|gl(pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|wt|soat|ffct)-[\w-]{16,}|hf_\w{20,}|sk-[\w-]{20,}|xox[a-z]-[\w-]{10,})"
     R"(|(AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35}|pypi-[\w-]{16,}|npm_\w{30,}|wandb_v1_\w{20,}))",
     "<token>"},
    {Kind::secret, R"((?i)\b(authorization:?\s*['"]?)?((bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,})", R"(\1\2<token>)"},
    // name=value, --name value, "name": "value"
    {Kind::secret,
     R"((?i)(\b[\w-]*(token|secret|password|passwd|passphrase|credentials?|api[_-]?key|access[_-]?key|private[_-]?key))"
     R"(["']?\s*[=:]\s*["']?)[^\s"',;<]{6,})",
     R"(\1<token>)"},
    {Kind::secret, R"((?i)(--[\w-]*(token|secret|password|passwd|api[_-]?key)\s+)[^\s"'<-][^\s"']{5,})",
     R"(\1<token>)"},
    {Kind::secret, R"(\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b)", "<email>"},
    {Kind::secret,
     R"(((?:^|[^\w.]|\.(?:zip|tar|tgz|gz|bz2|xz|zst|lz4))/(?:home|Users|export/home|data/home|fsx/home|nfs/home|mnt/home)/)[^/\s:"'<>]+)",
     R"(\1<user>)"},
    // The same below a folder or in an archive: "artifacts/home/jane/train.log", "logs.zip/home/jane/train.log".
    {Kind::secret, R"(((?:^|[\s"'=(,])(?:[^/\s:"'<>]+/)+(?:home|Users)/)[^/\s:"'<>]+)", R"(\1<user>)"},
    {Kind::secret, R"((?i)(\b[A-Z]:\\+Users\\+)[^\\\s:"'<>]+)", R"(\1<user>)"},
    // Six bytes of a network card; a PCI address has other groups.
    {Kind::address, R"(\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\b)", "<address>"},
    // IPv6 (https://www.rfc-editor.org/rfc/rfc4291#section-2.2): eight groups, or fewer around "::". Times and PCI
    // addresses have fewer groups and no "::"; C++ names have letters that are no digits.
    {Kind::address, R"(\b(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}\b)", "<address>"},
    {Kind::address,
     R"(\b(?:[23][0-9A-Fa-f]{3}|[Ff][CcDdEe][0-9A-Fa-f]{2})(?::[0-9A-Fa-f]{1,4}){0,6}::(?:[0-9A-Fa-f]{1,4})"
     R"((?::[0-9A-Fa-f]{1,4}){0,6})?)",
     "<address>"},
};

// IPv4. Also the four numbers of some versions; the words before those tell.
constexpr const char* kFourNumbers = R"((\b(?:\d{1,3})(?:\.\d{1,3}){3}\b))";

// The address stays where it means this machine or any, or where a version is told.
bool stays(std::string_view before, std::string_view address) {
  if (address.starts_with("127.") || address == "0.0.0.0") return true;
  while (!before.empty() && (before.back() == ' ' || before.back() == ':' || before.back() == '='))
    before.remove_suffix(1);
  constexpr std::string_view kVersions[] = {"version", "Version", "cudnn", "cuDNN", "CUDNN", "tensorrt", "TensorRT"};
  return std::ranges::any_of(kVersions, [&](std::string_view word) { return before.ends_with(word); });
}

bool is_ipv4(std::string_view text) {
  int octet = 0;
  for (const char c : text) {
    octet = c == '.' ? 0 : octet * 10 + (c - '0');
    if (octet > 255) return false;
  }
  return true;
}

void mask_ipv4(std::string& text) {
  static const RE2 four_numbers(kFourNumbers);
  std::string masked;
  std::size_t done = 0;
  re2::StringPiece rest(text), found;
  while (RE2::FindAndConsume(&rest, four_numbers, &found)) {
    const std::string_view address(found.data(), found.size());
    const auto at = static_cast<std::size_t>(found.data() - text.data());
    masked.append(text, done, at - done);
    masked += is_ipv4(address) && !stays(std::string_view(text).substr(0, at), address) ? "<address>" : address;
    done = at + address.size();
  }
  if (done > 0) text = masked.append(text, done);
}

struct CompiledMask {
  explicit CompiledMask(const Mask& mask) : kind(mask.kind), pattern(mask.pattern), replacement(mask.replacement) {}
  Kind kind;
  RE2 pattern;
  const char* replacement;
};

const std::vector<std::unique_ptr<CompiledMask>>& masks() {
  static const auto compiled = [] {
    std::vector<std::unique_ptr<CompiledMask>> list;
    for (const Mask& mask : kMasks) list.push_back(std::make_unique<CompiledMask>(mask));
    return list;
  }();
  return compiled;
}

std::string masked(std::string_view text, bool with_addresses) {
  std::string result(text);
  for (const auto& mask : masks()) {
    if (mask->kind == Kind::secret || with_addresses) RE2::GlobalReplace(&result, mask->pattern, mask->replacement);
  }
  if (with_addresses) mask_ipv4(result);
  return result;
}

bool is_id(const std::string& key) {
  static const std::set<std::string, std::less<>> ids = {
      "schema",     "tool",  "rule",    "fingerprint", "severity",   "outcome",  "explains",
      "references", "basis", "verdict", "check",       "first_seen", "last_seen"};
  return ids.contains(key);
}

void redact_member(const std::string& key, Json& value) {
  if (is_id(key)) return;
  if (value.is_string()) {
    value = masked(value.get_ref<const std::string&>(), !key.ends_with("version"));
  } else if (value.is_object()) {
    for (auto& [name, member] : value.items()) redact_member(name, member);
  } else if (value.is_array()) {
    for (Json& element : value) redact_member(key, element);
  }
}

}  // namespace

std::string redacted(std::string_view text) {
  return masked(text, true);
}

void redact(Json& document) {
  redact_member("", document);
}

}  // namespace cutopsy
