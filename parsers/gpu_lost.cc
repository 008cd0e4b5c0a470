// Formats (NVIDIA/open-gpu-kernel-modules, src/nvidia/arch/nvalloc/unix/src/osinit.c, kernel-open/nvidia/nv-pci.c):
//   NVRM: GPU 0000:18:00.0: GPU has fallen off the bus.
//   NVRM: GPU 0000:18:00.0: GPU serial number is 1650123456789.
//   NVRM: GPU at PCI:0000:18:00: GPU-1b2c3d4e-5f60-7182-93a4-b5c6d7e8f901
//   NVRM: GPU Board Serial Number: 1650123456789
// At probe, one message in three lines, of which the last tells enough when it stands alone (other endings say that the
// driver does not support the card):
//   NVRM: The NVIDIA GPU 0000:18:00.0
//   NVRM: (PCI ID: 10de:2330) installed in this system has
//   NVRM: fallen off the bus and is not responding to commands.
#include "parsers/gpu_lost.h"

#include <string>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/pci_address.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr std::string_view kVerdict = "fallen off the bus and is not responding to commands";

constexpr Phrase kLost[] = {
    {"has fallen off the bus",
     R"(NVRM: GPU (?:at )?(?:PCI:)?(?P<pci>[0-9a-fA-F:.]+[0-9a-fA-F]):? (?P<text>(?:GPU )?has fallen off.*))"},
};

constexpr Phrase kIdentities[] = {
    {"NVRM: GPU at PCI:", R"(NVRM: GPU at PCI:[0-9a-fA-F:.]+: (?P<gpu_uuid>GPU-[0-9a-f-]{36}))"},
    {"NVRM: GPU Board Serial N", R"(NVRM: GPU Board Serial Number: (?P<gpu_serial>\w+))"},
    {"GPU serial number is ", R"(NVRM: GPU [0-9a-fA-F:.]+: GPU serial number is (?P<gpu_serial>\w+))"},
};

constexpr Phrase kProbe[] = {{"NVRM: The NVIDIA GPU ", R"(NVRM: The NVIDIA GPU (?P<pci>[0-9a-fA-F:.]+)(?:\s|$))"}};
constexpr Phrase kDevice[] = {{"(PCI ID: ", R"(\(PCI ID: (?P<device_id>[0-9a-fA-F]{4}:[0-9a-fA-F]{4})\))"}};

constexpr std::string_view kFactNames[] = {"gpu_uuid", "gpu_serial"};
constexpr std::string_view kTriggers[] = {"has fallen off the bus", "fallen off the bus and is",
                                          "NVRM: GPU at PCI:", "NVRM: GPU Board Serial N", "GPU serial number is "};
constexpr auto kProbeTriggers = triggers_of(kProbe);

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook lost(kLost);
  static const PhraseBook identities(kIdentities);
  Event event = line_event(line, "kernel.gpu_lost", "driver");
  const bool is_verdict_alone = line.record == 0 && line.text.find(kVerdict) != line.text.npos;
  if (is_verdict_alone) event.fields.set("text", kVerdict);
  if (is_verdict_alone || lost.find(line.text, event.fields)) {
    event.fields.set("gpu_pci", canonical_pci_address(event.fields.get("pci")));
    sink.on_event(std::move(event));
    return;
  }
  Fields found;
  if (!identities.find(line.text, found)) return;
  for (std::string_view name : kFactNames) {
    if (found.has(name)) sink.on_fact({name, std::string(found.get(name)), line.envelope, line.where});
  }
}

class LostAtProbe : public Record {
 public:
  explicit LostAtProbe(Event event) : event_(std::move(event)) {}

  Step feed(const Line& line) override {
    static const PhraseBook devices(kDevice);
    devices.find(line.text, event_.fields);
    const bool is_verdict = line.text.find(kVerdict) != line.text.npos;
    if (is_verdict) {
      is_lost_ = true;
      event_.where = line.where;
      event_.text = line.text;
      event_.fields.set("text", kVerdict);
      return Step::last;
    }
    return line.text.find("installed in this system has") != line.text.npos ? Step::taken : Step::refused;
  }

  void finish(EventSink& sink) override {
    if (is_lost_) sink.on_event(std::move(event_));
  }

 private:
  Event event_;
  bool is_lost_ = false;
};

std::unique_ptr<Record> open(const Line& opener) {
  static const PhraseBook probe(kProbe);
  Event event = line_event(opener, "kernel.gpu_lost", "driver");
  if (!probe.find(opener.text, event.fields)) return nullptr;
  event.fields.set("gpu_pci", canonical_pci_address(event.fields.get("pci")));
  return std::make_unique<LostAtProbe>(std::move(event));
}

}  // namespace

constinit const LineParser kGpuLostParser{"gpu lost", kTriggers, parse};
constinit const RecordParser kGpuLostAtProbeParser{"gpu lost at probe", kProbeTriggers, open};

}  // namespace cutopsy
