#include "parsers/kernel_oom_kill.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

Event kill_in(std::string_view line) {
  return only_event(kOomKillParser, line);
}

TEST(OomKill, VictimOfAMemoryCgroup) {
  const Event event = kill_in(
      "Memory cgroup out of memory: Killed process 77120 (python3) total-vm:918273640kB, anon-rss:521900112kB, "
      "file-rss:401220kB, shmem-rss:8813212kB, UID:1000 pgtables:1048112kB oom_score_adj:937");
  EXPECT_EQ(event.kind, "kernel.oom_kill");
  EXPECT_EQ(event.emitter, "kernel");
  EXPECT_EQ(event.fields.get("pid"), "77120");
  EXPECT_EQ(event.fields.get("process"), "python3");
  EXPECT_EQ(event.fields.get("constraint"), "memcg");
  EXPECT_EQ(event.fields.get("anon_rss"), "521900112kB");
}

TEST(OomKill, VictimOfTheWholeMachineInOldAndNewKernels) {
  const Event now =
      kill_in("Out of memory: Killed process 4242 (python3) total-vm:123456kB, anon-rss:65432kB, file-rss:0kB");
  EXPECT_EQ(now.fields.get("constraint"), "global");
  EXPECT_EQ(now.fields.get("pid"), "4242");
  const Event old = kill_in("Out of memory: Kill process 1802 (python) score 987 or sacrifice child");
  EXPECT_EQ(old.fields.get("process"), "python");
  EXPECT_EQ(old.fields.get("constraint"), "global");
  const Event second_line =
      kill_in("Killed process 1802 (python) total-vm:33554432kB, anon-rss:31457280kB, file-rss:0kB");
  EXPECT_EQ(second_line.fields.get("anon_rss"), "31457280kB");
  const Event with_uid = kill_in("Killed process 1802, UID 1000, (python) total-vm:33554432kB, anon-rss:31457280kB");
  EXPECT_EQ(with_uid.fields.get("pid"), "1802");
}

TEST(OomKill, ProcessNamesMayHoldBlanksAndParentheses) {
  EXPECT_EQ(kill_in("Out of memory: Killed process 9 ((sd-pam)) total-vm:1kB").fields.get("process"), "(sd-pam)");
  EXPECT_EQ(kill_in("Out of memory: Killed process 9 (Web Content) total-vm:1kB").fields.get("process"), "Web Content");
}

TEST(OomKill, ConstraintLineNamesGroupAndTask) {
  const Event memcg = kill_in(
      "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-51b0c9c1a5.scope,mems_allowed=0-1,"
      "oom_memcg=/kubepods.slice/pod7d0e4f4c.slice,task_memcg=/kubepods.slice/pod7d0e4f4c.slice/"
      "main.scope,task=python3,"
      "pid=77120,uid=1000");
  EXPECT_EQ(memcg.fields.get("constraint"), "memcg");
  EXPECT_EQ(memcg.fields.get("cgroup"), "/kubepods.slice/pod7d0e4f4c.slice");
  EXPECT_EQ(memcg.fields.get("process"), "python3");
  EXPECT_EQ(memcg.fields.get("pid"), "77120");
  const Event global = kill_in(
      "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/user.slice,"
      "task=python3,pid=4242,uid=1000");
  EXPECT_EQ(global.fields.get("constraint"), "global");
  EXPECT_FALSE(global.fields.has("cgroup"));
  EXPECT_EQ(global.fields.get("pid"), "4242");
  EXPECT_EQ(kill_in("oom-kill:constraint=CONSTRAINT_CPUSET,nodemask=(nu").fields.get("constraint"), "cpuset");
}

TEST(OomKill, LimitOfTheGroupWithoutSwapAndWithoutUnlimitedGroups) {
  const Event event = kill_in("memory: usage 536870912kB, limit 536870912kB, failcnt 118402");
  EXPECT_EQ(event.fields.get("limit"), "536870912kB");
  EXPECT_EQ(event.fields.get("usage"), "536870912kB");
  EXPECT_EQ(event.fields.get("constraint"), "memcg");
  for (const char* line : {"memory+swap: usage 536870912kB, limit 9007199254740988kB, failcnt 0",
                           "memory: usage 536870912kB, limit 9007199254740988kB, failcnt 0",
                           "kmem: usage 0kB, limit 9007199254740988kB, failcnt 0"})
    EXPECT_TRUE(parse_line(kOomKillParser, line).events.empty()) << line;
}

TEST(OomKill, UserSpaceGuards) {
  const Event earlyoom = kill_in("sending SIGTERM to process 4242 uid 1000 \"python3\": badness 900, VmRSS 61234 MiB");
  EXPECT_EQ(earlyoom.emitter, "earlyoom");
  EXPECT_EQ(earlyoom.fields.get("process"), "python3");
  EXPECT_EQ(earlyoom.fields.get("constraint"), "user-space");
  const Event oomd = kill_in(
      "Killed /user.slice/user-1000.slice/user@1000.service/app.slice/train.scope due to memory pressure for "
      "/user.slice/user-1000.slice being 63.72% > 50.00% for > 20s with reclaim activity");
  EXPECT_EQ(oomd.emitter, "systemd-oomd");
  EXPECT_EQ(oomd.fields.get("cgroup"), "/user.slice/user-1000.slice/user@1000.service/app.slice/train.scope");
  EXPECT_EQ(kill_in("train.scope: systemd-oomd killed 42 process(es) in this unit.").fields.get("cgroup"),
            "train.scope");
  EXPECT_EQ(kill_in("train.service: A process of this unit has been killed by the OOM killer.").fields.get("cgroup"),
            "train.service");
  EXPECT_EQ(kill_in("train.service: Failed with result 'oom-kill'.").fields.get("cgroup"), "train.service");
}

TEST(OomKill, Ray) {
  EXPECT_EQ(kill_in("node_manager.cc:3193: 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers "
                    "crashed due to other reasons at node (ID: 5c1d, IP: 10.0.0.2) over the last time period.")
                .emitter,
            "ray");
  const Event usage = kill_in(
      "Memory on the node (IP: 10.0.0.2, ID: 5c1d) where the task (task ID: 16310a, name=train, pid=4242, memory "
      "used=25.10GB) was running was 30.30GB / 31.00GB (0.977389), which exceeds the memory usage threshold of 0.95.");
  EXPECT_EQ(usage.fields.get("usage"), "30.30GB");
  EXPECT_EQ(usage.fields.get("limit"), "31.00GB");
  EXPECT_EQ(usage.fields.get("pid"), "4242");
}

TEST(OomKill, Slurm) {
  for (const char* line :
       {"slurmstepd: error: Detected 1 oom_kill event in StepId=123456.0. Some of the step tasks have been OOM Killed.",
        "slurmstepd: error: Detected 3 oom-kill event(s) in StepId=123456.batch cgroup. Some of your processes may "
        "have been "
        "killed by the cgroup out-of-memory handler.",
        "slurmstepd: error: Detected 1 oom-kill event(s) in step 123456.0 cgroup.",
        "Some of your processes may have been killed by the cgroup out-of-memory handler.",
        "srun: error: node1: task 0: Out Of Memory", "JobState=OUT_OF_MEMORY Reason=OutOfMemory",
        "State: OUT_OF_MEMORY (exit code 0)"}) {
    const Event event = kill_in(line);
    EXPECT_EQ(event.emitter, "slurm") << line;
    EXPECT_EQ(event.fields.get("constraint"), "memcg") << line;
  }
  EXPECT_EQ(kill_in("Detected 1 oom_kill event in StepId=123456.0. Some").fields.get("cgroup"), "123456.0");
  EXPECT_EQ(kill_in("slurmstepd: error: Job 17 exceeded memory limit (67201024 > 67108864), being killed")
                .fields.get("limit"),
            "67108864");
}

TEST(OomKill, KubernetesStates) {
  for (const char* line : {"      Reason:       OOMKilled", "    reason: OOMKilled", "\"reason\":\"OOMKilled\"",
                           "trainer-0   0/1     OOMKilled   3 (2m ago)   5m", "\"OOMKilled\": true,",
                           "container main terminated: OOMKilled", "main: OOMKilled (exit code 137)",
                           "Last State: Terminated (OOMKilled)"})
    EXPECT_EQ(kill_in(line).emitter, "kubernetes") << line;
  const Event system =
      kill_in("Warning  SystemOOM  3m  kubelet  System OOM encountered, victim process: python3, pid: 77120");
  EXPECT_EQ(system.fields.get("process"), "python3");
  EXPECT_EQ(system.fields.get("pid"), "77120");
}

TEST(OomKill, OtherSchedulers) {
  EXPECT_EQ(kill_in("Container killed by YARN for exceeding memory limits. 10.4 GB of 10.4 GB physical memory used.")
                .fields.get("limit"),
            "10.4 GB");
  EXPECT_EQ(kill_in("TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.").emitter, "lsf");
  EXPECT_EQ(kill_in("=>> PBS: job killed: mem 67201024kb exceeded limit 67108864kb").fields.get("limit"), "67108864kb");
}

TEST(OomKill, WhereSchedulersSayThatItWas) {
  const Event slurm = kill_in("srun: error: pod2-b3: task 2: Out Of Memory");
  EXPECT_EQ(slurm.fields.get("host"), "pod2-b3");
  EXPECT_EQ(slurm.fields.get("rank"), "2");
  const Event ray = kill_in(
      "(raylet) node_manager.cc:3069: 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers "
      "crashed due to other reasons at node (ID: 351e406b196f66bb45, IP: 10.95.143.76) over the last time period.");
  EXPECT_EQ(ray.fields.get("host"), "10.95.143.76");
}

TEST(OomKill, HealthyAndCutLinesAreNone) {
  for (const char* line :
       {"\"OOMKilled\": false,", "labels: ['none', 'cuda_oom', 'OOMKilled', 'host_oom_killed']",
        "python3 invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=937",
        "slurmstepd: Detected 0 oom_kill events in StepId=1.0", "Out of memory: Killed process ",
        "Out of memory: Killed process abc (python3) total-vm:1kB", "Killed process 4242 (python3)",
        "oom-kill:constraint=", "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"})
    EXPECT_TRUE(parse_line(kOomKillParser, line).events.empty()) << line;
}

}  // namespace
}  // namespace cutopsy
