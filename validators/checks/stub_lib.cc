#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/driver_library.h"
#include "validators/job.h"
#include "validators/library_search.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"ld_library_path", "the job's LD_LIBRARY_PATH, if the log tells it"},
};

constexpr const char* kAdvice =
    "Take the folder out of LD_LIBRARY_PATH; stubs are for the linker (-L, LIBRARY_PATH) alone. In an image, delete "
    "the "
    "link libcuda.so.1 to the stub.";

Answer ask_loaded(const Host& host, const Job& job, const FoundLibrary& library) {
  if (is_stub_driver(library, host.at(job.root() + library.file))) {
    return Answer::yes(job.name() + " has loaded the stub " + library.path, kAdvice).with("library", library.path);
  }
  return Answer::no(job.name() + " has loaded " + library.path + ", which is no stub").with("library", library.path);
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  if (const auto files = job.is_named() ? job.mapped_files(inquiry.host) : std::nullopt) {
    for (const MappedFile& file : *files) {
      if (file.path.find("/libcuda.so") == std::string::npos) continue;
      return ask_loaded(inquiry.host, job, {file.path, file.path, false});
    }
  }
  if (!job.knows("LD_LIBRARY_PATH")) return job.unknown_environment();
  const LibrarySearch search(inquiry.host, job);
  std::string seen;
  // Programs are linked to the first name; some packages open the second.
  for (const std::string_view soname : {"libcuda.so.1", "libcuda.so"}) {
    const auto library = search.find(soname);
    if (!library) continue;
    if (is_stub_driver(*library, search.at(*library))) {
      return Answer::yes("the first " + std::string(soname) + " that " + job.name() + " finds is the toolkit's stub " +
                             library->path,
                         kAdvice)
          .with("library", library->path);
    }
    if (seen.empty()) seen = library->path;
  }
  if (seen.empty()) return Answer::no("no libcuda at all is found, so no stub either");
  return Answer::no("the libcuda that " + job.name() + " finds is " + seen + ", which is no stub")
      .with("library", seen);
}

}  // namespace

extern const Check kStubLib = {
    .name = "stub-lib",
    .question = "Does the job find the toolkit's stub in place of the driver's libcuda?",
    .decision =
        "yes when the first libcuda.so.1 or libcuda.so on its library path, or the one that it has loaded, "
        "returns 34 from cuInit by its code or lies in a folder named stubs",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
