#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/job.h"
#include "validators/library_search.h"
#include "validators/python_site.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"site", "the folder of the job's Python packages (site-packages)"},
    Parameter{"python", "the path of the job's interpreter; it is not run"},
    Parameter{"ld_library_path", "the job's LD_LIBRARY_PATH, if the log tells it"},
};

struct Bundled {
  std::string_view package;  // as in nvidia_cudnn_cu12, without the end
  std::string_view library;  // as in libcudnn.so.9
  bool must_equal;           // its parts refuse those of another version, older or newer
};

constexpr std::array kBundled = {
    Bundled{"nvidia_cudnn", "libcudnn.so", true},        Bundled{"nvidia_cudnn", "libcudnn_ops.so", true},
    Bundled{"nvidia_cudnn", "libcudnn_cnn.so", true},    Bundled{"nvidia_cudnn", "libcudnn_graph.so", true},
    Bundled{"nvidia_cublas", "libcublas.so", false},     Bundled{"nvidia_cublas", "libcublasLt.so", false},
    Bundled{"nvidia_nccl", "libnccl.so", false},         Bundled{"nvidia_nvjitlink", "libnvJitLink.so", false},
    Bundled{"nvidia_cusparse", "libcusparse.so", false}, Bundled{"nvidia_cuda_runtime", "libcudart.so", false},
    Bundled{"nvidia_cuda_nvrtc", "libnvrtc.so", false},
};

// Packages tell a fourth number that the files' names leave out.
int compare_as_far_as_both_tell(const std::string& found, const std::string& bundled) {
  const auto parts =
      std::min(std::count(found.begin(), found.end(), '.'), std::count(bundled.begin(), bundled.end(), '.'));
  const auto cut = [&](const std::string& version) {
    std::size_t end = 0;
    for (auto i = 0; i <= parts && end != std::string::npos; ++i) end = version.find('.', i == 0 ? 0 : end + 1);
    return version.substr(0, end);
  };
  return compare_versions(cut(found), cut(bundled));
}

Answer judge(const LibrarySearch& search, const std::map<std::string, std::string>& packages,
             const std::vector<std::string>& libraries) {
  std::string doubt;
  for (const Bundled& bundled : kBundled) {
    const auto package = std::find_if(packages.begin(), packages.end(),
                                      [&](const auto& entry) { return entry.first.starts_with(bundled.package); });
    if (package == packages.end()) continue;
    for (const std::string& name : libraries) {
      if (!name.starts_with(std::string(bundled.library) + ".")) continue;
      for (const std::string& folder : search.variable_folders()) {
        const auto library = search.find_in(folder, name);
        if (!library || library->path.find("/site-packages/nvidia/") != std::string::npos) continue;
        const std::string version = library->version();
        const std::string seen = library->file + " on LD_LIBRARY_PATH stands before " + package->first + " " +
                                 package->second + ", which this PyTorch came with";
        const int order = version.empty() ? 1 : compare_as_far_as_both_tell(version, package->second);
        if (!version.empty() && (order < 0 || (order > 0 && bundled.must_equal))) {
          return Answer::yes(seen, "Unset LD_LIBRARY_PATH for this job, or take the folder out of it.")
              .with("library", library->file)
              .with("bundled_version", package->second);
        }
        if (order != 0) doubt = seen + (version.empty() ? "; its version is not known" : "; newer ones mostly work");
      }
    }
  }
  if (!doubt.empty()) return Answer::undecided(doubt, "Unset LD_LIBRARY_PATH for this job and try again.");
  return Answer::no("LD_LIBRARY_PATH holds no other version of a library that this PyTorch came with");
}

Answer ask(const Inquiry& inquiry) {
  constexpr std::string_view kVariable = "LD_LIBRARY_PATH";
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  if (!job.knows(kVariable)) return job.unknown_environment();
  const std::string folders = job.variable(kVariable).value_or("");
  if (folders.empty()) return Answer::no("LD_LIBRARY_PATH is not set in " + job.name());
  const auto site = find_torch_site(inquiry.host, inquiry.parameters, job);
  if (!site)
    return Answer::not_applicable("no PyTorch is found; name its site-packages (site), interpreter or process");
  const auto packages = site->nvidia_packages(inquiry.host);
  if (packages.empty()) {
    return Answer::undecided(
        "this PyTorch came without NVIDIA's packages, so that the versions it wants are not known");
  }
  return judge(LibrarySearch(inquiry.host, job), packages, site->nvidia_libraries(inquiry.host))
      .with("LD_LIBRARY_PATH", folders);
}

}  // namespace

extern const Check kLibraryPath = {
    .name = "library-path",
    .question = "Does LD_LIBRARY_PATH put another cuDNN, cuBLAS or NCCL before the one that PyTorch came with?",
    .decision =
        "yes when the version in a file's name there is another than the package's for cuDNN, or an older one for "
        "the others; unknown for newer ones and for files that tell no version",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
