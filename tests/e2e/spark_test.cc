// The recipe for Apache Spark (.deploy/spark_batch.py) on a local cluster of two workers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/e2e/command.h"
#include "tests/e2e/python_tools.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;

// Logs of the corpus in folders, some of them twice, so that fingerprints meet over partitions.
void write_logs(const TemporaryFolder& folder) {
  int number = 0;
  for (const auto& entry : fs::recursive_directory_iterator(CUTOPSY_TEST_DATA "/corpus")) {
    const std::string kind = entry.path().extension().string();
    constexpr std::uintmax_t kMaxBytes = 200000;
    if ((kind != ".log" && kind != ".txt") || entry.file_size() > kMaxBytes || number >= 60) continue;
    for (int copy = 0; copy <= number % 3; ++copy) {
      const std::string name =
          "logs/" + std::to_string(number % 7) + "/" + std::to_string(number) + "-" + std::to_string(copy) + ".log";
      fs::create_directories(fs::path(folder.path(name)).parent_path());
      fs::copy_file(entry.path(), folder.path(name));
    }
    ++number;
  }
}

TEST(Spark, GivesTheReportOfOneProcess) {
  if (shell("command -v java >/dev/null") != 0) GTEST_SKIP() << "no Java, which Spark needs";
  const auto tools = python_tools();
  if (!tools) GTEST_SKIP() << "pip cannot install the packages in tests/python";
  const TemporaryFolder folder;
  write_logs(folder);
  ASSERT_EQ(shell("cd " + folder.path("logs") +
                  " && " CUTOPSY_BINARY " --separate --context 2 --format jsonl --fail-on never . | " CUTOPSY_BINARY
                  " merge >" +
                  folder.path("one_process.jsonl")),
            0);
  const std::string spark =
      "cd " + folder.path().string() + " && SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON=" + *tools + "/bin/python " +
      *tools +
      "/bin/python " CUTOPSY_TEST_DATA
      "/../.deploy/spark_batch.py --master 'local-cluster[2,1,1024]' --partitions 6 --binary " CUTOPSY_BINARY
      " logs spark.jsonl >spark.out 2>&1";
  ASSERT_EQ(shell(spark), 0) << folder.read("spark.out");
  const std::string expected = folder.read("one_process.jsonl");
  EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 20);
  EXPECT_EQ(folder.read("spark.jsonl"), expected);
}

}  // namespace
}  // namespace cutopsy
