// Whatever an event asks of the table, no signature that matches it is left out, and the order stays.
#include "engine/match/signature_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "engine/match/rule_index.h"
#include "engine/match/signature_match.h"
#include "engine/rule/loader.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The rules r0, r1, ... that match `matches`, and what the table offers of them.
class Table {
 public:
  explicit Table(const std::vector<std::string>& matches) : index_(load(matches)) {}

  std::vector<std::string> candidates(std::vector<std::pair<std::string, std::string>> fields) const {
    Fields set;
    for (const auto& [name, value] : fields) set.set(name, value);
    std::vector<SignatureRef> found;
    index_.signatures_for_kind("kernel.xid")->candidates("driver", set, found);
    std::vector<std::string> ids;
    for (const SignatureRef& ref : found) ids.emplace_back(ref.rule->id);
    return ids;
  }

  const RuleIndex& index() const { return index_; }

 private:
  static RuleSet load(const std::vector<std::string>& matches) {
    std::string yaml;
    for (std::size_t i = 0; i < matches.size(); ++i) {
      yaml += "- id: x/r" + std::to_string(i) + "\n  title: t\n  severity: error\n  match: " + matches[i] +
              "\n  cause: c\n  fix: [{do: f}]\n";
    }
    return load_rules_from_text("test.yaml", yaml).rules;
  }

  RuleIndex index_;
};

TEST(SignatureTable, OffersSignaturesThatAskForTheValueOrForNone) {
  const Table table({"{event: kernel.xid, where: {xid: 79}}", "{event: kernel.xid}",
                     "{event: kernel.xid, where: {xid: {in: [48, 79]}}}", "{event: kernel.xid, where: {xid: 48}}"});
  EXPECT_THAT(table.candidates({{"xid", "79"}}), ElementsAre("x/r0", "x/r1", "x/r2"));
  EXPECT_THAT(table.candidates({{"xid", "48"}}), ElementsAre("x/r1", "x/r2", "x/r3"));
  EXPECT_THAT(table.candidates({{"text", "79"}}), ElementsAre("x/r1"));
}

TEST(SignatureTable, ComparesNumbersAsNumbers) {
  const Table table({"{event: kernel.xid, where: {xid: 79}}"});
  EXPECT_THAT(table.candidates({{"xid", "79.0"}}), ElementsAre("x/r0"));
  EXPECT_THAT(table.candidates({{"xid", "7.9e1"}}), ElementsAre("x/r0"));
  EXPECT_THAT(table.candidates({{"xid", "790"}}), IsEmpty());
}

TEST(SignatureTable, LeavesOutSearchesWhoseLiteralsCannotStandInTheField) {
  const Table table({"{event: kernel.xid, where: {text: 'fallen off the bus'}}",
                     "{event: kernel.xid, where: {text: 'row remap|page retire'}}"});
  EXPECT_THAT(table.candidates({{"text", "GPU has fallen off the bus."}}), ElementsAre("x/r0"));
  EXPECT_THAT(table.candidates({{"text", "a page retired"}}), ElementsAre("x/r1"));
}

TEST(SignatureTable, OffersEverySignatureThatMatches) {
  const std::vector<std::string> values = {"1", "1.0", "-0", "0", "0x1", "nan", "abc", "ab", "", "1e0"};
  const Table table({"{event: kernel.xid, where: {xid: 1, text: abc}}", "{event: kernel.xid, where: {text: 0}}",
                     "{event: kernel.xid, where: {xid: {in: [nan, 0x1]}, emitter: driver}}",
                     "{event: kernel.xid, where: {emitter: driver}}",
                     "{event: kernel.xid, where: {xid: {in: [abc, '']}}}",
                     "{event: kernel.xid, where: {text: '[ab]+c'}}", "{event: kernel.xid, where: {xid: {above: 0}}}",
                     "{event: kernel.xid, where: {text: 'abc|abd', xid: {in: [0, 1]}}}"});
  for (const std::string& xid : values) {
    for (const std::string& text : values) {
      Fields fields;
      fields.set("xid", xid);
      fields.set("text", text);
      const auto offered = table.candidates({{"xid", xid}, {"text", text}});
      ASSERT_TRUE(std::ranges::is_sorted(offered));
      for (const Rule& rule : table.index().rules().rules()) {
        const bool matches = match_event(table.index(), rule.signatures[0], "driver", fields).has_value();
        const bool is_offered = std::ranges::count(offered, std::string(rule.id)) > 0;
        EXPECT_TRUE(is_offered || !matches) << rule.id << " for xid " << xid << ", text " << text;
      }
    }
  }
}

}  // namespace
}  // namespace cutopsy
