// What compilers and the stages of nvcc print of code that they cannot build: `build.diagnostic` events.
//
// Probes of build systems (CMake's try_compile, autoconf's conftest, Meson's test files) fail in every healthy
// configuration; what a compiler says of their files is no event.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kCompilerDiagnosticParser;

}  // namespace cutopsy
