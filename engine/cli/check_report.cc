#include "engine/cli/check_report.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/report/printable.h"
#include "engine/report/wrap.h"
#include "validators/size_text.h"

namespace cutopsy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxText = 2000;  // bytes
constexpr std::size_t kMaxName = 500;   // bytes
constexpr std::size_t kWidth = 100;     // columns

std::string_view name_of(Reply reply) {
  return reply == Reply::yes ? "yes" : reply == Reply::no ? "no" : "unknown";
}

std::string_view name_of(Doubt doubt) {
  static constexpr std::string_view kNames[] = {"", "undecided", "not-applicable", "could-not-run"};
  return kNames[static_cast<int>(doubt)];
}

std::string gpu_of(const CheckResult& result) {
  return printable(result.gpu.index.empty() ? result.gpu.uuid : result.gpu.index, kMaxName);
}

class TextWriter {
 public:
  TextWriter(const CheckReport& report, bool colour) : report_(report), colour_(colour) {}

  std::string write(bool all) {
    write_machine();
    if (report_.self_test) {
      write_each();
      write_conclusion();
      return std::move(out_);
    }
    write_faults();
    if (all) {
      write_each();
    } else {
      write_undecided();
      write_not_run();
      write_names("Found no fault", [](const Answer& answer) { return answer.reply == Reply::no; });
      write_names("Nothing of the kind here",
                  [](const Answer& answer) { return answer.doubt == Doubt::not_applicable; });
    }
    return std::move(out_);
  }

 private:
  std::string paint(std::string_view text, fmt::text_style style) const {
    return colour_ ? fmt::format(style, "{}", text) : std::string(text);
  }
  void heading(std::string_view text) { out_ += (out_.empty() ? "" : "\n") + paint(text, fmt::emphasis::bold) + "\n"; }

  void write_machine() {
    heading("This machine");
    for (const Layer& layer : report_.layers) write_layer(layer.name, layer.there, layer.detail);
    for (const Gpu& gpu : report_.gpus) {
      const std::string memory = gpu.memory_bytes == 0 ? "" : ", " + size_text(gpu.memory_bytes);
      write_layer("GPU " + gpu.index, true, printable(gpu.name, kMaxName) + memory + (gpu.busy ? ", busy" : ""));
    }
    if (report_.gpus.empty()) write_layer("NVML", false, report_.why_no_gpu);
    const auto missing =
        std::find_if(report_.layers.begin(), report_.layers.end(), [](const Layer& layer) { return !layer.there; });
    if (missing != report_.layers.end() && report_.gpus.empty()) out_ += wrap(missing->advice, kWidth, "  -> ");
  }

  void write_layer(const std::string& name, bool there, const std::string& detail) {
    const auto hue = there ? fmt::terminal_color::green : fmt::terminal_color::red;
    out_ += fmt::format("  {:<15} {} {}\n", name, paint(there ? "ok     " : "missing", fmt::fg(hue)),
                        printable(detail, kMaxName));
  }

  void write_line(const CheckResult& result) {
    const std::string gpu = gpu_of(result);
    const std::string name = std::string(result.check->name) + (gpu.empty() ? "" : " (GPU " + gpu + ")");
    out_ += fmt::format("  {:<26} {}\n", name, printable(result.answer.detail, kMaxText));
  }

  void write_faults() {
    const bool any = std::any_of(report_.results.begin(), report_.results.end(),
                                 [](const CheckResult& result) { return result.answer.reply == Reply::yes; });
    if (!any) return;
    heading("Faults");
    for (const CheckResult& result : report_.results) {
      if (result.answer.reply != Reply::yes) continue;
      out_ += fmt::format("  {} {}\n", paint(result.check->question, fmt::emphasis::bold),
                          paint("Yes.", fmt::fg(fmt::terminal_color::red) | fmt::emphasis::bold));
      write_line(result);
      if (!result.answer.advice.empty()) out_ += wrap(printable(result.answer.advice, kMaxText), kWidth, "  -> ");
    }
  }

  void write_each() {
    heading("Answers");
    for (const CheckResult& result : report_.results) {
      const Answer& answer = result.answer;
      const std::string_view doubt = name_of(answer.doubt);
      out_ += fmt::format("{:>16}", doubt.empty() ? name_of(answer.reply) : doubt);
      write_line(result);
    }
  }

  /// With the advice of each answer that has one, once.
  void write_conclusion() {
    const auto any = [&](auto which) { return std::any_of(report_.results.begin(), report_.results.end(), which); };
    const bool wrong = any([](const CheckResult& result) { return result.answer.reply == Reply::yes; });
    const bool untold = any([](const CheckResult& result) { return result.answer.reply == Reply::unknown; });
    heading(wrong    ? "This machine does not report faults as it should."
            : untold ? "Whether this machine reports faults as it should is not known in full."
                     : "This machine reports faults as it should.");
    std::set<std::string> advices;
    for (const CheckResult& result : report_.results) {
      const std::string& advice = result.answer.advice;
      if (!advice.empty() && advices.insert(advice).second) out_ += wrap(printable(advice, kMaxText), kWidth, "  -> ");
    }
  }

  void write_undecided() {
    bool first = true;
    for (const CheckResult& result : report_.results) {
      if (result.answer.doubt != Doubt::undecided) continue;
      if (std::exchange(first, false)) heading("Undecided");
      write_line(result);
    }
  }

  /// One line for a reason, however many checks it kept from running.
  void write_not_run() {
    std::map<std::string, std::vector<const CheckResult*>> reasons;
    for (const CheckResult& result : report_.results) {
      if (result.answer.doubt == Doubt::could_not_run) reasons[result.answer.detail].push_back(&result);
    }
    if (reasons.empty()) return;
    heading("Could not be asked");
    for (const auto& [reason, results] : reasons) {
      std::vector<std::string_view> names;
      for (const CheckResult* result : results) names.push_back(result->check->name);
      names.erase(std::unique(names.begin(), names.end()), names.end());
      out_ += fmt::format("  {}\n", printable(reason, kMaxText)) +
              wrap(fmt::format("{}", fmt::join(names, ", ")), kWidth, "    ");
      const std::string& advice = results.front()->answer.advice;
      if (!advice.empty()) out_ += wrap(printable(advice, kMaxText), kWidth, "    -> ");
    }
  }

  template <typename Which>
  void write_names(std::string_view title, Which which) {
    std::vector<std::string_view> names;
    for (const CheckResult& result : report_.results) {
      if (which(result.answer)) names.push_back(result.check->name);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (names.empty()) return;
    heading(title);
    out_ += wrap(fmt::format("{}", fmt::join(names, ", ")), kWidth, "  ");
  }

  const CheckReport& report_;
  bool colour_;
  std::string out_;
};

Json parameters_json(const Check& check) {
  Json json = Json::object();
  for (const Parameter& parameter : check.parameters) json[std::string(parameter.name)] = parameter.meaning;
  return json;
}

}  // namespace

int exit_status_of(const CheckReport& report) {
  const auto any = [&](auto which) { return std::any_of(report.results.begin(), report.results.end(), which); };
  if (any([](const CheckResult& result) { return result.answer.reply == Reply::yes; })) return 1;
  return any([](const CheckResult& result) { return result.answer.doubt == Doubt::could_not_run; }) ? 2 : 0;
}

std::string check_text(const CheckReport& report, bool colour, bool all) {
  return TextWriter(report, colour).write(all);
}

std::string check_json(const CheckReport& report) {
  Json layers = Json::array(), gpus = Json::array(), checks = Json::array();
  for (const Layer& layer : report.layers) {
    layers.push_back({{"layer", layer.name},
                      {"there", layer.there},
                      {"detail", printable(layer.detail, kMaxText)},
                      {"advice", layer.advice}});
  }
  for (const Gpu& gpu : report.gpus) {
    gpus.push_back({{"index", gpu.index},
                    {"uuid", printable(gpu.uuid, kMaxName)},
                    {"pci", printable(gpu.pci_address, kMaxName)},
                    {"name", printable(gpu.name, kMaxName)},
                    {"compute_capability", gpu.compute_capability},
                    {"memory_bytes", gpu.memory_bytes},
                    {"busy", gpu.busy}});
  }
  for (const CheckResult& result : report.results) {
    const std::string gpu = gpu_of(result);
    Json measurements = Json::object();
    for (const Measurement& one : result.answer.measurements) measurements[one.name] = printable(one.value, kMaxText);
    checks.push_back({{"check", result.check->name},
                      {"question", result.check->question},
                      {"class", to_string(result.check->check_class)},
                      {"gpu", gpu.empty() ? Json(nullptr) : Json(gpu)},
                      {"answer", name_of(result.answer.reply)},
                      {"doubt", name_of(result.answer.doubt)},
                      {"detail", printable(result.answer.detail, kMaxText)},
                      {"advice", printable(result.answer.advice, kMaxText)},
                      {"decision", result.check->decision},
                      {"measurements", std::move(measurements)},
                      {"seconds", static_cast<double>(result.took.count()) / 1000}});
  }
  const Json json = {
      {"schema", "cutopsy/check/v1"},
      {"tool", {{"name", "cutopsy"}, {"version", CUTOPSY_VERSION}}},
      {"machine", {{"layers", layers}, {"gpus", gpus}, {"why_no_gpu", printable(report.why_no_gpu, kMaxText)}}},
      {"self_test", report.self_test},
      {"checks", checks},
      {"status", exit_status_of(report)}};
  return json.dump(2) + "\n";
}

std::string check_list_text() {
  std::string out;
  for (const Check* check : all_checks()) {
    out += fmt::format("{}: {}\n  {}, needs {}, {}\n", check->name, check->question, to_string(check->check_class),
                       to_string(check->need), to_string(check->level));
    out += wrap(check->decision, kWidth, "  ");
    for (const Parameter& parameter : check->parameters)
      out += wrap(fmt::format("--with {}=...: {}", parameter.name, parameter.meaning), kWidth, "  ");
  }
  return out;
}

std::string check_list_json() {
  Json checks = Json::array();
  for (const Check* check : all_checks()) {
    checks.push_back({{"check", check->name},
                      {"question", check->question},
                      {"class", to_string(check->check_class)},
                      {"needs", to_string(check->need)},
                      {"level", to_string(check->level)},
                      {"per_gpu", check->per_gpu},
                      {"decision", check->decision},
                      {"blocked_by", check->blocked_by},
                      {"parameters", parameters_json(*check)}});
  }
  return checks.dump(2) + "\n";
}

}  // namespace cutopsy
