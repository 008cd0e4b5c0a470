#include "validators/job.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>

#include "validators/processes.h"

namespace cutopsy {

namespace {

constexpr std::size_t kMostRead = 1 << 20;  // as much as Host reads of a file

std::map<std::string, std::string, std::less<>> parse_environment(std::string_view text) {
  std::map<std::string, std::string, std::less<>> variables;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(entry.size() + 1, text.size()));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));  // the first of two counts, as in getenv()
  }
  return variables;
}

}  // namespace

Job Job::find(const Host& host, const Parameters& parameters) {
  Job job;
  job.parameters_ = parameters;
  job.named_ = parameters.values().contains("pid");
  job.name_ = job.named_ ? "process " + parameters.text("pid").value_or("?") : "this environment";
  const bool malformed = job.named_ && !parameters.number("pid", 1, std::numeric_limits<int>::max());
  if (!malformed) job.folder_ = process_folder(host, parameters).value_or("");
  if (job.folder_.empty()) return job;
  if (const auto text = host.read(job.folder_ + "/environ")) job.environment_ = parse_environment(*text);
  if (job.named_ && host.exists(job.folder_ + "/root/proc")) job.root_ = job.folder_ + "/root";
  return job;
}

std::optional<std::string> Job::told(std::string_view variable) const {
  std::string name(variable);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return parameters_.text(name);
}

std::optional<std::string> Job::variable(std::string_view name) const {
  if (auto value = told(name)) return value;
  if (!environment_) return std::nullopt;
  const auto found = environment_->find(name);
  if (found == environment_->end()) return std::nullopt;
  return found->second;
}

Answer Job::unknown_environment() const {
  if (!named_) return Answer::not_applicable("no job is named, and a copy of a machine has no environment of its own");
  if (folder_.empty()) return Answer::could_not_run(name_ + " is gone");
  return Answer::could_not_run("the environment of " + name_ + " cannot be read", "Run as its user or as root.");
}

std::optional<std::vector<MappedFile>> Job::mapped_files(const Host& host) const {
  const auto text = folder_.empty() ? std::nullopt : host.read(folder_ + "/maps");
  if (!text || text->size() >= kMostRead) return std::nullopt;
  // address permissions offset device inode path: https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html
  std::vector<MappedFile> files;
  std::set<std::string, std::less<>> seen;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t slash = line.find('/');
    if (slash == std::string_view::npos) continue;
    std::string_view path = line.substr(slash);
    if (path.ends_with(" (deleted)")) path.remove_suffix(10);
    if (!seen.emplace(path).second) continue;
    std::string_view fields = line.substr(0, slash);
    for (int i = 0; i < 3; ++i) fields.remove_prefix(std::min(fields.find(' ') + 1, fields.size()));
    while (fields.ends_with(' ')) fields.remove_suffix(1);
    files.push_back({std::string(path), std::string(fields)});
  }
  return files;
}

}  // namespace cutopsy
