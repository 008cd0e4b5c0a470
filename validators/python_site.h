// The PyTorch that a job uses, found by its files. No interpreter is run: a path in a log may name anything.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validators/host.h"
#include "validators/job.h"
#include "validators/parameters.h"

namespace cutopsy {

struct TorchBuild {
  std::string version;  ///< "2.7.1+cu126"
  std::string cuda;     ///< "12.6"; "" when built without
  std::string hip;      ///< ROCm's version; "" when built without
};

/// A folder of Python packages (site-packages) that holds PyTorch, as Host finds it.
struct PythonSite {
  std::string folder;

  /// What torch/version.py says; no value when it does not say it.
  std::optional<TorchBuild> torch(const Host& host) const;
  /// The libraries in which torch keeps its kernels: torch/lib/libtorch_cuda*.so.
  std::vector<std::string> torch_libraries(const Host& host) const;
  /// NVIDIA's packages and their versions, from the names of *.dist-info: {"nvidia_cudnn_cu12", "9.1.0.70"}.
  std::map<std::string, std::string> nvidia_packages(const Host& host) const;
  /// The names of those packages' libraries, as a program asks for them: "libcudnn.so.9".
  std::vector<std::string> nvidia_libraries(const Host& host) const;
};

/// Whether the parameters say which packages are the job's. Without, those of this environment are found, and the job
/// may have had others.
bool names_site(const Parameters& parameters);

/// Looks where the parameter `site` (a site-packages folder) says, or `python` (the path of an interpreter), or at what
/// the job has loaded, its VIRTUAL_ENV, its CONDA_PREFIX and its interpreter. No value when no torch is there.
std::optional<PythonSite> find_torch_site(const Host& host, const Parameters& parameters, const Job& job);

}  // namespace cutopsy
