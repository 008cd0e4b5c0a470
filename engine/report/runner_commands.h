// Runners of continuous integration read what a job prints and obey some forms of lines: "::set-output name=x::y" at
// the beginning of a line and "##[error]" anywhere (GitHub), "##vso[task.setvariable ...]" (Azure Pipelines),
// "##teamcity[...]" (TeamCity). Log text in a report must not speak to them.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
// https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

/// How a form of report writes the first character of a command, so that it is none any more.
struct BrokenMark {
  std::string_view hash, colon;
};

inline constexpr BrokenMark kInText = {"# ", ": "};
inline constexpr BrokenMark kInJson = {"\\u0023", ":"};   ///< means the same; a line of JSON begins with no colon
inline constexpr BrokenMark kInXml = {"&#35;", "&#58;"};  ///< means the same

/// The text, each command in it broken.
std::string without_commands(std::string_view text, const BrokenMark& mark);

}  // namespace cutopsy
