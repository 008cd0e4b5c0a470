// Format (tensorflow/core/common_runtime/gpu/gpu_device.cc, 1.x to 2.5); only 1.x tells the free memory:
//   Found device 0 with properties:
//   name: GeForce GTX 1050 Ti major: 6 minor: 1 memoryClockRate(GHz): 1.455
//   pciBusID: 0000:01:00.0
//   totalMemory: 3.94GiB freeMemory: 187.62MiB
//   pciBusID: 0000:01:00.0 name: NVIDIA GeForce RTX 3060 computeCapability: 8.6
//   coreClock: 1.777GHz coreCount: 28 deviceMemorySize: 11.76GiB deviceMemoryBandwidth: 335.32GiB/s
#include "parsers/tensorflow_device.h"

#include <utility>

#include "parsers/job_facts.h"
#include "parsers/line_event.h"
#include "parsers/memory_balance.h"
#include "parsers/pci_address.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr const char* kMemory = R"(^totalMemory: (?P<capacity>[\d.]+\w+) freeMemory: (?P<free>[\d.]+\w+))";

constexpr Phrase kOpeners[] = {
    {"Found device ", R"(Found device (?P<gpu>\d{1,3}) with properties:)"},
    {"totalMemory: ", kMemory},  // of a block whose beginning is cut off
};

constexpr Phrase kLines[] = {
    {"major: ", R"(^name: (?P<gpu_name>.{1,80}?),? major: (?P<major>\d+),? minor: (?P<minor>\d+))"},
    {"totalMemory: ", kMemory},
    {"computeCapability: ",
     R"(^pciBusID: (?P<pci>\S+) name: (?P<gpu_name>.{1,80}?) computeCapability: (?P<compute_capability>[\d.]+))"},
    {"pciBusID: ", R"(^pciBusID: (?P<pci>[0-9a-fA-F:.]+)$)"},
    {"deviceMemorySize: ", R"(^coreClock: .*\bdeviceMemorySize: (?P<capacity>[\d.]+\w+))"},
};

constexpr auto kTriggers = triggers_of(kOpeners);

class TensorflowDevice : public Record {
 public:
  explicit TensorflowDevice(Event event) : event_(std::move(event)) {}

  Step feed(const Line& line) override {
    static const PhraseBook lines(kLines);
    if (event_.fields.has("capacity") || !lines.find(line.text, event_.fields)) return Step::refused;
    event_.where = line.where;
    event_.text = line.text;
    return event_.fields.has("capacity") ? Step::last : Step::taken;
  }

  void finish(EventSink& sink) override {
    Fields& fields = event_.fields;
    Fields facts = fields;
    facts.set("gpu_pci", std::string(fields.get("pci")));
    facts.set("gpu_memory", std::string(fields.get("capacity")));
    if (fields.has("major"))
      facts.set("compute_capability", std::string(fields.get("major")) + "." + std::string(fields.get("minor")));
    report_facts(std::move(facts), event_.envelope, event_.where, sink);
    if (!fields.has("free")) return;
    fields.set("gpu_pci", canonical_pci_address(fields.get("pci")));
    add_memory_balance({}, fields);
    sink.on_event(std::move(event_));
  }

 private:
  Event event_;
};

std::unique_ptr<Record> open(const Line& opener) {
  static const PhraseBook openers(kOpeners);
  Event event = line_event(opener, "gpu.memory", "tensorflow");
  if (!openers.find(opener.text, event.fields)) return nullptr;
  return std::make_unique<TensorflowDevice>(std::move(event));
}

}  // namespace

constinit const RecordParser kTensorflowDeviceParser{"tensorflow_device", kTriggers, open};

}  // namespace cutopsy
