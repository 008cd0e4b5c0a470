// The report as JUnit XML, which CI systems show as tests: each case is one, and fails with its incidents.
// https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
#pragma once

#include <string>

#include "engine/report/json.h"

namespace cutopsy {

/// Warnings, and what a baseline knows, stand in the output of a test that passes. A merged document has a test for
/// each fingerprint.
std::string junit_report(const Json& document);

}  // namespace cutopsy
