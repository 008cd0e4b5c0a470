#include "engine/rule/loader.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "engine/rule/rule_reader.h"
#include "engine/rule/yaml_tree.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;

RuleProblem unreadable(const fs::path& path, const std::string& why) {
  return {"unreadable", path.string(), 1, 1, why + "; name a rule file or a folder of rule files"};
}

bool is_rule_file(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

/// The rule files below `path`, or `path` itself if it is no folder, in sorted order.
std::vector<fs::path> rule_files(const fs::path& path, std::vector<RuleProblem>& problems) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_regular_file(status)) return {path};
  if (!fs::is_directory(status)) {
    problems.push_back(unreadable(path, error ? error.message() : "neither a file nor a folder"));
    return {};
  }
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && is_rule_file(entry->path())) files.push_back(entry->path());
  }
  if (error) problems.push_back(unreadable(path, error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

/// At most one byte more than a rule file may have: enough for the reader to refuse it.
bool read_file(const fs::path& path, std::string& text) {
  std::ifstream stream(path, std::ios::binary);
  text.resize(kMaxYamlBytes + 1);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return !stream.bad() && stream.is_open();
}

LoadedRules finish(RuleReader& reader, std::vector<RuleProblem> problems) {
  std::vector<RuleProblem> found = reader.take_problems();
  std::move(found.begin(), found.end(), std::back_inserter(problems));
  std::vector<Amendment> amendments = reader.take_amendments();
  return {reader.take_rules(), std::move(amendments), std::move(problems)};
}

}  // namespace

LoadedRules load_rules(const std::vector<fs::path>& paths) {
  RuleReader reader;
  std::vector<RuleProblem> problems;
  for (const fs::path& path : paths) {
    for (const fs::path& file : rule_files(path, problems)) {
      std::string text;
      if (read_file(file, text)) {
        reader.read(file.string(), text);
      } else {
        problems.push_back(unreadable(file, "cannot be read"));
      }
    }
  }
  return finish(reader, std::move(problems));
}

RuleSet laid_over(const RuleSet& base, LoadedRules& loaded) {
  return amended(base.merged_with(loaded.rules), loaded.amendments, loaded.problems);
}

LoadedRules load_rules_from_text(const std::string& file, const std::string& yaml) {
  RuleReader reader;
  reader.read(file, yaml);
  return finish(reader, {});
}

}  // namespace cutopsy
