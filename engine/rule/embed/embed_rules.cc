// Build tool: writes the rules of a folder as a C++ source file, or fails with every mistake that they hold.
//
//   embed_rules RULES_DIR OUT.cc
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "engine/rule/embed/source_writer.h"
#include "engine/rule/lint.h"
#include "engine/rule/loader.h"

namespace {

/// The same rules with sources as seen from the folder that holds `folder`: builds elsewhere give the same file.
cutopsy::RuleSet with_relative_sources(const cutopsy::RuleSet& rules, const std::filesystem::path& folder) {
  auto arena = std::make_shared<cutopsy::RuleArena>();
  std::vector<cutopsy::Rule> moved(rules.rules().begin(), rules.rules().end());
  for (cutopsy::Rule& rule : moved) {
    rule.source = arena->keep(std::filesystem::path(rule.source).lexically_relative(folder.parent_path()).string());
  }
  return rules.merged_with(cutopsy::RuleSet(std::move(moved), arena));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: embed_rules RULES_DIR OUT.cc\n");
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::absolute(argv[1]).lexically_normal();
  cutopsy::LoadedRules loaded = cutopsy::load_rules({folder});
  const std::vector<cutopsy::RuleProblem> problems = cutopsy::lint_loaded(loaded);
  for (const cutopsy::RuleProblem& problem : problems) fmt::print(stderr, "{}\n", to_string(problem));
  if (!problems.empty()) return 1;

  std::ifstream schema_file(folder / "schema.json", std::ios::binary);
  const std::string schema(std::istreambuf_iterator<char>(schema_file), {});
  std::ofstream out(argv[2], std::ios::binary);
  out << as_cpp_source(with_relative_sources(cutopsy::laid_over({}, loaded), folder), schema);
  out.close();
  if (out) return 0;
  fmt::print(stderr, "{}: cannot be written\n", argv[2]);
  return 1;
}
