#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/driver_library.h"
#include "validators/job.h"
#include "validators/library_search.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"pid", "process id of the job, whose container may hold other files; without it, this machine's files"}};

constexpr std::array<std::string_view, 3> kLibraries = {"libcuda.so.1", "libnvidia-ml.so.1",
                                                        "libnvidia-ptxjitcompiler.so.1"};

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  if (job.is_named() && job.folder().empty()) return job.unknown_environment();
  const LibrarySearch search(inquiry.host, job);
  std::vector<Measurement> versions;
  for (const std::string_view soname : kLibraries) {
    const auto library = search.find_installed(soname);
    if (!library || library->version().empty() || is_compat_driver(*library)) continue;
    versions.push_back({std::string(soname), library->version()});
  }
  if (versions.size() < 2) {
    return Answer::not_applicable("fewer than two libraries of a driver are installed that tell their version");
  }
  Answer answer = Answer::no("all libraries of the driver are of version " + versions.front().value);
  for (const Measurement& version : versions) {
    if (version.value == versions.front().value) continue;
    answer =
        Answer::yes(versions.front().name + " is of version " + versions.front().value + " and " + version.name +
                        " of " + version.value,
                    "Remove one driver's files and run ldconfig; in a container, take the driver out of the image.");
    break;
  }
  answer.measurements = std::move(versions);
  return answer;
}

}  // namespace

extern const Check kDriverFiles = {
    .name = "driver-files",
    .question = "Are the installed libraries of the driver of two versions?",
    .decision =
        "yes when the versions in the file names of libcuda, libnvidia-ml and the PTX compiler that the loader takes "
        "differ; libraries of a cuda-compat package do not count",
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
