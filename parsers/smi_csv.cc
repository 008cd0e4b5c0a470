// Format (nvidia-smi --help-query-gpu); the unit in brackets stands in the header or, with nounits, only there:
//   index, name, driver_version, memory.total [MiB], compute_cap
//   0, NVIDIA A100-SXM4-80GB, 535.104.05, 81920 MiB, 8.0
#include "parsers/smi_csv.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "parsers/job_facts.h"

namespace cutopsy {
namespace {

constexpr auto npos = std::string_view::npos;

// Columns by the beginning of their heading.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kColumns{{
    {"index", "gpu"},
    {"name", "gpu_name"},
    {"gpu_name", "gpu_name"},
    {"uuid", "gpu_uuid"},
    {"gpu_uuid", "gpu_uuid"},
    {"pci.bus_id", "smi_gpu_pci"},
    {"gpu_bus_id", "smi_gpu_pci"},
    {"count", "gpu_count"},
    {"driver_version", "driver_version"},
    {"memory.total", "gpu_memory"},
    {"compute_cap", "compute_capability"},
    {"mig.mode.current", "mig_mode"},
    {"ecc.mode.current", "ecc_mode"},
    {"persistence_mode", "persistence_mode"},
}};

constexpr std::string_view kTriggers[] = {"driver_version", "memory.total",     "gpu_name",         "gpu_uuid",
                                          "compute_cap",    "mig.mode.current", "ecc.mode.current", "index, name"};

constexpr std::size_t kMaxColumns = 32;
constexpr std::size_t kMaxRows = 64;

// The cells of a row; empty when there are fewer than two or too many.
std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> cells;
  while (cells.size() <= kMaxColumns) {
    const std::size_t comma = row.find(", ");
    cells.push_back(row.substr(0, comma));
    if (comma == npos) break;
    row.remove_prefix(comma + 2);
  }
  return cells.size() < 2 || cells.size() > kMaxColumns ? std::vector<std::string_view>() : cells;
}

bool is_heading(std::string_view cell) {
  const std::size_t unit = cell.find(" [");
  const std::string_view name = cell.substr(0, unit);
  return !name.empty() && (unit == npos || cell.ends_with(']')) && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

std::string_view fact_of(std::string_view heading) {
  const std::string_view name = heading.substr(0, heading.find(" ["));
  for (const auto& [column, fact] : kColumns) {
    if (name == column) return fact;
  }
  return "";
}

struct Column {
  std::string_view fact;  // or ""
  std::string unit;       // of cells that print none
};

class SmiCsv : public Record {
 public:
  explicit SmiCsv(std::vector<Column> columns) : columns_(std::move(columns)) {}

  Step feed(const Line& line) override {
    const std::vector<std::string_view> cells = cells_of(line.text);
    if (cells.size() != columns_.size() || rows_.size() >= kMaxRows) return Step::refused;
    Row row{line.envelope, line.where, {}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool unknown = columns_[i].fact.empty() || cells[i].starts_with('[') || cells[i].starts_with("N/A");
      if (unknown) continue;
      std::string value(cells[i]);
      if (!columns_[i].unit.empty() && value.find(' ') == npos) value += " " + columns_[i].unit;
      row.facts.set(columns_[i].fact, value);
    }
    rows_.push_back(std::move(row));
    return Step::taken;
  }

  void finish(EventSink& sink) override {
    for (Row& row : rows_) report_facts(std::move(row.facts), row.envelope, row.where, sink);
  }

 private:
  struct Row {
    Envelope envelope;
    Place where;
    Fields facts;
  };
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

std::unique_ptr<Record> open(const Line& opener) {
  const std::vector<std::string_view> headings = cells_of(opener.text);
  if (headings.empty() || !std::ranges::all_of(headings, is_heading)) return nullptr;
  const bool triggered =
      std::ranges::any_of(kTriggers, [&](auto trigger) { return opener.text.find(trigger) != npos; });
  std::vector<Column> columns;
  for (const std::string_view heading : headings) {
    Column column{fact_of(heading), ""};
    if (const std::size_t unit = heading.find(" ["); unit != npos)
      column.unit = heading.substr(unit + 2, heading.size() - unit - 3);
    columns.push_back(std::move(column));
  }
  const bool known = std::ranges::any_of(columns, [](const Column& column) { return !column.fact.empty(); });
  if (!triggered || !known) return nullptr;
  return std::make_unique<SmiCsv>(std::move(columns));
}

}  // namespace

constinit const RecordParser kSmiCsvParser{"smi_csv", kTriggers, open};

}  // namespace cutopsy
