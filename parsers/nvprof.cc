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
//    ** CUDA Async Memcpy with Pageable Memory (cuda_memcpy_async):          nsys analyze: advice, then a table
//    Duration (ns)  Start (ns)  Src Kind  Dst Kind  Bytes (MB)  PID  ...  API Name
// Names are last. With --csv, or --format csv, tsv or table, the same tables come with separators; nvprof then gives
// the units of the columns in a row of their own.
#include "parsers/nvprof.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parsers/line_event.h"
#include "parsers/profile_table.h"
#include "parsers/profile_totals.h"
#include "parsers/trim.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTriggers[] = {
    "Profiling result:",
    "cuda_gpu_kern_sum",
    "cuda_gpu_kern_gb_sum",
    "gpukernsum",
    "CUDA Kernel Statistics",
    "CUDA GPU Kernel Summary",
    "cuda_gpu_mem_time_sum",
    "gpumemtimesum",
    "Memory Operation Statist",
    "cuda_gpu_sum",
    "GPU Summary (Kernels",
    "cuda_gpu_trace",
    "gputrace",
    "cuda_api_sum",
    "cudaapisum",
    "CUDA API Statistics",
    "kernels were profiled",
    "contain CUDA kernel data",
    "contain CUDA trace data",
    "contain GPU trace data",
    "GPU kernel/memory opera",
    "launch GPU operations?",
    "use CUDA runtime APIs?",
    "MemOps Summary (by Time)",
    "cuda_memcpy_async",
    "cuda-async-memcpy",
    "cuda_memcpy_sync",
    "cuda-sync-memcpy",
    "Total Time (ns),",
    "Start (ns),Duration (ns)",
};

// What nsys calls its reports and rules: file name since 2022, before that, and the printed titles.
constexpr std::array<std::pair<std::string_view, Counts>, 18> kTitles{{
    {"cuda_gpu_kern_sum", Counts::totals},
    {"cuda_gpu_kern_gb_sum", Counts::totals},
    {"gpukernsum", Counts::totals},
    {"CUDA Kernel Statistics", Counts::totals},
    {"CUDA GPU Kernel Summary", Counts::totals},
    {"cuda_gpu_mem_time_sum", Counts::totals},
    {"gpumemtimesum", Counts::totals},
    {"Memory Operation Statistics (by time)", Counts::totals},
    {"MemOps Summary (by Time)", Counts::totals},
    {"cuda_gpu_sum", Counts::totals},
    {"(gpusum)", Counts::totals},
    {"GPU Summary (Kernels", Counts::totals},
    {"cuda_gpu_trace", Counts::runs},
    {"gputrace", Counts::runs},
    {"cuda_memcpy_async", Counts::slow_copies},
    {"cuda-async-memcpy", Counts::slow_copies},
    {"cuda_memcpy_sync", Counts::slow_copies},
    {"cuda-sync-memcpy", Counts::slow_copies},
}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

bool says_no_kernels(std::string_view text) {
  constexpr std::array<std::string_view, 7> kSentences{
      "No kernels were profiled",
      "does not contain CUDA kernel data",
      "does not contain CUDA trace data",
      "does not contain GPU trace data",
      "does not contain GPU kernel/memory operations data",
      "Does the application launch GPU operations?",
      "Does the application use CUDA runtime APIs?",
  };
  return std::ranges::any_of(kSentences, [&](auto sentence) { return contains(text, sentence); });
}

bool is_title(std::string_view text) {
  return text.starts_with("** ") || text.starts_with("Processing [") || text.starts_with("Generating ") ||
         contains(text, "] Executing '") || contains(text, "Statistics:") || contains(text, "Statistics (");
}

Counts counts_under(std::string_view title) {
  for (const auto& [name, counts] : kTitles)
    if (contains(title, name)) return counts;
  return Counts::host_calls;
}

bool is_unit(std::string_view cell) {
  return cell == "s" || cell == "ms" || cell == "us" || cell == "ns";
}

// Counts come from text: more than any profile holds is a broken line.
constexpr double kMaxCount = 1e15;

class Profile : public Record {
 public:
  Profile(const Line& opener, std::string_view tool)
      : nvprof_(tool == "nvprof"), event_(line_event(opener, "nvprof.summary", tool)) {
    event_.fields.set("tool", tool);
    if (nvprof_) columns_.counts = Counts::totals;  // an excerpt may lack the header
    read(trim(opener.text, " "));
  }

  Step feed(const Line& line) override {
    const double before_us = largest_us_;
    const bool taken = read(trim(line.text, " "));
    if (largest_us_ > before_us) {  // the row that tells most is the evidence
      event_.where = line.where;
      event_.text = trim(line.text, " ");
    }
    return taken ? Step::taken : Step::refused;
  }

  void finish(EventSink& sink) override {
    if (totals_.empty()) return;
    totals_.write(event_.fields);
    sink.on_event(std::move(event_));
  }

 private:
  static constexpr int kMaxAdviceLines = 16;

  bool read(std::string_view text) {
    if (text.empty() || text.starts_with("--") || text.starts_with("+--")) return true;
    if (says_no_kernels(text)) {
      totals_.add_no_kernels();
      return true;
    }
    if (text.starts_with("SKIPPED: ") || (nvprof_ && text.starts_with("Device \""))) return true;
    if (text.ends_with("Profiling result:")) return ++results_ == 1;
    if (text.starts_with("==") && text.ends_with("API calls:")) return set_table(Counts::host_calls);
    if (is_title(text)) return set_table(counts_under(text));
    if (read_header(text)) return true;
    return columns_.counts == Counts::nothing_known ? read_advice() : read_cells(cells_of(text, layout_));
  }

  // A table begins: `counts` is what its title says, if that names one.
  bool set_table(Counts counts) {
    title_ = counts;
    columns_ = Columns();
    layout_ = Layout::aligned;
    advice_lines_ = 0;
    if (counts != Counts::slow_copies) columns_.counts = counts;
    return true;
  }

  bool read_header(std::string_view text) {
    const Layout layout = layout_of(text);
    Columns columns = columns_of(cells_of(text, layout));
    if (columns.counts == Counts::nothing_known) return false;
    // Tables of one shape count different things: ranges, calls of OpenMP, kernels.
    if (title_ == Counts::host_calls) columns.counts = title_;
    columns_ = std::move(columns);
    layout_ = layout;
    return true;
  }

  // Advice stands between a title and its table.
  bool read_advice() { return title_ == Counts::slow_copies && ++advice_lines_ <= kMaxAdviceLines; }

  bool read_cells(std::vector<std::string_view> cells) {
    if (layout_ != Layout::aligned) return read_columns(cells);
    if (cells.size() < (columns_.counts == Counts::host_calls ? 3U : 4U)) return false;
    if (cells[0] == "GPU activities:" || cells[0] == "API calls:") {
      columns_.counts = cells[0] == "API calls:" ? Counts::host_calls : Counts::totals;
      cells.erase(cells.begin());
    }
    switch (columns_.counts) {
      case Counts::totals:
        return read_row(cells);
      case Counts::runs:
        return read_run(cells);
      case Counts::slow_copies:
        return read_slow_copy(cells);
      case Counts::host_calls:
        return !nvprof_ || read_row(cells);
      case Counts::nothing_known:
        break;
    }
    return false;
  }

  // Share, total time, count, ..., name.
  bool read_row(const std::vector<std::string_view>& cells) {
    double share = 0, time = 0, count = 0;
    std::string_view unit, no_unit;
    if (cells.size() < 4 || !read_number(cells[0], share, unit) || !read_number(cells[1], time, unit)) return false;
    if (!read_number(cells[2], count, no_unit) || columns_.counts != Counts::totals) return true;
    if (count > 0 && count < kMaxCount)
      add(cells.back(), static_cast<std::uint64_t>(count), microseconds(time, unit.empty() ? columns_.unit : unit));
    return true;
  }

  // Start, duration, ..., memory kinds of a copy, ..., name.
  bool read_run(const std::vector<std::string_view>& cells) {
    double start = 0, time = 0;
    std::string_view unit;
    if (!read_number(cells[0], start, unit) || !read_number(cells[1], time, unit)) return false;
    const bool call_of_host = std::all_of(cells.begin() + 2, cells.end() - 1, [](auto cell) { return cell == "-"; });
    if (call_of_host || !add(cells.back(), 1, microseconds(time, unit.empty() ? columns_.unit : unit))) return true;
    add_memory_kinds(cells);
    return true;
  }

  bool read_slow_copy(const std::vector<std::string_view>& cells) {
    double time = 0;
    std::string_view unit;
    if (!read_number(cells[0], time, unit)) return false;
    if (add_memory_kinds(cells)) totals_.add_advised_copy();
    return true;
  }

  bool add_memory_kinds(const std::vector<std::string_view>& cells) {
    constexpr std::array<std::string_view, 6> kKinds{"Pageable", "Pinned", "Device", "Managed", "Array", "Unknown"};
    auto is_kind = [&](std::string_view cell) { return std::ranges::find(kKinds, cell) != kKinds.end(); };
    const auto source = std::ranges::find_if(cells, is_kind);
    if (source == cells.end() || source + 1 == cells.end()) return false;
    return totals_.add_memory_kinds(*source, *(source + 1));
  }

  // A row with separators: each cell stands in its column.
  bool read_columns(const std::vector<std::string_view>& cells) {
    auto cell = [&](std::size_t column) { return column < cells.size() ? cells[column] : std::string_view(); };
    if (cells.size() < 3) return false;
    if (is_unit(cell(columns_.time))) {
      columns_.unit = cell(columns_.time);
      return true;
    }
    double time = 0, count = 1;
    std::string_view unit;
    if (!read_number(cell(columns_.time), time, unit)) return false;
    const bool has_count = columns_.count != Columns::none;
    if (has_count && !read_number(cell(columns_.count), count, unit)) return false;
    const bool call_of_host = columns_.counts == Counts::host_calls || cell(columns_.type) == "API calls" ||
                              (columns_.counts == Counts::runs && cell(columns_.device).empty());
    if (call_of_host || count <= 0 || count >= kMaxCount) return true;
    if (columns_.counts == Counts::slow_copies) return read_slow_copy(cells);
    if (add(cell(columns_.name), static_cast<std::uint64_t>(count), microseconds(time, columns_.unit)) &&
        columns_.source != Columns::none && !cell(columns_.source).empty())
      totals_.add_memory_kinds(cell(columns_.source), cell(columns_.target));
    return true;
  }

  // Adds work of that name; true when it is a copy between host and device.
  bool add(std::string_view name, std::uint64_t count, double total_us) {
    largest_us_ = std::max(largest_us_, total_us);
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

  bool nvprof_;
  Event event_;
  ProfileTotals totals_;
  Counts title_ = Counts::nothing_known;
  Columns columns_;
  Layout layout_ = Layout::aligned;
  double largest_us_ = 0;
  int results_ = 0;
  int advice_lines_ = 0;
};

bool is_csv_of_gpu_work(std::string_view text) {
  if (!contains(text, "Total Time (ns),") && !contains(text, "Start (ns),Duration (ns)")) return false;
  const Counts counts = columns_of(cells_of(text, layout_of(text))).counts;
  return counts == Counts::totals || counts == Counts::runs;
}

std::unique_ptr<Record> open(const Line& opener) {
  const std::string_view text = trim(opener.text, " ");
  const bool title = is_title(text) && counts_under(text) != Counts::host_calls;
  const bool host_title = is_title(text) && (contains(text, "cuda_api_sum") || contains(text, "cudaapisum") ||
                                             contains(text, "CUDA API Statistics"));
  if (text.ends_with("Profiling result:")) return std::make_unique<Profile>(opener, "nvprof");
  if (contains(text, "No kernels were profiled"))
    return std::make_unique<Profile>(opener,
                                     contains(text, "==WARNING==") || contains(text, "==PROF==") ? "ncu" : "nvprof");
  if (title || host_title || says_no_kernels(text) || is_csv_of_gpu_work(text))
    return std::make_unique<Profile>(opener, "nsys");
  return nullptr;
}

}  // namespace

constinit const RecordParser kNvprofParser{"nvprof", kTriggers, open};

}  // namespace cutopsy
