// Checks of a job's environment variables, asked about a process of a copied machine and about values from a log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/copied_machine.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;

void add_gpus(const CopiedMachine& machine, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    machine.write("/proc/driver/nvidia/gpus/0000:0" + number + ":00.0/information",
                  "Model: \t\t NVIDIA H200\nGPU UUID: \t GPU-" + number + "fb42d6f-7d6b-368f-f79c-3c3e784c93f6\n");
  }
}

TEST(Job, IsTheProcessThatIsNamed) {
  const CopiedMachine machine;
  machine.add_job(42, {"A=1", "B=two words", "A=2", "no assignment"});
  const Job job = machine.job(42);
  EXPECT_EQ(job.variable("A"), "1");
  EXPECT_EQ(job.variable("B"), "two words");
  EXPECT_FALSE(job.variable("C"));
  EXPECT_EQ(job.name(), "process 42");
}

TEST(Job, TakesAVariableFromTheLogFirst) {
  const CopiedMachine machine;
  machine.add_job(42, {"MASTER_PORT=1"});
  Parameters parameters;
  parameters.set("pid", "42");
  parameters.set("master_port", "2");
  EXPECT_EQ(Job::find(machine.host(), parameters).variable("MASTER_PORT"), "2");
}

TEST(Job, HasNoEnvironmentWhenItIsGoneOrNoneIsNamedOfACopy) {
  const CopiedMachine machine;
  EXPECT_EQ(machine.ask("debug-env", {}).doubt, Doubt::not_applicable);
  EXPECT_EQ(machine.ask("debug-env", {{"pid", "42"}}).doubt, Doubt::could_not_run);
  EXPECT_EQ(machine.ask("debug-env", {{"pid", "../self"}}).doubt, Doubt::could_not_run);
}

TEST(Job, ListsEachMappedFileOnce) {
  const CopiedMachine machine;
  machine.add_job(42, {},
                  "7f00-7f01 r--p 00000000 08:01 77                         /usr/lib/a library.so\n"
                  "7f01-7f02 r-xp 00001000 08:01 77                         /usr/lib/a library.so\n"
                  "7f02-7f03 rw-p 00000000 00:00 0 \n"
                  "7f03-7f04 r--p 00000000 08:01 78                         /usr/lib/b.so (deleted)\n"
                  "7ffe-7fff rw-p 00000000 00:00 0                          [stack]\n");
  const auto files = machine.job(42).mapped_files(machine.host());
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ((*files)[0].path, "/usr/lib/a library.so");
  EXPECT_EQ((*files)[0].inode, "08:01 77");
  EXPECT_EQ((*files)[1].path, "/usr/lib/b.so");
}

struct ListCase {
  const char* list;
  Reply reply;
  const char* detail;
};

TEST(VisibleDevicesEnv, JudgesTheList) {
  const CopiedMachine machine;
  add_gpus(machine, 2);
  const std::vector<ListCase> cases = {
      {"0", Reply::no, "well formed"},
      {"0,1", Reply::no, "well formed"},
      {" 1 , 0 ", Reply::no, "well formed"},
      {"0,-1,9", Reply::no, "well formed"},
      {"GPU-1fb42d6f", Reply::no, "well formed"},
      {"MIG-5f6a4b2c-0000-5aab-9a3d-0d9e0f1b2c3d", Reply::no, "well formed"},
      {"MIG-GPU-5f6a4b2c/1/0", Reply::no, "well formed"},
      {"", Reply::yes, "empty"},
      {" ", Reply::yes, "empty"},
      {"-1", Reply::yes, "hides every GPU"},
      {"NoDevFiles", Reply::yes, "neither"},
      {"0-1", Reply::yes, "reads only the 0"},
      {"cuda:0", Reply::yes, "neither"},
      {"0,,1", Reply::yes, "neither"},
      {"0,1,", Reply::yes, "neither"},
      {"'0'", Reply::yes, "neither"},
      {"0,0", Reply::yes, "twice"},
      {"2", Reply::yes, "only 0 to 1"},
      {"GPU-9", Reply::yes, "no GPU of this machine"},
      {"0,GPU-1fb4", Reply::yes, "mixes"},
      {"99999999999999999999", Reply::yes, "neither"},
  };
  for (const ListCase& each : cases) {
    const Answer answer = machine.ask("visible-devices-env", {{"cuda_visible_devices", each.list}});
    EXPECT_EQ(answer.reply, each.reply) << each.list << ": " << answer.detail;
    EXPECT_THAT(answer.detail, HasSubstr(each.detail));
  }
}

TEST(VisibleDevicesEnv, DoesNotCountWhatItCannotSee) {
  const CopiedMachine hidden;
  EXPECT_EQ(hidden.ask("visible-devices-env", {{"cuda_visible_devices", "7"}}).reply, Reply::no);
  const CopiedMachine mig;
  add_gpus(mig, 1);
  mig.write("/proc/driver/nvidia/capabilities/gpu0/mig/gi1/access", "");
  EXPECT_EQ(mig.ask("visible-devices-env", {{"cuda_visible_devices", "3"}}).reply, Reply::no);
}

TEST(VisibleDevicesEnv, TakesVoidForAFaultOnlyWithoutDeviceNodes) {
  const CopiedMachine machine;
  machine.add_job(42, {"NVIDIA_VISIBLE_DEVICES=void"});
  EXPECT_EQ(machine.ask("visible-devices-env", {{"pid", "42"}}).reply, Reply::yes);
  machine.write("/dev/nvidia0", "");
  EXPECT_EQ(machine.ask("visible-devices-env", {{"pid", "42"}}).reply, Reply::no);
}

TEST(VisibleDevicesEnv, KnowsTheOrders) {
  const CopiedMachine machine;
  machine.add_job(42, {"CUDA_DEVICE_ORDER=PCI_BUS_ID"});
  machine.add_job(43, {"CUDA_DEVICE_ORDER=PCI_BUS"});
  EXPECT_EQ(machine.ask("visible-devices-env", {{"pid", "42"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("visible-devices-env", {{"pid", "43"}}).reply, Reply::yes);
  EXPECT_EQ(machine.ask("visible-devices-env", {{"pid", "44"}}).reply, Reply::unknown);
}

TEST(AllocatorEnv, JudgesTheOptions) {
  const CopiedMachine machine;
  const std::vector<ListCase> cases = {
      {"", Reply::no, "well formed"},
      {"expandable_segments:True", Reply::no, "well formed"},
      {"max_split_size_mb:128, garbage_collection_threshold:0.8,", Reply::no, "well formed"},
      {"roundup_power2_divisions:[256:1,512:2,>:4],backend:native", Reply::no, "well formed"},
      {"backend:cudaMallocAsync", Reply::no, "well formed"},
      {"expandable_segments:true", Reply::yes, "True or False"},
      {"expandable_segments=True", Reply::yes, "no value"},
      {"max_split_size_mb", Reply::yes, "no value"},
      {"max_split_size_mb:8", Reply::yes, "from 20 on"},
      {"max_split_size_mb:128MB", Reply::yes, "from 20 on"},
      {"max_split_size_mb:128;backend:native", Reply::yes, "from 20 on"},
      {"garbage_collection_threshold:1.5", Reply::yes, "between 0.0 and 1.0"},
      {"garbage_collection_threshold:nan", Reply::yes, "between 0.0 and 1.0"},
      {"roundup_power2_divisions:3", Reply::yes, "power of two"},
      {"roundup_power2_divisions:[256:3]", Reply::yes, "power of two"},
      {"roundup_power2_divisions:[256:1", Reply::yes, "power of two"},
      {"backend:async", Reply::yes, "native or cudaMallocAsync"},
      {"pinned_num_register_threads:3", Reply::yes, "power of two"},
      {"max_split_size:128", Reply::unknown, "no option of PyTorch"},
  };
  for (const ListCase& each : cases) {
    const Answer answer = machine.ask("allocator-env", {{"pytorch_cuda_alloc_conf", each.list}});
    EXPECT_EQ(answer.reply, each.reply) << each.list << ": " << answer.detail;
    EXPECT_THAT(answer.detail, HasSubstr(each.detail));
  }
}

TEST(AllocatorEnv, IsContentWithoutTheVariable) {
  const CopiedMachine machine;
  machine.add_job(42, {});
  EXPECT_EQ(machine.ask("allocator-env", {{"pid", "42"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("allocator-env", {}).reply, Reply::unknown);
}

struct SwitchCase {
  const char* check;
  const char* variable;
  Reply reply;
};

TEST(SwitchesInTheEnvironment, CountWhenTheyAreOn) {
  const std::vector<SwitchCase> cases = {
      {"jit-env", "CUDA_DISABLE_PTX_JIT=1", Reply::yes},   {"jit-env", "CUDA_DISABLE_PTX_JIT=0", Reply::no},
      {"jit-env", "CUDA_FORCE_PTX_JIT=1", Reply::yes},     {"jit-env", "CUDA_CACHE_DISABLE=1", Reply::no},
      {"debug-env", "CUDA_LAUNCH_BLOCKING=1", Reply::yes}, {"debug-env", "CUDA_LAUNCH_BLOCKING=", Reply::no},
      {"debug-env", "NCCL_DEBUG=trace", Reply::yes},       {"debug-env", "NCCL_DEBUG=WARN", Reply::no},
      {"nccl-env", "NCCL_P2P_DISABLE=1", Reply::yes},      {"nccl-env", "NCCL_P2P_DISABLE=0", Reply::no},
      {"nccl-env", "NCCL_P2P_LEVEL=LOC", Reply::yes},      {"nccl-env", "NCCL_P2P_LEVEL=NVL", Reply::no},
      {"nccl-env", "NCCL_SHM_DISABLE=1", Reply::yes},      {"nccl-env", "NCCL_IB_DISABLE=1", Reply::no},
  };
  for (const SwitchCase& each : cases) {
    const CopiedMachine machine;
    machine.add_job(42, {each.variable});
    const Answer answer = machine.ask(each.check, {{"pid", "42"}});
    EXPECT_EQ(answer.reply, each.reply) << each.variable << ": " << answer.detail;
    EXPECT_EQ(machine.ask(each.check, {{"pid", "43"}}).doubt, Doubt::could_not_run);
  }
}

TEST(NcclEnv, MindsInfinibandSwitchesWhereThereIsInfiniband) {
  const CopiedMachine machine;
  machine.write("/sys/class/infiniband/mlx5_0/node_type", "1: CA");
  EXPECT_EQ(machine.ask("nccl-env", {{"nccl_ib_disable", "1"}}).reply, Reply::yes);
}

TEST(MpsEnv, LooksForTheDaemonBehindTheFolder) {
  const CopiedMachine machine;
  machine.add_job(42, {});
  machine.add_job(43, {"CUDA_MPS_PIPE_DIRECTORY=/tmp/nvidia-mps"});
  EXPECT_EQ(machine.ask("mps-env", {{"pid", "42"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("mps-env", {{"pid", "43"}}).reply, Reply::yes);
  machine.write("/tmp/nvidia-mps/control", "");
  EXPECT_EQ(machine.ask("mps-env", {{"pid", "43"}}).doubt, Doubt::undecided);
  machine.write("/proc/77/comm", "nvidia-cuda-mps");
  EXPECT_EQ(machine.ask("mps-env", {{"pid", "43"}}).reply, Reply::no);
}

TEST(MpsEnv, DoesNotTakeALeftSocketForADaemon) {
  const CopiedMachine machine;
  machine.add_job(1, {});
  machine.link("/proc/self/ns/pid", "pid:[4026531836]");
  machine.write("/tmp/nvidia-mps/control", "");
  EXPECT_EQ(machine.ask("mps-env", {{"cuda_mps_pipe_directory", "/tmp/nvidia-mps"}}).reply, Reply::yes);
}

}  // namespace
}  // namespace cutopsy
