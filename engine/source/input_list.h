// Finds the inputs that a command line names: files, folders with all logs below them, patterns.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace cutopsy {

/// One input to read.
struct InputName {
  std::string path;        ///< "-" for standard input
  std::size_t folder = 0;  ///< 0: named on the command line; else the number of the folder argument it was found in
};

/// What was found, in the order of the arguments; below a folder in the order of the paths.
struct InputList {
  std::vector<InputName> inputs;
  std::map<std::string, std::size_t> skipped;  ///< files below folders that are no logs: how many, by reason
  std::vector<std::string> errors;             ///< arguments that lead nowhere; each says what to do
};

/// Resolves each argument: "-", a file, a folder (read recursively), or a pattern in the shell's language ('*', '?',
/// '[a-z]', and '**' for any folders) if no file has that name. Files that a pattern finds count as named.
///
/// Below folders these are skipped: hidden files and folders, those of package managers and interpreters
/// ("node_modules", "__pycache__", "site-packages"), source code and documents by their name's end, what is no regular
/// file, what looks binary, and the steps of jobs whose whole log is there (see log_names.h). Links to folders are not
/// followed. Named files are never skipped.
/// `jobs`: threads that look into the files found below folders.
InputList list_inputs(const std::vector<std::string>& arguments, unsigned jobs = 1);

/// True for programs and other kinds of files that cannot be read, for archives by whose names nobody would look for
/// logs in them, and when the file's first and last bytes are those of no text (in UTF-16 neither). False for empty,
/// unreadable and compressed files.
bool looks_binary(const std::string& path);

}  // namespace cutopsy
