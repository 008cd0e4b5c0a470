// YAML text as a tree whose every node knows its place.
//
// Built from yaml-cpp's events rather than its Node, so that depth and size are bounded while reading, plain and
// quoted scalars can be told apart, and keys keep their order and place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, sequence, mapping };
  Kind kind = Kind::null;
  std::string text;                ///< scalar: its value
  bool plain = false;              ///< scalar: written without quotes
  bool flow = false;               ///< sequence, mapping: written with brackets
  int line = 0;                    ///< from 1
  int column = 0;                  ///< from 1, in bytes
  std::size_t offset = 0;          ///< of the node's first byte in the text
  std::vector<YamlNode> items;     ///< sequence
  std::vector<YamlEntry> entries;  ///< mapping

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_mapping() const { return kind == Kind::mapping; }
  /// The value of `key` in a mapping, or null.
  const YamlNode* find(std::string_view key) const;
};

struct YamlEntry {
  YamlNode key;
  YamlNode value;
};

/// Why a text is not read at all.
struct YamlMistake {
  std::string code;  ///< "bad-yaml", "too-large", "too-deep", "bad-character", "alias", "second-document"
  int line = 0;
  int column = 0;
  std::string message;
};

struct YamlText {
  YamlNode root;  ///< null for an empty text
  std::optional<YamlMistake> mistake;
};

inline constexpr std::size_t kMaxYamlBytes = 1 << 20;
inline constexpr std::size_t kMaxYamlNodes = 200'000;
inline constexpr std::size_t kMaxYamlDepth = 24;

/// Reads one document of UTF-8 text; `first_line` is the number of its first line. Never throws.
YamlText read_yaml(const std::string& text, int first_line = 1);

/// True when both hold the same values in the same order, wherever they stand.
bool same_values(const YamlNode& left, const YamlNode& right);

}  // namespace cutopsy
