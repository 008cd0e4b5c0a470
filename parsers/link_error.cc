// Formats:
//   GNU ld, gold   a.o: undefined reference to `cudaMalloc'      /usr/bin/ld: cannot find -lcudart: No such file ...
//   lld            ld.lld: error: undefined symbol: cudaMalloc      ld.lld: error: unable to find library -lcudart
//   Apple ld       ld: library not found for -lcudart      ld: library 'cudart' not found
//   Visual C++     a.obj : error LNK2019: unresolved external symbol cudaMalloc referenced in function main
//                  LINK : fatal error LNK1181: cannot open input file 'cudart.lib'      (numbers are the same in every
//                  language)
#include "parsers/link_error.h"

#include <algorithm>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kErrors[] = {
    {"undefined reference to ",
     "undefined reference to (?:symbol )?(?:`|'|\xe2\x80\x98)?(?P<symbol>[^'\xe2]*[^'\xe2\\s])(?:'|\xe2\x80\x99|$)",
     "ld"},
    {"cannot find -l", R"(cannot find -l(?P<library>[\w+.-]*\w))", "ld"},
    {"error: undefined symbol:", R"(error: undefined symbol: (?P<symbol>\S.*))", "lld"},
    {"unable to find library ", R"(unable to find library -l(?P<library>[\w+.-]*\w))", "lld"},
    {"library not found for -l", R"(library not found for -l(?P<library>[\w+.-]*\w))", "ld"},
    {"error LNK1", R"(fatal error (?P<code>LNK1(?:181|104)):[^']*'(?:[^']*[\\/])?(?P<library>[^'\\/]+)\.lib')", "msvc"},
    {"error LNK2",
     R"re(error (?P<code>LNK20(?:19|01)): (?:unresolved external symbol )?"?(?P<symbol>.*?\w)"?)re"
     R"re((?: \([^)]*\))?(?: referenced in function .*)?$)re",
     "msvc"},
};

constexpr auto kTriggers = triggers_of(kErrors);

// Objects of the probes that CMake and autoconf link in every healthy configuration.
constexpr std::string_view kProbes[] = {"CheckFunctionExists.c", "CheckSymbolExists.c", "CheckLibraryExists.c",
                                        "CMakeFiles/cmTC_",      "conftest.",           "src.cxx:(.text",
                                        "src.c:(.text",          "src.cu:(.text"};

bool is_probe(std::string_view text) {
  return std::ranges::any_of(kProbes, [&](auto probe) { return text.find(probe) != text.npos; });
}

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook errors(kErrors);
  Event event = line_event(line, "build.link_error", "");
  const Phrase* error = errors.find(line.text, event.fields);
  if (!error || is_probe(line.text)) return;
  event.emitter = error->emitter;
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kLinkErrorParser{"link error", kTriggers, parse};

}  // namespace cutopsy
