#include <array>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/job.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {Parameter{"pid", "process id of the job; without it there is nothing to look at"}};

// Libraries of which a process should have one.
constexpr std::array<std::string_view, 12> kFamilies = {"libcudart",    "libcublas",    "libcublasLt", "libcudnn",
                                                        "libcudnn_ops", "libcudnn_cnn", "libnccl",     "libnvrtc",
                                                        "libcusparse",  "libnvJitLink", "libcusolver", "libcuda"};

// "libcudart" of "/a/libcudart-9335f6a2.so.12" (a name that auditwheel gave), "" when not in the table.
std::string_view family_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view family : kFamilies) {
    if (!name.starts_with(family)) continue;
    const std::string_view rest = name.substr(family.size());
    const std::size_t so = rest.find(".so");
    if (so == 0) return family;
    if (so == std::string_view::npos || rest[0] != '-') continue;
    const std::string_view hash = rest.substr(1, so - 1);
    if (hash.find_first_not_of("0123456789abcdef") == std::string_view::npos) return family;
  }
  return {};
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  if (!job.is_named()) return Answer::not_applicable("no job is named; give the process id of a running one (pid)");
  if (job.folder().empty()) return job.unknown_environment();
  const auto files = job.mapped_files(inquiry.host);
  if (!files) {
    return Answer::could_not_run("what " + job.name() + " has loaded cannot be read", "Run as its user or as root.");
  }
  std::map<std::string_view, const MappedFile*> first;
  for (const MappedFile& file : *files) {
    const std::string_view family = family_of(file.path);
    if (family.empty()) continue;
    const auto [known, is_first] = first.emplace(family, &file);
    if (is_first || known->second->inode == file.inode) continue;
    return Answer::yes(job.name() + " has loaded two of " + std::string(family) + ": " + known->second->path + " and " +
                           file.path,
                       "Keep one: unset LD_LIBRARY_PATH, or install packages built for one CUDA.")
        .with("first", known->second->path)
        .with("second", file.path);
  }
  if (first.empty()) return Answer::not_applicable(job.name() + " has loaded none of CUDA's libraries");
  return Answer::no(job.name() + " has loaded " + std::to_string(first.size()) + " of CUDA's libraries, each once");
}

}  // namespace

extern const Check kRuntimeLibs = {
    .name = "runtime-libs",
    .question = "Has the job loaded one of CUDA's libraries from two places?",
    .decision = "yes when two files of one family (libcudart, libcudnn, libcublas, libnccl, ...) are mapped",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
