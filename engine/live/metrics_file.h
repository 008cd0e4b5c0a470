// Counts of findings for Prometheus, in a file that its node exporter collects.
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
// https://github.com/prometheus/node_exporter#textfile-collector
#pragma once

#include <map>
#include <string>

#include "engine/live/alert_feed.h"

namespace cutopsy {

std::string metrics_text(const std::map<std::string, AlertFeed::Count>& counts);

/// Replaces the file as a whole: a reader sees the old text or the new one. Throws SourceError when it cannot.
void write_metrics(const std::string& path, const std::string& text);

}  // namespace cutopsy
