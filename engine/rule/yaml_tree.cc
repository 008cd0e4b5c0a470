#include "engine/rule/yaml_tree.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <sstream>
#include <utility>

namespace cutopsy {
namespace {

/// Thrown out of yaml-cpp's parser to stop it; never leaves this file.
struct Stop : std::exception {
  explicit Stop(YamlMistake why) : mistake(std::move(why)) {}
  YamlMistake mistake;
};

/// Puts a tree together from the parser's events, within bounds.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(int first_line) : first_line_(first_line) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (std::exchange(in_document_, true)) {
      stop("second-document", mark, "a rule file is one YAML document: the text ends here; check the indentation");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(node(YamlNode::Kind::null, mark)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    stop("alias", mark, "rules use no YAML aliases, since every rule is read alone: write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    YamlNode scalar = node(YamlNode::Kind::scalar, mark);
    scalar.text = value;
    scalar.plain = tag == "?";
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::sequence, mark, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::mapping, mark, style);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A collection being read; a mapping's key waits here for its value.
  struct Open {
    YamlNode node;
    std::optional<YamlNode> key;
  };

  [[noreturn]] void stop(std::string code, const YAML::Mark& mark, std::string message) const {
    throw Stop({std::move(code), mark.line + first_line_, mark.column + 1, std::move(message)});
  }

  YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark) {
    if (++count_ > kMaxYamlNodes) {
      stop("too-large", mark, fmt::format("more than {} values in one file: split the file", kMaxYamlNodes));
    }
    YamlNode result;
    result.kind = kind;
    result.line = mark.line + first_line_;
    result.column = mark.column + 1;
    result.offset = static_cast<std::size_t>(mark.pos);
    return result;
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::EmitterStyle::value style) {
    if (open_.size() >= kMaxYamlDepth) {
      stop("too-deep", mark, fmt::format("values are nested more than {} deep", kMaxYamlDepth));
    }
    YamlNode collection = node(kind, mark);
    collection.flow = style == YAML::EmitterStyle::Flow;
    open_.push_back({std::move(collection), std::nullopt});
  }

  void close() {
    YamlNode done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
  }

  void add(YamlNode done) {
    if (open_.empty()) {
      root_ = std::move(done);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.is_sequence()) {
      parent.node.items.push_back(std::move(done));
    } else if (!parent.key) {
      parent.key = std::move(done);
    } else {
      parent.node.entries.push_back({std::move(*parent.key), std::move(done)});
      parent.key.reset();
    }
  }

  int first_line_;
  bool in_document_ = false;
  std::size_t count_ = 0;
  std::vector<Open> open_;
  YamlNode root_;
};

YamlMistake mistake_at(const std::string& text, std::size_t offset, int first_line, std::string code,
                       std::string message) {
  const std::string_view before = std::string_view(text).substr(0, offset);
  const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {std::move(code), line + first_line, static_cast<int>(offset - line_start) + 1, std::move(message)};
}

/// What the YAML parser would misread without a word: bytes that YAML forbids (it takes 0x04 for the end of the
/// text), text that is not UTF-8, text beyond the bounds.
std::optional<YamlMistake> unreadable(const std::string& text, int first_line) {
  if (text.size() > kMaxYamlBytes) {
    return YamlMistake{"too-large", first_line, 1, fmt::format("larger than {} bytes: split the file", kMaxYamlBytes)};
  }
  const auto is_control = [](unsigned char c) { return (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; };
  if (auto bad = std::find_if(text.begin(), text.end(), is_control); bad != text.end()) {
    return mistake_at(text, static_cast<std::size_t>(bad - text.begin()), first_line, "bad-character",
                      fmt::format("control character 0x{0:02x}: in a double-quoted text write \\x{0:02x}",
                                  static_cast<unsigned char>(*bad)));
  }
  re2::StringPiece rest(text);
  static const RE2 valid_utf8(R"((?s).*)");
  RE2::Consume(&rest, valid_utf8);
  if (!rest.empty()) {
    return mistake_at(text, text.size() - rest.size(), first_line, "bad-character",
                      "not UTF-8: save the file as UTF-8");
  }
  return std::nullopt;
}

YamlMistake mistake_of(const YAML::Exception& error, int first_line) {
  std::string message = "not valid YAML: " + error.msg;
  if (error.msg == "illegal map value") message += "; a text that holds ': ' needs quotes";
  if (error.msg == "end of map not found") {
    message += "; a text under | or > whose first line is indented more than a later one needs |2";
  }
  if (error.mark.is_null()) return {"bad-yaml", first_line, 1, std::move(message)};
  return {"bad-yaml", error.mark.line + first_line, error.mark.column + 1, std::move(message)};
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  auto found = std::find_if(entries.begin(), entries.end(),
                            [&](const YamlEntry& entry) { return entry.key.is_scalar() && entry.key.text == key; });
  return found == entries.end() ? nullptr : &found->value;
}

YamlText read_yaml(const std::string& text, int first_line) {
  YamlText result;
  result.mistake = unreadable(text, first_line);
  if (result.mistake) return result;
  TreeBuilder builder(first_line);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
    result.root = builder.take();
  } catch (const Stop& stop) {
    result.mistake = stop.mistake;
  } catch (const YAML::Exception& error) {
    result.mistake = mistake_of(error, first_line);
  } catch (const std::exception& error) {
    result.mistake = YamlMistake{"bad-yaml", first_line, 1, fmt::format("not readable: {}", error.what())};
  }
  return result;
}

bool same_values(const YamlNode& left, const YamlNode& right) {
  return left.kind == right.kind && left.text == right.text && left.plain == right.plain &&
         std::equal(left.items.begin(), left.items.end(), right.items.begin(), right.items.end(), same_values) &&
         std::equal(left.entries.begin(), left.entries.end(), right.entries.begin(), right.entries.end(),
                    [](const YamlEntry& a, const YamlEntry& b) {
                      return same_values(a.key, b.key) && same_values(a.value, b.value);
                    });
}

}  // namespace cutopsy
