// Formats (https://docs.nvidia.com/cuda/profiler-users-guide/, https://docs.nvidia.com/nsight-systems/UserGuide/):
//   ==4242== Profiling result:                                             nvprof, summary mode
//               Type  Time(%)      Time     Calls       Avg       Min       Max  Name
//    GPU activities:   83.00%  1.2345s       100  12.345ms  12.300ms  12.400ms  [CUDA memcpy HtoD]
//         API calls:   65.00%  1.5000s       100  15.000ms  12.300ms  15.400ms  cudaMemcpy
//   ==4242== Profiling result:                                             nvprof, GPU trace mode
//      Start  Duration            Grid Size      Block Size  ...  SrcMemType  DstMemType  ...  Name
//   366.70ms  953.00us                    -               -  ...    Pageable      Device  ...  [CUDA memcpy HtoD]
//    ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):                       nsys stats, one title a table
//    Time (%)  Total Time (ns)  Instances  Avg (ns)  ...  Name
//   SKIPPED: report1.sqlite does not contain CUDA kernel data.
// Columns stand two blanks apart, and names are last.
#include "parsers/nvprof.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parsers/line_event.h"
#include "parsers/profile_totals.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTriggers[] = {
    "Profiling result:",
    "cuda_gpu_kern_sum",
    "gpukernsum",
    "CUDA Kernel Statistics",
    "CUDA GPU Kernel Summary",
    "cuda_gpu_mem_time_sum",
    "gpumemtimesum",
    "Memory Operation Statist",
    "cuda_gpu_sum",
    "cuda_gpu_trace",
    "gputrace",
    "cuda_api_sum",
    "cudaapisum",
    "CUDA API Statistics",
    "kernels were profiled",
    "contain CUDA kernel data",
    "contain CUDA trace data",
    "MemOps Summary (by Time)",
};

enum class Table {
  gpu,      // kernels and memory operations, a row per name
  trace,    // kernels and memory operations, a row per run
  ignored,  // calls of the host, sizes, ...
};

// What nsys calls its reports: file name since 2022, before that, and the printed titles.
constexpr std::array<std::pair<std::string_view, Table>, 11> kTitles{{
    {"cuda_gpu_kern_sum", Table::gpu},
    {"gpukernsum", Table::gpu},
    {"CUDA Kernel Statistics", Table::gpu},
    {"CUDA GPU Kernel Summary", Table::gpu},
    {"cuda_gpu_mem_time_sum", Table::gpu},
    {"gpumemtimesum", Table::gpu},
    {"Memory Operation Statistics (by time)", Table::gpu},
    {"MemOps Summary (by Time)", Table::gpu},
    {"cuda_gpu_sum", Table::gpu},
    {"cuda_gpu_trace", Table::trace},
    {"gputrace", Table::trace},
}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

bool says_no_kernels(std::string_view text) {
  return contains(text, "No kernels were profiled") || contains(text, "does not contain CUDA kernel data") ||
         contains(text, "does not contain CUDA trace data");
}

bool is_title(std::string_view text) {
  return text.starts_with("** ") || text.starts_with("Processing [") || text.starts_with("Generating ") ||
         contains(text, "] Executing '") || contains(text, "Statistics:") || contains(text, "Statistics (");
}

Table table_of(std::string_view title) {
  for (const auto& [name, table] : kTitles)
    if (contains(title, name)) return table;
  return Table::ignored;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view text) {
  std::vector<std::string_view> cells;
  for (std::string_view rest = trimmed(text); !rest.empty();) {
    const std::size_t end = std::min(rest.find("  "), rest.size());
    cells.push_back(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
  }
  return cells;
}

// Reads the number that `cell` begins with, digits possibly grouped by ','; `unit` is what follows it.
bool read_number(std::string_view cell, double& value, std::string_view& unit) {
  const std::size_t end = std::min(cell.find_first_not_of("0123456789.,"), cell.size());
  std::string digits(cell.substr(0, end));
  std::erase(digits, ',');
  unit = cell.substr(end);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && stop == digits.data() + digits.size();
}

double microseconds(double value, std::string_view unit) {
  if (unit == "s") return value * 1e6;
  if (unit == "ms") return value * 1e3;
  if (unit == "us") return value;
  return value / 1e3;
}

// Counts come from text: more than any profile holds is a broken line.
constexpr double kMaxCount = 1e15;

class Profile : public Record {
 public:
  Profile(const Line& opener, std::string_view tool) : event_(line_event(opener, "nvprof.summary", tool)) {
    event_.fields.set("tool", tool);
    read(trimmed(opener.text));
  }

  Step feed(const Line& line) override { return read(trimmed(line.text)) ? Step::taken : Step::refused; }

  void finish(EventSink& sink) override {
    if (totals_.empty()) return;
    totals_.write(event_.fields);
    sink.on_event(std::move(event_));
  }

 private:
  bool read(std::string_view text) {
    if (text.empty() || text.starts_with("--")) return true;
    if (says_no_kernels(text)) {
      totals_.add_no_kernels();
      return true;
    }
    if (text.starts_with("SKIPPED: ")) return true;
    if (text.ends_with("Profiling result:")) return ++results_ == 1;
    if (text.starts_with("==") && text.ends_with("API calls:")) return set_table(Table::ignored);
    if (is_title(text)) return set_table(table_of(text));

    std::vector<std::string_view> cells = cells_of(text);
    if (cells.size() < 4) return false;
    if (cells.back() == "Name" || cells.back() == "Operation" || cells.back() == "Range") return read_header(cells);
    if (cells[0] == "GPU activities:" || cells[0] == "API calls:") {
      set_table(cells[0] == "API calls:" ? Table::ignored : Table::gpu);
      cells.erase(cells.begin());
    }
    return table_ == Table::trace ? read_run(cells) : read_row(cells);
  }

  bool set_table(Table table) {
    table_ = table;
    return true;
  }

  bool read_header(const std::vector<std::string_view>& cells) {
    constexpr std::string_view kTotal = "Total Time (";
    unit_ = "ns";
    for (std::string_view cell : cells)
      if (cell.starts_with(kTotal)) unit_ = cell.substr(kTotal.size(), cell.find(')') - kTotal.size());
    if (cells[0].starts_with("Start") && cells[1].starts_with("Duration")) table_ = Table::trace;
    return true;
  }

  // Share, total time, count, ..., name.
  bool read_row(const std::vector<std::string_view>& cells) {
    double share = 0, time = 0, count = 0;
    std::string_view unit, no_unit;
    if (cells.size() < 4 || !read_number(cells[0], share, unit) || !read_number(cells[1], time, unit)) return false;
    if (!read_number(cells[2], count, no_unit) || table_ == Table::ignored) return true;
    if (count > 0 && count < kMaxCount)
      add(cells.back(), static_cast<std::uint64_t>(count), microseconds(time, unit.empty() ? unit_ : unit));
    return true;
  }

  // Start, duration, ..., memory kinds of a copy, ..., name.
  bool read_run(const std::vector<std::string_view>& cells) {
    double start = 0, time = 0;
    std::string_view unit;
    if (!read_number(cells[0], start, unit) || !read_number(cells[1], time, unit)) return false;
    if (!add(cells.back(), 1, microseconds(time, unit.empty() ? unit_ : unit))) return true;
    constexpr std::array<std::string_view, 5> kKinds{"Pageable", "Pinned", "Device", "Managed", "Array"};
    auto is_kind = [&](std::string_view cell) { return std::ranges::find(kKinds, cell) != kKinds.end(); };
    const auto source = std::ranges::find_if(cells, is_kind);
    if (source == cells.end() || source + 1 == cells.end()) return true;
    totals_.add_memory_kinds(*source, *(source + 1));
    return true;
  }

  // Adds work of that name; true when it is a copy between host and device.
  bool add(std::string_view name, std::uint64_t count, double total_us) {
    constexpr std::array<std::string_view, 4> kDirections{"HtoD", "DtoH", "Host-to-Device", "Device-to-Host"};
    if (!name.starts_with("[CUDA ")) {
      totals_.add_kernel(name, count, total_us);
      return false;
    }
    const bool copy = std::ranges::any_of(kDirections, [&](auto direction) { return contains(name, direction); });
    if (copy) {
      totals_.add_copy(count, total_us);
    } else {
      totals_.add_other(total_us);
    }
    return copy;
  }

  Event event_;
  ProfileTotals totals_;
  Table table_ = Table::gpu;
  std::string unit_ = "ns";
  int results_ = 0;
};

std::unique_ptr<Record> open(const Line& opener) {
  const std::string_view text = trimmed(opener.text);
  const bool title = is_title(text) && table_of(text) != Table::ignored;
  const bool host_title = is_title(text) && (contains(text, "cuda_api_sum") || contains(text, "cudaapisum") ||
                                             contains(text, "CUDA API Statistics"));
  if (text.ends_with("Profiling result:")) return std::make_unique<Profile>(opener, "nvprof");
  if (contains(text, "No kernels were profiled"))
    return std::make_unique<Profile>(opener, contains(text, "==WARNING==") ? "ncu" : "nvprof");
  if (title || host_title || says_no_kernels(text)) return std::make_unique<Profile>(opener, "nsys");
  return nullptr;
}

}  // namespace

constinit const RecordParser kNvprofParser{"nvprof", kTriggers, open};

}  // namespace cutopsy
