#include "validators/worker.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/temporary_folder.h"

namespace cutopsy {
namespace {

using std::chrono::milliseconds;

// A program that reads nothing and answers nothing.
Exchange ask_deaf_worker(const Question& question) {
  const TemporaryFolder folder;
  const std::string program = folder.write("deaf", "#!/bin/sh\nexec sleep 20\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return Worker(program, WorkerKind::host, "").ask(question, milliseconds(100));
}

TEST(Worker, IsGivenUpWhenItDoesNotAnswerInTime) {
  EXPECT_EQ(ask_deaf_worker({.check = "shm-size"}).end, Exchange::End::timed_out);
}

TEST(Worker, IsGivenUpWhenItDoesNotTakeTheQuestionInTime) {
  Question question{.check = "shm-size"};
  question.parameters.set("needed", std::string(4 << 20, '7'));  // more than a socket holds
  EXPECT_EQ(ask_deaf_worker(question).end, Exchange::End::timed_out);
}

}  // namespace
}  // namespace cutopsy
