#include "engine/source/log_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutopsy {
namespace {

using ::testing::ElementsAre;

TEST(LogNames, PathsAreSkippedForAnyOfTheirParts) {
  EXPECT_EQ(reason_to_skip_path("logs/train.log"), "");
  EXPECT_EQ(reason_to_skip_path("logs/.cache/train.log"), "hidden");
  EXPECT_EQ(reason_to_skip_path("venv/site-packages/torch/build.log"), "of a package manager");
  EXPECT_EQ(reason_to_skip_path("src/train.py"), "source or document");
  EXPECT_EQ(reason_to_skip_path("__MACOSX/._train.log"), "hidden");
}

TEST(LogNames, ArchivesOfLogsAreToldFromModelsAndPackages) {
  EXPECT_TRUE(is_named_as_archive("logs_123.zip"));
  EXPECT_TRUE(is_named_as_archive("night.tar"));
  EXPECT_FALSE(is_named_as_archive("model.pt"));
  EXPECT_FALSE(is_named_as_archive("torch-2.7.0.whl"));
}

TEST(LogNames, StepsOfAJobAreKnownByItsFolderBesideItsLog) {
  EXPECT_THAT(steps_of_jobs({"0_build (3.8).txt", "build (3.8)/1_Set up job.txt", "build (3.8)/system.txt"}),
              ElementsAre(false, true, true));
  EXPECT_THAT(steps_of_jobs({"a/0_build.txt", "a/build/1_Run.txt", "b/build/1_Run.txt"}),
              ElementsAre(false, true, false));
  EXPECT_THAT(steps_of_jobs({"build/1_Run.txt", "build.txt"}), ElementsAre(false, false));
}

}  // namespace
}  // namespace cutopsy
