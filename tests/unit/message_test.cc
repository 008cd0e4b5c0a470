#include "validators/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutopsy {
namespace {

using testing::ElementsAre;

TEST(Message, SurvivesTheWayWhateverItsTexts) {
  const Message message = {"", "3\n4", std::string("\0\n", 2), std::string(70'000, 'x')};
  std::string bytes = encode(message) + encode({"next"});
  bool broken = false;
  EXPECT_EQ(take_message(bytes, &broken), message);
  EXPECT_THAT(*take_message(bytes, &broken), ElementsAre("next"));
  EXPECT_TRUE(bytes.empty());
  EXPECT_FALSE(broken);
}

TEST(Message, IsTakenOnlyWhenWhole) {
  const std::string whole = encode({"abc", "d"});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::string part = whole.substr(0, length);
    bool broken = false;
    EXPECT_FALSE(take_message(part, &broken)) << length;
    EXPECT_FALSE(broken) << length;
  }
}

TEST(Message, OfAnotherFormIsBroken) {
  for (std::string bytes : {"hello\n", "-1\n", "99999999\n", "1\n99999999999\n", "123456789012345678901234567890"}) {
    bool broken = false;
    EXPECT_FALSE(take_message(bytes, &broken));
    EXPECT_TRUE(broken) << bytes;
  }
}

TEST(Message, CarriesAQuestion) {
  Question question{"memory-pattern", {}, Level::thorough, std::chrono::milliseconds(1500), {}};
  question.gpu.index = "3";
  question.gpu.uuid = "GPU-1";
  question.gpu.memory_bytes = 141ULL << 30;
  question.gpu.busy = true;
  question.parameters.set("size", "2 GiB");
  const auto back = to_question(to_message(question));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->check, "memory-pattern");
  EXPECT_EQ(back->level, Level::thorough);
  EXPECT_EQ(back->budget.count(), 1500);
  EXPECT_EQ(back->gpu.memory_bytes, 141ULL << 30);
  EXPECT_TRUE(back->gpu.busy);
  EXPECT_EQ(back->parameters.text("size"), "2 GiB");
}

TEST(Message, CarriesAnAnswer) {
  const auto back = to_answer(to_message(Answer::undecided("so", "do").with("free_bytes", "12")));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->doubt, Doubt::undecided);
  EXPECT_EQ(back->detail, "so");
  EXPECT_EQ(back->advice, "do");
  EXPECT_EQ(back->measurements.at(0).value, "12");
}

TEST(Message, ThatContradictsItselfIsNoAnswer) {
  EXPECT_FALSE(to_answer({"0", "1", "a yes with a doubt", ""}));
  EXPECT_FALSE(to_answer({"2", "0", "unknown without one", ""}));
  EXPECT_FALSE(to_answer({"7", "0", "", ""}));
  EXPECT_FALSE(to_answer({"0", "0", "no advice"}));
  EXPECT_FALSE(to_answer({"0", "0", "", "", "a name without its value"}));
}

TEST(Message, ListsGpus) {
  std::vector<Gpu> gpus(2);
  gpus[1].pci_address = "0000:3b:00.0";
  const auto back = to_gpus(to_message(gpus));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->size(), 2U);
  EXPECT_EQ(back->at(1).pci_address, "0000:3b:00.0");
  EXPECT_TRUE(to_gpus({})->empty());
  EXPECT_FALSE(to_gpus({"one text"}));
}

}  // namespace
}  // namespace cutopsy
