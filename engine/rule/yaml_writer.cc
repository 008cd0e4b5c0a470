#include "engine/rule/yaml_writer.h"

#include <yaml-cpp/yaml.h>

#include "engine/rule/yaml_checker.h"

namespace cutopsy {
namespace {

bool is_plain(const YamlNode& node) {
  return node.plain && (as_number(node) || node.text == "true" || node.text == "false");
}

void emit(YAML::Emitter& out, const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      out << YAML::Null;
      break;
    case YamlNode::Kind::scalar:
      if (!is_plain(node)) out << YAML::DoubleQuoted;
      out << node.text;
      break;
    case YamlNode::Kind::sequence:
      out << YAML::Flow << YAML::BeginSeq;
      for (const YamlNode& item : node.items) emit(out, item);
      out << YAML::EndSeq;
      break;
    case YamlNode::Kind::mapping:
      out << YAML::Flow << YAML::BeginMap;
      for (const YamlEntry& entry : node.entries) {
        out << YAML::Key;
        emit(out, entry.key);
        out << YAML::Value;
        emit(out, entry.value);
      }
      out << YAML::EndMap;
      break;
  }
}

}  // namespace

std::string write_yaml(const YamlNode& node) {
  YAML::Emitter out;
  emit(out, node);
  return std::string(out.c_str()) + "\n";
}

}  // namespace cutopsy
