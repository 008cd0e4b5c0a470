#include "parsers/phrase.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace cutopsy {
namespace {

constexpr Phrase kPhrases[] = {
    {"killed by", R"(rank (?P<rank>\d+) was killed by (?P<signal>SIG\w+))", "launcher", {"fatal", "true"}},
    {"killed by", R"(killed by (?P<who>\w+))", "anybody"},
    {"on host ", R"(on host (?P<host>\S+))"},
};

TEST(PhraseBook, FirstPhraseOfTheTableWins) {
  const PhraseBook book(kPhrases);
  Fields fields;
  const Phrase* phrase = book.find("rank 3 was killed by SIGKILL", fields);
  ASSERT_TRUE(phrase);
  EXPECT_EQ(phrase->emitter, "launcher");
  EXPECT_EQ(fields.get("rank"), "3");
  EXPECT_EQ(fields.get("signal"), "SIGKILL");
  EXPECT_EQ(fields.get("fatal"), "true");
  EXPECT_FALSE(fields.has("who"));
}

TEST(PhraseBook, LaterPhrasesReadWhatEarlierOnesRefuse) {
  const PhraseBook book(kPhrases);
  Fields fields;
  const Phrase* phrase = book.find("killed by operator", fields);
  ASSERT_TRUE(phrase);
  EXPECT_EQ(phrase->emitter, "anybody");
  EXPECT_FALSE(fields.has("fatal"));
}

TEST(PhraseBook, CollectMergesAllPhrases) {
  const PhraseBook book(kPhrases);
  Fields fields;
  book.collect("rank 3 was killed by SIGKILL on host node1", fields);
  EXPECT_EQ(fields.get("who"), "SIGKILL");
  EXPECT_EQ(fields.get("host"), "node1");
}

TEST(PhraseBook, NothingIsFoundInOtherTextAndInAnyBytes) {
  const PhraseBook book(kPhrases);
  Fields fields;
  EXPECT_EQ(book.find("", fields), nullptr);
  EXPECT_EQ(book.find("killed by ", fields), nullptr);
  EXPECT_EQ(book.find(std::string_view("killed by \0\xff\xc3", 13), fields), nullptr);
  EXPECT_EQ(fields.size(), 0u);
}

TEST(PhraseBook, ThreadsMayShareABook) {
  const PhraseBook book(kPhrases);
  std::vector<std::string> ranks(8);
  std::vector<std::thread> threads;
  for (std::string& rank : ranks)
    threads.emplace_back([&book, &rank] {
      Fields fields;
      book.find("rank 3 was killed by SIGKILL", fields);
      rank = fields.get("rank");
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& rank : ranks) EXPECT_EQ(rank, "3");
}

TEST(Phrases, LiteralsAreTheTriggersOfTheirParser) {
  constexpr auto kTriggers = triggers_of(kPhrases);
  EXPECT_EQ(kTriggers.size(), 3u);
  EXPECT_EQ(kTriggers[2], "on host ");
}

}  // namespace
}  // namespace cutopsy
