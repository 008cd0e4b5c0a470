// Which files below a folder or in an archive are logs, by their names and first bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

/// Why a folder or a file is passed over for its own name, or "": hidden ones, the folders of package managers and
/// interpreters.
std::string_view reason_to_skip_folder(std::string_view name);
std::string_view reason_to_skip_file(std::string_view name);

/// The same for the path of a file, with '/' between its parts.
std::string_view reason_to_skip_path(std::string_view path);

/// True for archives of logs by their names: many files of other kinds are zip or tar archives too.
bool is_named_as_archive(std::string_view name);

/// Logs may hold a NUL or an odd byte, and may be in UTF-16; a file of another kind has many.
bool looks_like_text(std::string_view bytes);

/// For each of `paths` whether it is the log of a step whose job's log is there too. GitHub Actions packs both: a job's
/// "2_build.txt" holds what "build/1_Set up job.txt" and its like say.
std::vector<bool> steps_of_jobs(const std::vector<std::string>& paths);
/// Why such a log is passed over.
inline constexpr std::string_view kStepOfJob = "repeated in the log of their job";

}  // namespace cutopsy
