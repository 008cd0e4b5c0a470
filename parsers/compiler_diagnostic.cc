// Formats:
//   gcc, clang   a.cu:2:10: fatal error: cutlass/cutlass.h: No such file or directory      (also without a column)
//   nvcc (EDG)   a.cu(3): error: identifier "q" is undefined      a.cu(3): error #20014-D: calling a __host__ ...
//   Visual C++   a.cpp(3): error C2065: 'q': undeclared identifier      a.cpp(3,5): fatal error C1189: #error: ...
//   nvcc         nvcc fatal   : Unsupported gpu architecture 'compute_90'
//   stages       ptxas fatal   : ...      ptxas /tmp/a.ptx, line 26; error   : ...      nvlink error   : ...
//   gcc's and clang's driver   g++: fatal error: Killed signal terminated program cc1plus
#include "parsers/compiler_diagnostic.h"

#include <algorithm>
#include <span>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

// `before` is what stands before the number of the line.
constexpr Phrase kDiagnostics[] = {
    {"fatal error",
     R"re(^(?P<before>.*?)(?::(?P<line>\d+)(?::\d+)?| ?\((?P<line_in_parentheses>\d+)(?:,\d+)?\) ?): ?)re"
     R"re((?P<severity>fatal error)(?: (?P<code>[A-Z]+\d+))?: (?P<message>\S.*))re",
     "compiler"},
    {"catastrophic error",
     R"re(^(?P<before>.*?)\((?P<line>\d+)\): (?P<severity>catastrophic error)(?: #\S+)?: (?P<message>\S.*))re", "nvcc"},
    {": error: ", R"re(^(?P<before>.*?):(?P<line>\d+)(?::\d+)?: (?P<severity>error): (?P<message>\S.*))re", "compiler"},
    {"): error: ", R"re(^(?P<before>.*?)\((?P<line>\d+)\): (?P<severity>error): (?P<message>\S.*))re", "nvcc"},
    {"): error #", R"re(^(?P<before>.*?)\((?P<line>\d+)\): (?P<severity>error) #(?P<code>[\w-]+): (?P<message>\S.*))re",
     "nvcc"},
    {": error C",
     R"re(^(?P<before>.*?) ?\((?P<line>\d+)(?:,\d+)?\) ?: (?P<severity>error) (?P<code>C\d{4}): (?P<message>\S.*))re",
     "msvc"},
    {"fatal   : ",
     R"re(\b(?P<tool>nvcc|ptxas|nvlink|fatbinary|cudafe\+\+|cicc|nvprune|cuobjdump)\b)re"
     R"re((?: (?P<before>[^,;]+), line (?P<line>\d+);)?\s+(?P<severity>fatal)   : (?P<message>\S.*))re",
     "nvcc"},
    {"error   : ",
     R"re(\b(?P<tool>nvcc|ptxas|nvlink|fatbinary|cudafe\+\+|cicc|nvprune|cuobjdump)\b)re"
     R"re((?: (?P<before>[^,;]+), line (?P<line>\d+);)?\s+(?P<severity>error)   : (?P<message>\S.*))re",
     "nvcc"},
    {"error: ",
     R"re((?:^|[\s/])(?P<tool>(?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cc1|cc1plus|collect2)(?:-[\d.]+)?): )re"
     R"re((?P<severity>(?:fatal )?error): (?P<message>\S.*))re",
     "compiler"},
    // "cc1plus: " and "collect2: " look like labels of hosts, and are taken off as such.
    {"fatal error: ",
     R"re(^(?P<severity>fatal error): (?P<message>.*No such file or directory|cannot execute .*|no input files|)re"
     R"re(.*: Cannot allocate memory|Killed signal .*)$)re",
     "compiler"},
    {"error: ld returned ", R"re(^(?P<severity>error): (?P<message>ld returned \d+ exit status)$)re", "compiler"},
};

constexpr std::string_view kTriggers[] = {"fatal error", "error: ld returned ", "catastrophic error", ": error: ",
                                          "): error #",  ": error C",           "fatal   : ",         "error   : "};

// Parts of the names that build systems give to the files of their probes.
constexpr std::string_view kProbes[] = {
    "conftest.",        "_configtest.",        "/CMakeTmp/",        "/CMakeScratch/", "CheckIncludeFile",
    "CheckSymbolExist", "CheckFunctionExists", "CheckTypeSize",     "CheckLibraryEx", "OpenMPTryFlag",
    "OpenMPCheckVer",   "/meson-private/",     "\\meson-private\\", "feature_tests.", "\\CMakeTmp\\",
};

constexpr std::string_view kExtensions[] = {".c",   ".cc",  ".cpp", ".cxx", ".cu",  ".cuh", ".h", ".hh", ".hpp",
                                            ".hxx", ".inl", ".inc", ".ipp", ".tcc", ".ii",  ".i", ".mm", ".hip"};

bool holds_any(std::string_view text, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](auto part) { return text.find(part) != text.npos; });
}

// Where a path with a Windows drive begins in `text`, or npos.
std::size_t drive_in(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    const bool is_letter = (text[i - 1] | 0x20) >= 'a' && (text[i - 1] | 0x20) <= 'z';
    if (is_letter && text[i] == ':' && (text[i + 1] == '\\' || text[i + 1] == '/')) return i - 1;
  }
  return text.npos;
}

// The file of C or C++ code whose name ends `before`, or "". Windows paths may hold blanks; headers of the standard
// library have no extension.
std::string_view source_file(std::string_view before) {
  const std::size_t drive = drive_in(before);
  const std::size_t start = drive != before.npos ? drive : before.find_last_of(" \t\"'(<>|") + 1;
  const std::string_view file = before.substr(start);
  const bool is_code = std::ranges::any_of(kExtensions, [&](auto extension) { return file.ends_with(extension); });
  return is_code || file.find("/include/") != file.npos ? file : std::string_view{};
}

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook diagnostics(kDiagnostics);
  Fields found;
  const Phrase* diagnostic = diagnostics.find(line.text, found);
  if (!diagnostic) return;
  const bool names_tool = found.has("tool");
  const std::string_view file = names_tool ? found.get("before") : source_file(found.get("before"));
  const bool names_place = found.has("line") || found.has("line_in_parentheses");
  if ((names_place && !names_tool && file.empty()) || holds_any(file, kProbes)) return;

  Event event = line_event(line, "build.diagnostic", diagnostic->emitter);
  event.fields.set("file", file);
  for (std::string_view name : {"tool", "severity", "line", "code", "message"}) event.fields.set(name, found.get(name));
  event.fields.set_if_absent("line", found.get("line_in_parentheses"));
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kCompilerDiagnosticParser{"compiler diagnostic", kTriggers, parse};

}  // namespace cutopsy
