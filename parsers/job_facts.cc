#include "parsers/job_facts.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "parsers/byte_size.h"
#include "parsers/fact_names.h"
#include "parsers/pci_address.h"

namespace cutopsy {
namespace {

std::optional<unsigned> whole_number(std::string_view text) {
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

// "12.4" for the 12040 of cudaDriverGetVersion(); other texts stay.
std::string dotted_cuda(std::string_view version) {
  const auto number = whole_number(version);
  if (!number) return std::string(version);
  return std::to_string(*number / 1000) + "." + std::to_string(*number % 1000 / 10);
}

// "9.1.0" for the 90100 of cudnnGetVersion(), "8.9.5" for the 8905 of versions before 9; other texts stay.
std::string dotted_cudnn(std::string_view version) {
  const auto number = whole_number(version);
  if (!number || *number < 1000) return std::string(version);
  const unsigned minor_scale = *number >= 90000 ? 100 : 10;
  return std::to_string(*number / 100 / minor_scale) + "." + std::to_string(*number / 100 % minor_scale) + "." +
         std::to_string(*number % 100);
}

// "11.8" for the wheel tag in "2.1.0+cu118", "" without one.
std::string cuda_of_wheel(std::string_view torch_version) {
  constexpr std::string_view kTag = "+cu";
  const std::size_t at = torch_version.find(kTag);
  if (at == torch_version.npos) return "";
  const std::string digits(torch_version.substr(at + kTag.size()));
  const bool is_version =
      digits.size() >= 2 && digits.size() <= 4 && digits.find_first_not_of("0123456789") == digits.npos;
  return is_version ? digits.substr(0, digits.size() - 1) + "." + digits.back() : "";
}

}  // namespace

void report_facts(Fields found, const Envelope& envelope, Place where, EventSink& sink) {
  found.set("driver_cuda", dotted_cuda(found.get("driver_cuda")));
  found.set("cudnn_version", dotted_cudnn(found.get("cudnn_version")));
  for (std::string_view name : {"gpu_pci", "smi_gpu_pci"}) found.set(name, canonical_pci_address(found.get(name)));
  found.set_if_absent("cuda_version", cuda_of_wheel(found.get("torch_version")));
  if (const auto memory = read_byte_size(found.get("gpu_memory")); memory && memory->has_unit)
    found.set("gpu_memory_bytes", std::to_string(memory->bytes));

  Fact fact;
  fact.envelope = envelope;
  fact.where = where;
  fact.gpu = found.get("gpu");
  if (found.has("host")) fact.envelope.host = found.get("host");
  if (found.has("rank")) fact.envelope.rank = found.get("rank");
  for (const auto& [name, value] : found) {
    const FactName* known = find_fact_name(name);
    if (!known) continue;
    fact.name = known->name;
    fact.value = value;
    sink.on_fact(fact);
  }
}

void report_phrases(const PhraseBook& phrases, const Line& line, EventSink& sink) {
  Fields found;
  phrases.collect(line.text, found);
  if (found.size() > 0) report_facts(std::move(found), line.envelope, line.where, sink);
}

}  // namespace cutopsy
