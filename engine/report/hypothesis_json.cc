#include "engine/report/hypothesis_json.h"

#include <nlohmann/json.hpp>

#include "engine/report/incident_json.h"

namespace cutopsy {
namespace {

std::string_view name_of(CheckAnswer answer) {
  return answer == CheckAnswer::yes ? "yes" : answer == CheckAnswer::no ? "no" : "unknown";
}

Json tested_json(const Tested& tested) {
  Json json = {{"check", tested.check},
               {"answer", name_of(tested.answer)},
               {"detail", text_json(tested.detail)},
               {"gpu", tested.gpu.empty() ? Json(nullptr) : text_json(tested.gpu)},
               {"question", tested.question},
               {"class", tested.check_class},
               {"speaks", tested.supports ? "for" : "against"},
               {"advice", text_json(tested.advice)},
               {"measurements", Json::object()}};
  for (const auto& [name, value] : tested.measurements) json["measurements"][name] = text_json(value);
  return json;
}

}  // namespace

Json hypothesis_json(const Hypothesis& hypothesis) {
  Json json = {{"verdict", to_string(hypothesis.verdict)}, {"checks", Json::array()}};
  if (!hypothesis.reason.empty()) json["reason"] = text_json(hypothesis.reason);
  for (const Tested& tested : hypothesis.checks) json["checks"].push_back(tested_json(tested));
  return json;
}

}  // namespace cutopsy
