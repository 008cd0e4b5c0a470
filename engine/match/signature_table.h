// The signatures that read one kind of event, arranged by what they ask for, so that an event is compared with few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/rule/rule.h"
#include "parsers/event.h"

namespace cutopsy {

/// A signature and the rule that it belongs to.
struct SignatureRef {
  const Rule* rule = nullptr;
  const Signature* signature = nullptr;
  std::uint16_t position = 0;  ///< index in rule->signatures, or in rule->absent
  bool absent = false;         ///< from `not:`
};

/// Immutable; safe to use from several threads.
class SignatureTable {
 public:
  explicit SignatureTable(std::vector<SignatureRef> signatures);

  /// Replaces `found` by the signatures that an event may match, in their order. None that matches is left out.
  void candidates(std::string_view emitter, const Fields& fields, std::vector<SignatureRef>& found) const;

  /// The fields on which any of the signatures has a condition; "emitter" is one of them, if so.
  const std::vector<std::string>& fields() const { return fields_; }

 private:
  using Indexes = std::vector<std::uint32_t>;  // into signatures_
  // Signatures that ask for certain values of a field.
  struct Values {
    std::string_view field;
    std::unordered_map<std::string, Indexes> by_value;  // by value_key()
  };
  // Signatures that search a field for what holds one of some literals.
  struct Search {
    std::uint32_t index = 0;
    std::span<const std::string_view> literals;
  };
  struct Searches {
    std::string_view field;
    std::vector<Search> searches;
  };

  using Fineness = std::unordered_map<std::string_view, std::size_t>;  // how many texts are asked for of a field

  void arrange(std::uint32_t index, const Fineness& fineness);

  std::vector<SignatureRef> signatures_;
  std::vector<std::string> fields_;
  std::vector<Values> values_;
  std::vector<Searches> searches_;
  Indexes others_;
};

}  // namespace cutopsy
