#include "parsers/rank_failure.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

Event failure_in(std::string_view line) {
  return only_event(kRankFailureParser, line);
}

TEST(RankFailure, Torchrun) {
  const Event agent = failure_in("failed (exitcode: -9) local_rank: 0 (pid: 4242) of binary: /opt/venv/bin/python3");
  EXPECT_EQ(agent.kind, "launcher.rank_failed");
  EXPECT_EQ(agent.emitter, "torchrun");
  EXPECT_EQ(agent.fields.get("exitcode"), "-9");
  EXPECT_EQ(agent.fields.get("signal"), "9");
  EXPECT_EQ(agent.fields.get("local_rank"), "0");
  EXPECT_EQ(agent.fields.get("pid"), "4242");
}

TEST(RankFailure, MultiprocessingSpawn) {
  const Event killed =
      failure_in("torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL");
  EXPECT_EQ(killed.fields.get("local_rank"), "1");
  EXPECT_EQ(killed.fields.get("signal"), "9");
  const Event exited =
      failure_in("torch.multiprocessing.spawn.ProcessExitedException: process 0 terminated with exit code 1");
  EXPECT_EQ(exited.fields.get("exitcode"), "1");
  EXPECT_EQ(failure_in("-- Process 3 terminated with the following error:").fields.get("local_rank"), "3");
}

TEST(RankFailure, DeepSpeedAndHorovod) {
  const Event deepspeed = failure_in(
      "['/opt/venv/bin/python3', '-u', 'train.py', '--local_rank=7', '--deepspeed'] exits with return code = -9");
  EXPECT_EQ(deepspeed.fields.get("local_rank"), "7");
  EXPECT_EQ(deepspeed.fields.get("signal"), "9");
  EXPECT_EQ(failure_in("Killing subprocess 4242").fields.get("pid"), "4242");
  const Event horovod = failure_in("Process 2 exit with status code 134.");
  EXPECT_EQ(horovod.fields.get("rank"), "2");
  EXPECT_EQ(horovod.fields.get("signal"), "6");
}

TEST(RankFailure, Slurm) {
  const Event exited = failure_in("srun: error: node2: task 12: Exited with exit code 1");
  EXPECT_EQ(exited.emitter, "slurm");
  EXPECT_EQ(exited.fields.get("host"), "node2");
  EXPECT_EQ(exited.fields.get("rank"), "12");
  EXPECT_EQ(exited.fields.get("exitcode"), "1");
  const Event killed = failure_in("srun: error: node1: tasks 0-3,5: Killed");
  EXPECT_EQ(killed.fields.get("rank"), "0-3,5");
  EXPECT_EQ(killed.fields.get("signal"), "9");
  EXPECT_EQ(failure_in("srun: error: node1: task 0: Segmentation fault (core dumped)").fields.get("signal"), "11");
}

TEST(RankFailure, MpiLaunchers) {
  const Event open_mpi =
      failure_in("mpirun noticed that process rank 3 with PID 4242 on node node1 exited on signal 9 (Killed).");
  EXPECT_EQ(open_mpi.fields.get("rank"), "3");
  EXPECT_EQ(open_mpi.fields.get("pid"), "4242");
  EXPECT_EQ(open_mpi.fields.get("host"), "node1");
  EXPECT_EQ(open_mpi.fields.get("signal"), "9");
  EXPECT_EQ(failure_in("  Process name: [[25618,1],3]").fields.get("rank"), "3");
  EXPECT_EQ(failure_in("  Process name: [prterun-node1-4242@1,7]").fields.get("rank"), "7");
  EXPECT_EQ(failure_in("  Exit code:    1").fields.get("exitcode"), "1");
  EXPECT_EQ(failure_in("MPI_ABORT was invoked on rank 5 in communicator MPI_COMM_WORLD").fields.get("rank"), "5");
  EXPECT_EQ(failure_in("with errorcode 1.").fields.get("exitcode"), "1");
  const Event abort = failure_in("application called MPI_Abort(MPI_COMM_WORLD, 1) - process 4");
  EXPECT_EQ(abort.fields.get("rank"), "4");
  EXPECT_EQ(failure_in("=   RANK 2 PID 4242 RUNNING AT node7").fields.get("host"), "node7");
  EXPECT_EQ(failure_in("=   EXIT CODE: 139").fields.get("signal"), "11");
  EXPECT_EQ(failure_in("=   KILLED BY SIGNAL: 9 (Killed)").fields.get("signal"), "9");
}

TEST(RankFailure, LightningAndTextGenerationInference) {
  const Event lightning = failure_in(
      "[rank: 1] Child process with PID 9487 terminated with code -9. Forcefully terminating all other processes");
  EXPECT_EQ(lightning.fields.get("signal"), "9");
  EXPECT_EQ(lightning.fields.get("pid"), "9487");
  EXPECT_EQ(failure_in("Shard process was signaled to shutdown with signal 9 rank=0").fields.get("signal"), "9");
}

TEST(RankFailure, SignalsThatMpiLaunchersPrintInALineOfTheirOwn) {
  EXPECT_EQ(failure_in("signal 11 (Segmentation fault).").fields.get("signal"), "11");
  EXPECT_EQ(failure_in("signal 9 (Killed).").fields.get("signal"), "9");
  EXPECT_EQ(failure_in("YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)").fields.get("signal"),
            "9");
  EXPECT_TRUE(parse_line(kRankFailureParser, "caught signal 11 (Segmentation fault). Going on").events.empty());
}

TEST(RankFailure, Ray) {
  const Event worker = failure_in(
      "A worker died or was killed while executing a task by an unexpected system error. RayTask ID: 16310a Worker ID: "
      "0f "
      "Node ID: 5c1d Worker IP address: 10.0.0.2 Worker port: 10005 Worker PID: 4242 Worker exit type: SYSTEM_ERROR");
  EXPECT_EQ(worker.fields.get("host"), "10.0.0.2");
  EXPECT_EQ(worker.fields.get("pid"), "4242");
  EXPECT_EQ(failure_in("ray.exceptions.RayActorError: The actor died unexpectedly before finishing this task.").emitter,
            "ray");
}

TEST(RankFailure, ContainersAndCi) {
  EXPECT_EQ(failure_in("      Exit Code:    137").fields.get("signal"), "9");
  EXPECT_EQ(failure_in("    exitCode: 137").fields.get("exitcode"), "137");
  EXPECT_EQ(failure_in("\"exitCode\":139,").fields.get("signal"), "11");
  EXPECT_EQ(failure_in("status=failed exit_code=134").fields.get("signal"), "6");
  EXPECT_EQ(failure_in("trainer-1 exited with code 137").fields.get("exitcode"), "137");
  EXPECT_EQ(failure_in("[controller] job moe-2n failed: task 5 exited with code -6").fields.get("rank"), "5");
  EXPECT_EQ(failure_in("command terminated with exit code 137").fields.get("signal"), "9");
  EXPECT_EQ(failure_in("##[error]Process completed with exit code 1.").fields.get("exitcode"), "1");
  EXPECT_EQ(failure_in("ERROR: Job failed: exit code 1").fields.get("exitcode"), "1");
  EXPECT_EQ(failure_in("Process finished with exit code -1073740791 (0xC0000409)").fields.get("exitcode"),
            "-1073740791");
  const Event pdsh = failure_in("pdsh@gn21: gn22: ssh exited with exit code 1");
  EXPECT_EQ(pdsh.fields.get("host"), "gn22");
}

TEST(RankFailure, SubprocessesAndShells) {
  const Event status = failure_in(
      "subprocess.CalledProcessError: Command '['/usr/bin/python', '-u', 'train.py', '--local_rank=1']' returned "
      "non-zero exit status 1.");
  EXPECT_EQ(status.fields.get("exitcode"), "1");
  EXPECT_EQ(status.fields.get("local_rank"), "1");
  EXPECT_EQ(
      failure_in("subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGKILL: 9>.")
          .fields.get("signal"),
      "9");
  EXPECT_TRUE(
      parse_line(kRankFailureParser,
                 "subprocess.CalledProcessError: Command '['bash', 'fetch.sh']' returned non-zero exit status 4.")
          .events.empty());
  const Event shell = failure_in("./train.sh: line 12:  4242 Killed                  python train.py");
  EXPECT_EQ(shell.fields.get("pid"), "4242");
  EXPECT_EQ(shell.fields.get("signal"), "9");
}

TEST(RankFailure, AShellThatEndsAMonitorIsNoFailure) {
  EXPECT_TRUE(
      parse_line(kRankFailureParser, "./run.sh: line 19: 22118 Terminated              nvidia-smi dmon > gpu.log")
          .events.empty());
  const Event rank = failure_in("./run.sh: line 12: 4242 Terminated              torchrun train.py > logs/0.log");
  EXPECT_EQ(rank.fields.get("signal"), "15");
}

TEST(RankFailure, AnExitCodeMayBeASignalsNegative) {
  EXPECT_EQ(failure_in("[12-16 14:27:10] Exit code: -9").fields.get("signal"), "9");
}

TEST(RankFailure, OnlyCodesOfSignalsNameASignal) {
  EXPECT_EQ(failure_in("trainer-1 exited with code 128").fields.get("signal"), "");
  EXPECT_EQ(failure_in("trainer-1 exited with code 129").fields.get("signal"), "1");
  EXPECT_EQ(failure_in("trainer-1 exited with code 255").fields.get("signal"), "");
  EXPECT_EQ(failure_in("trainer-1 exited with code 4294967295").fields.get("signal"), "");
}

TEST(RankFailure, SuccessesOtherFailuresAndCutLinesAreNone) {
  for (const char* line : {"Process finished with exit code 0", "trainer-1 exited with code 0", "      Exit Code:    0",
                           "exitCode: 0", "  exitcode  : 0 (pid: 4242)", "    exitcode = _main(fd, parent_sentinel)",
                           "compute-sanitizer --error-exitcode 1 ./t",
                           "RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed.",
                           "Sending process 4243 closing signal SIGTERM",
                           "systemd-udevd[612]: Process '/bin/modprobe nvidia-modeset' failed with exit code 1.",
                           "collect2: error: ld returned 1 exit status",
                           "failed (exitcode: ", "failed (exitcode: x) local_rank: 0 (pid: 1)", "  rank      : 3",
                           "exits with return code = ", "[Control     1] Server 17 exited with status 1"})
    EXPECT_TRUE(parse_line(kRankFailureParser, line).events.empty()) << line;
}

}  // namespace
}  // namespace cutopsy
