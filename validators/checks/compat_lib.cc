#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/driver_library.h"
#include "validators/job.h"
#include "validators/library_search.h"
#include "validators/nvidia_module.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"ld_library_path", "the job's LD_LIBRARY_PATH, if the log tells it"},
};

// The first word of a data-centre GPU's name, "NVIDIA" left out.
constexpr std::array<std::string_view, 26> kDataCentre = {
    "Tesla", "A100", "A800", "A30",  "A40", "A10", "A10G", "A16",  "A2",   "H100",  "H200",  "H800", "H20",
    "GH200", "L4",   "L40",  "L40S", "L20", "L2",  "B100", "B200", "B300", "GB200", "GB300", "T4",   "V100"};

// The GPUs' names as the driver lists them in /proc.
std::vector<std::string> gpu_names(const Host& host) {
  constexpr std::string_view kKey = "Model:";
  std::vector<std::string> names;
  for (const std::string& address : host.list("/proc/driver/nvidia/gpus")) {
    const std::string text = host.read("/proc/driver/nvidia/gpus/" + address + "/information").value_or("");
    const std::size_t key = text.find(kKey);
    const std::size_t from = key == std::string::npos ? key : text.find_first_not_of(" \t", key + kKey.size());
    if (from == std::string::npos) continue;
    names.push_back(text.substr(from, text.find('\n', from) - from));
  }
  return names;
}

bool is_data_centre(std::string_view name) {
  if (name.starts_with("NVIDIA ")) name.remove_prefix(7);
  const std::string_view word = name.substr(0, name.find_first_of(" -"));
  return std::find(kDataCentre.begin(), kDataCentre.end(), word) != kDataCentre.end();
}

bool is_for_games(std::string_view name) {
  return name.find("GeForce") != std::string_view::npos || name.find("TITAN") != std::string_view::npos;
}

Answer judge(const Host& host, const FoundLibrary& library) {
  const std::string driver = nvidia_module(host).value_or(NvidiaModule{}).version;
  const std::string seen = library.file + " of the cuda-compat package stands in for the driver's libcuda";
  if (!driver.empty() && !library.version().empty() && compare_versions(library.version(), driver) < 0) {
    return Answer::yes(seen + ", and it is older than the kernel module " + driver,
                       "Take the compat folder out of the library path: this driver needs no such package.");
  }
  const std::vector<std::string> names = gpu_names(host);
  const auto game = std::find_if(names.begin(), names.end(), is_for_games);
  if (game != names.end()) {
    return Answer::yes(seen + ", which " + *game + " does not support",
                       "Take the compat folder out of the library path and update the driver itself.");
  }
  if (names.empty() || driver.empty())
    return Answer::undecided(seen + "; the GPU and its kernel module cannot be seen");
  if (std::all_of(names.begin(), names.end(), is_data_centre)) {
    return Answer::no(seen + ", and " + names.front() + " supports that");
  }
  return Answer::undecided(seen + "; only some GPUs like " + names.front() + " support that");
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  if (!job.knows("LD_LIBRARY_PATH")) return job.unknown_environment();
  const auto library = LibrarySearch(inquiry.host, job).find("libcuda.so.1");
  if (!library) return Answer::not_applicable("no libcuda.so.1 is found");
  Answer answer = is_compat_driver(*library)
                      ? judge(inquiry.host, *library)
                      : Answer::no("libcuda.so.1 is " + library->path + ", not that of a cuda-compat package");
  return std::move(answer)
      .with("library", library->file)
      .with("kernel_module", nvidia_module(inquiry.host).value_or(NvidiaModule{}).version);
}

}  // namespace

extern const Check kCompatLib = {
    .name = "compat-lib",
    .question = "Does the job use a cuda-compat library that does not work with this GPU or driver?",
    .decision =
        "yes when the first libcuda.so.1 is below a folder compat and older than the kernel module, or a GeForce "
        "or TITAN is present; no for data-centre GPUs; unknown for other GPUs: "
        "https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
