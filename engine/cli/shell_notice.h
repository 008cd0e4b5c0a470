// What a shell prints when a signal ends a program.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace cutopsy {

/// A line as of bash: "run: line 1:  4711 Segmentation fault      (core dumped) python train.py". The rules read it.
std::string shell_notice(int signal, pid_t pid, bool core_dumped, std::string_view command);

}  // namespace cutopsy
