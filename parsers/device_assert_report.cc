// Format: https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDADeviceAssertionHost.cpp
#include "parsers/device_assert_report.h"

#include <utility>

#include "parsers/kernel_name.h"
#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

// The first row of a block, and the others.
constexpr Phrase kFirst[] = {
    {"GPU assertion failure me",
     R"re(GPU assertion failure message = (?P<condition>.*?(?:&& "(?P<message>[^"]+)")?)$)re"},
};
constexpr Phrase kRows[] = {
    {"File containing assertio", R"(File containing assertion = (?P<file>.+):(?P<line>\d+)$)"},
    {"Device function containi", R"(Device function containing assertion = (?P<kernel>.+))"},
    {"Thread ID that failed as", R"(Thread ID that failed assertion = (?P<thread>\[[\d,]+\]))"},
    {"Block ID that failed ass", R"(Block ID that failed assertion = (?P<block>\[[\d,]+\]))"},
    {"Device that launched ker", R"(Device that launched kernel = (?P<gpu>\d+))"},
};
constexpr std::string_view kOtherRows[] = {"File containing kernel launch = ", "Function containing kernel launch = ",
                                           "Name of kernel launched that led", "Stream kernel was launched on = "};
constexpr std::string_view kLastRow = "Backtrace of kernel launch site = ";

constexpr auto kTriggers = triggers_of(kFirst);

class DeviceAssertReport : public Record {
 public:
  explicit DeviceAssertReport(Event event) : event_(std::move(event)) {}

  Step feed(const Line& line) override {
    static const PhraseBook rows(kRows);
    if (rows.find(line.text, event_.fields)) return Step::taken;
    if (line.text.find(kLastRow) != line.text.npos) return Step::last;
    for (std::string_view row : kOtherRows)
      if (line.text.find(row) != line.text.npos) return Step::taken;
    return Step::refused;
  }

  void finish(EventSink& sink) override {
    const std::string kernel(event_.fields.get("kernel"));
    event_.fields.set("kernel", kernel_name(kernel));
    sink.on_event(std::move(event_));
  }

 private:
  Event event_;
};

std::unique_ptr<Record> open_record(const Line& opener) {
  static const PhraseBook first(kFirst);
  Event event = line_event(opener, "torch.device_assert", "torch");
  return first.find(opener.text, event.fields) ? std::make_unique<DeviceAssertReport>(std::move(event)) : nullptr;
}

}  // namespace

constinit const RecordParser kDeviceAssertReportParser{"device_assert_report", kTriggers, open_record, true};

}  // namespace cutopsy
