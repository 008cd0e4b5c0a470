#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/job.h"
#include "validators/library_search.h"

namespace cutopsy {

namespace {

constexpr std::string_view kCompiler = "libnvidia-ptxjitcompiler.so.1";

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"ld_library_path", "the job's LD_LIBRARY_PATH, if the log tells it"},
};

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  if (!job.knows("LD_LIBRARY_PATH")) return job.unknown_environment();
  const LibrarySearch search(inquiry.host, job);
  const auto driver = search.find("libcuda.so.1");
  if (!driver) return Answer::not_applicable("no libcuda.so.1 is found, so there is nothing that would compile PTX");
  const std::string folder = driver->path.substr(0, driver->path.rfind('/'));
  auto compiler = search.find_in(folder, kCompiler);
  if (!compiler) compiler = search.find(kCompiler);
  if (compiler) return Answer::no("the compiler for PTX is " + compiler->file).with("library", compiler->file);
  if (driver->version().empty()) {
    return Answer::undecided(driver->file +
                             " has no compiler for PTX beside it, nor a version in its name as a driver's "
                             "library has");
  }
  return Answer::yes(driver->file + " is installed and its compiler for PTX, " + std::string(kCompiler) + ", is not",
                     "Install the whole driver; in a container, ask for the capability compute "
                     "(NVIDIA_DRIVER_CAPABILITIES=compute,utility).");
}

}  // namespace

extern const Check kJitLibrary = {
    .name = "jit-library",
    .question = "Is the driver's compiler for PTX missing?",
    .decision = "yes when libnvidia-ptxjitcompiler.so.1 is neither beside the driver's libcuda nor on the library path",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
