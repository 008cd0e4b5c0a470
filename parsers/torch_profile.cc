// Format (torch/autograd/profiler_util.py): columns two blanks apart, rows sorted and cut to the first ones, then
// totals.
//   -----------------  ------------  ...
//                Name    Self CPU %   Self CPU  CPU total %  CPU total  CPU time avg  Self CUDA  Self CUDA %  ...  # of
//                Calls
//   -----------------  ------------  ...
//   Memcpy HtoD (Pageable -> Device)  0.00%  0.000us  0.00%  0.000us  0.000us  6.541s  57.47%  6.541s  5.314ms  1231
//                        cudaLaunchKernel  14.70%  106.000us  ...                                                 15210
//   Self CPU time total: 14.759s
//   Self CUDA time total: 11.382s
// A row's "Self CUDA %" is its share of that last total.
#include "parsers/torch_profile.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsers/line_event.h"
#include "parsers/profile_table.h"
#include "parsers/trim.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTriggers[] = {"Self CUDA %"};
constexpr std::string_view kTotal = "Self CUDA time total: ";

struct TorchColumns {
  std::size_t cells = 0;
  std::size_t share = 0;
  std::size_t calls = 0;
};

std::optional<TorchColumns> torch_columns_of(const std::vector<std::string_view>& header) {
  const auto share = std::ranges::find(header, "Self CUDA %");
  const auto calls = std::ranges::find(header, "# of Calls");
  if (header.empty() || header[0] != "Name" || share == header.end() || calls == header.end()) return std::nullopt;
  return TorchColumns{header.size(), static_cast<std::size_t>(share - header.begin()),
                      static_cast<std::size_t>(calls - header.begin())};
}

std::string two_decimals(double value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

// Memory on the host's side of "Memcpy HtoD (Pageable -> Device)"; "" when the row is no copy between the two.
std::string_view host_memory(std::string_view name) {
  if (!name.starts_with("Memcpy HtoD (") && !name.starts_with("Memcpy DtoH (")) return {};
  return name.find("Pageable") != name.npos ? "Pageable" : "Pinned";
}

class TorchProfile : public Record {
 public:
  TorchProfile(const Line& opener, TorchColumns columns)
      : event_(line_event(opener, "nvprof.summary", "torch")), columns_(columns) {}

  Step feed(const Line& line) override {
    const std::string_view text = trim(line.text, " ");
    if (text.starts_with(kTotal)) {
      read_total(text.substr(kTotal.size()));
      return Step::last;
    }
    if (text.empty() || text.starts_with("--") || text.starts_with("Self CPU time total: ")) return Step::taken;
    return read_row(cells_of(text, Layout::aligned)) ? Step::taken : Step::refused;
  }

  void finish(EventSink& sink) override {
    if (copies_ == 0 && launches_ == 0) return;
    Fields& fields = event_.fields;
    fields.set("tool", "torch");
    fields.set("copy_share", two_decimals(copy_percent_ / 100));
    if (copies_ > 0) {
      fields.set("copies", std::to_string(copies_));
      fields.set("pageable_share", two_decimals(static_cast<double>(pageable_) / static_cast<double>(copies_)));
      fields.set("src_mem_type", pageable_ > 0 ? "Pageable" : "Pinned");
    }
    if (launches_ > 0) fields.set("kernels", std::to_string(launches_));
    if (launches_ > 0 && total_us_ > 0) {
      const double kernels_us = total_us_ * std::max(0.0, 1 - copy_percent_ / 100);
      fields.set("mean_kernel_us", two_decimals(kernels_us / static_cast<double>(launches_)));
    }
    sink.on_event(std::move(event_));
  }

 private:
  static constexpr double kMaxCalls = 1e15;  // counts come from text: more is a broken line

  bool read_row(const std::vector<std::string_view>& cells) {
    double percent = 0, calls = 0;
    std::string_view unit, no_unit;
    if (cells.size() != columns_.cells || !read_number(cells[columns_.share], percent, unit) || unit != "%" ||
        !read_number(cells[columns_.calls], calls, no_unit) || calls >= kMaxCalls)
      return false;
    const auto count = static_cast<std::uint64_t>(calls);
    if (cells[0] == "cudaLaunchKernel" || cells[0] == "cudaLaunchKernelExC" || cells[0] == "cuLaunchKernel")
      launches_ += count;
    const std::string_view host = host_memory(cells[0]);
    if (host.empty()) return true;
    copies_ += count;
    copy_percent_ += percent;
    if (host == "Pageable") pageable_ += count;
    return true;
  }

  void read_total(std::string_view text) {
    double value = 0;
    std::string_view unit;
    if (read_number(text, value, unit)) total_us_ = microseconds(value, unit);
  }

  Event event_;
  TorchColumns columns_;
  std::uint64_t copies_ = 0;
  std::uint64_t pageable_ = 0;
  std::uint64_t launches_ = 0;
  double copy_percent_ = 0;
  double total_us_ = 0;
};

std::unique_ptr<Record> open(const Line& opener) {
  if (opener.text.find(kTriggers[0]) == opener.text.npos) return nullptr;
  const auto columns = torch_columns_of(cells_of(opener.text, Layout::aligned));
  return columns ? std::make_unique<TorchProfile>(opener, *columns) : nullptr;
}

}  // namespace

constinit const RecordParser kTorchProfileParser{"torch_profile", kTriggers, open};

}  // namespace cutopsy
