#include "parsers/ending_facts.h"

#include <gtest/gtest.h>

#include "tests/unit/fact_samples.h"

namespace cutopsy {
namespace {

TEST(EndingFacts, ExitCodes) {
  constexpr FactSample kSamples[] = {
      {"##[error]Process completed with exit code 1.", "exit_code", "1"},
      {"##[error]Process completed with exit code 1.", "outcome", ""},
      {"Failed to build flash-attn", "exit_code", "1"},
      {"ERROR: Could not build wheels for flash-attn, which is required to install", "exit_code", "1"},
      {"Process finished with exit code 0", "exit_code", "0"},
      {"Process finished with exit code 0", "outcome", "ok"},
      {"Process finished with exit code -1073741819 (0xC0000005)", "exit_code", "-1073741819"},
      {"trainer-1 exited with code 137", "exit_code", "137"},
      {"srun: error: gn21: task 3: Exited with exit code 1", "exit_code", "1"},
      {"gn22: ssh exited with exit code 255", "exit_code", "255"},
      {"ERROR: Job failed: command terminated with exit code 1", "exit_code", "1"},
      {"      Exit Code:    128", "exit_code", "128"},
      {"        exitCode: 137", "exit_code", "137"},
      {"    \"exitCode\": 137,", "exit_code", "137"},
      {"      exitCode: 1", "exit_code", ""},  // of a probe in CMakeConfigureLog.yaml
      {"exit code: 137", "exit_code", "137"},
      {"  \xE2\x94\x82 exit code: 1", "exit_code", "1"},
      {"\tExit status: 137", "exit_code", "137"},
      {"EXIT_CODE=1", "exit_code", "1"},
      {"+ exit 1", "exit_code", "1"},
      {"ExitCode 1", "exit_code", "1"},
      {"make: *** [Makefile:12: all] Error 2", "exit_code", "2"},
      {"State: FAILED (exit code 1)", "exit_code", "1"},
      {"[  FAILED  ] 2 tests, listed below:", "exit_code", "1"},
      {"FAILED (failures=1, skipped=2)", "exit_code", "1"},
      {"   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=1:0", "exit_code", "1"},
  };
  expect_facts(kEndingFactsParser, kSamples);
}

TEST(EndingFacts, SignalsAndReasons) {
  constexpr FactSample kSamples[] = {
      {"Killed", "exit_signal", "9"},
      {"/var/spool/slurm/job4242/slurm_script: line 18:  4242 Killed                  python train.py", "exit_signal",
       "9"},
      {"Segmentation fault (core dumped)", "exit_signal", "11"},
      {"Fatal Python error: Segmentation fault", "exit_signal", "11"},
      {"Aborted (core dumped)", "exit_signal", "6"},
      {"Bus error (core dumped)", "exit_signal", "7"},
      {"Floating point exception(core dumped)", "exit_signal", "8"},
      {"zsh: killed     python train.py", "exit_signal", "9"},
      {"Command terminated by signal 9", "exit_signal", "9"},
      {"      Reason:       OOMKilled", "exit_reason", "OOMKilled"},
      {"slurmstepd: error: *** JOB 4242 ON gn21 CANCELLED AT 2026-11-30T10:00:00 DUE TO TIME LIMIT ***", "exit_reason",
       "TIME LIMIT"},
      {"State: OUT_OF_MEMORY (exit code 0)", "exit_reason", "OUT_OF_MEMORY"},
      {"   JobState=TIMEOUT Reason=TimeLimit Dependency=(null)", "exit_reason", "TIMEOUT"},
  };
  expect_facts(kEndingFactsParser, kSamples);
}

TEST(EndingFacts, SayWhoseExitItIs) {
  const Parsed parsed = parse_line(kEndingFactsParser, "srun: error: gn21: task 3: Exited with exit code 1");
  EXPECT_EQ(fact_named(parsed, "exit_code").envelope.host, "gn21");
  EXPECT_EQ(fact_named(parsed, "exit_code").envelope.rank, "3");
  const Parsed several = parse_line(kEndingFactsParser, "srun: error: gn22: tasks 8-15: Exited with exit code 1");
  EXPECT_EQ(fact_named(several, "exit_code").envelope.host, "gn22");
  EXPECT_EQ(fact_named(several, "exit_code").envelope.rank, "");
}

TEST(EndingFacts, LinesThatOnlySuccessPrints) {
  for (const char* line : {
           "fairseq_cli.train | done training in 2674.4 seconds",
           "{'train_runtime': 1698.7281, 'train_samples_per_second': 108.505, 'epoch': 3.0}",
           "  train_runtime            = 0:28:18.72",
           "Training completed. Do not forget to share your model on huggingface.co/models =)",
           "Training complete in 12m 34s",
           "Training Completed!!! Saving pre-trained model to ./out",
           "Finished Training",
           "Training time 1:22:30",
           "100 epochs completed in 2.345 hours.",
           "`Trainer.fit` stopped: `max_epochs=10` reached.",
           "[after training is done] datetime: 2024-05-02 06:31:12",
           "100% tests passed, 0 tests failed out of 18",
           "=================== 12 passed, 1 warning in 3.45s ===================",
           "12 passed in 0.50s",
           "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured",
           "All tests passed (128 assertions in 12 test cases)",
           "# Out of bounds values : 0 OK",
           "Job succeeded",
           "Job 'raysubmit_x1Y2' succeeded",
           "Finished: SUCCESS",
           "Done. Your build exited with 0.",
           "Normal  Completed  5s  job-controller  Job completed",
           "10s         Normal    Completed          job/train           Job completed",
           "  Successfully built flash-attn",
           "Successfully installed torch-2.6.0",
           "Trial train_00000 completed after 60 iterations at 2026-03-11 09:40:00. Total running time: 25min 58s",
           "Successfully completed.",
           "training finished; final loss 1.2213",
           "Results saved to runs/detect/train7",
           "2020-12-31 08:29:30,381 sagemaker-training-toolkit INFO     Reporting training SUCCESS",
           "[default] worker group successfully finished. Waiting 300 seconds for other agents to finish.",
           "Local worker group finished (SUCCEEDED). Waiting 300 seconds for other agents to finish",
           "Local worker group finished (WorkerState.SUCCEEDED). Waiting 300 seconds for other agents to finish",
           "[  PASSED  ] 12 tests.",
           "[doctest] Status: SUCCESS!",
           "Ran 12 tests in 1.203s",
       })
    EXPECT_EQ(parse_line(kEndingFactsParser, line).fact("outcome"), "ok") << line;
}

TEST(EndingFacts, LinesThatFailuresPrintTooAreNoOutcome) {
  for (const char* line : {
           "INFO:     Application shutdown complete.",
           "INFO:     Finished server process [7]",
           "Training of experiment is done and the best AP is 0.00",
           "d2.engine.hooks: Total training time: 1:22:30 (0:02:18 on hooks)",
           "============ 1 failed, 12 passed in 3.45s ============",
           "1 failed, 12 passed in 3.45s",
           "12 passed, 1 error in 3.45s",
           "98% tests passed, 2 tests failed out of 100",
           "test result: FAILED. 11 passed; 1 failed",
           "Training complete: 5%",
           "Training completed for 3 of 10 folds",
           "the job 'raysubmit_x' failed",
           "init-1 exited with code 0",
           "  Exit Code:    0",
           "Process 4242 exits successfully.",
           "Local worker group finished (FAILED). Waiting 300 seconds for other agents to finish",
           "[  PASSED  ] 0 tests.",
           "[doctest] Status: FAILURE!",
           "sagemaker-training-toolkit ERROR    Reporting training FAILURE",
           "AMP: checks passed",
           "Update succeeded.",
           "Saving final checkpoint to /ckpt/last.pt",
           "ETA until training is done in 12 h",
       })
    EXPECT_EQ(parse_line(kEndingFactsParser, line).fact("outcome"), "") << line;
}

TEST(EndingFacts, SentencesOnExitCodesAndSignalsAreNoFacts) {
  constexpr const char* kLines[] = {
      "exited with code -",
      "init-1 exited with code 0",
      "exit code: 137 means that the process was killed",
      "the worker returned exit code: 1, retrying",
      "if [ $EXIT_CODE -ne 0 ]; then",
      "Killed 3 stale workers",
      "Aborted transactions: 0",
      "Segmentation fault tolerance is on",
      "make: [Makefile:12: clean] Error 1 (ignored)",
      "Reason:   none",
      "The first step is DUE TO start",
  };
  expect_no_facts(kEndingFactsParser, kLines);
}

}  // namespace
}  // namespace cutopsy
