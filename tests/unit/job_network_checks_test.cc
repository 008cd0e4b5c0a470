// Checks of where a job's ranks meet, asked about a copied machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/copied_machine.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;

constexpr const char* kSockets =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 00000000:733C 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 55501 1 0 100 0 0 10 "
    "0\n"
    "   1: 0100007F:733D 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 55502 1 0 20 4 30 10 "
    "-1\n";

TEST(RendezvousPort, NamesWhoListens) {
  const CopiedMachine machine;
  machine.write("/proc/net/tcp", kSockets);
  machine.add_job(77, {});
  machine.link("/proc/77/fd/5", "socket:[55501]");
  const Answer answer = machine.ask("rendezvous-port", {{"port", "29500"}});
  EXPECT_EQ(answer.reply, Reply::yes);
  EXPECT_THAT(answer.detail, HasSubstr("process 77 (python)"));
}

TEST(RendezvousPort, ReadsTheTableOfVersion6AsWell) {
  const CopiedMachine machine;
  machine.write("/proc/net/tcp", "");
  machine.write("/proc/net/tcp6",
                "   0: 00000000000000000000000000000000:733C 00000000000000000000000000000000:0000 0A "
                "00000000:00000000 00:00000000 00000000     0        0 55503 1 0 100 0 0 10 0\n");
  const Answer answer = machine.ask("rendezvous-port", {{"master_port", "29500"}});
  EXPECT_EQ(answer.reply, Reply::yes);
  EXPECT_THAT(answer.detail, HasSubstr("another user or container"));
}

TEST(RendezvousPort, IsFreeWithoutAListener) {
  const CopiedMachine machine;
  machine.write("/proc/net/tcp", kSockets);
  EXPECT_EQ(machine.ask("rendezvous-port", {{"port", "29501"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("rendezvous-port", {{"port", "0"}}).reply, Reply::no);
}

TEST(RendezvousPort, RefusesWhatIsNoPort) {
  const CopiedMachine machine;
  for (const char* const port : {"70000", "99999999", "port", "-1", ""}) {
    EXPECT_EQ(machine.ask("rendezvous-port", {{"port", port}}).doubt, Doubt::could_not_run) << port;
  }
}

TEST(RendezvousPort, IsUnknownWithoutAPortOrATable) {
  const CopiedMachine machine;
  EXPECT_EQ(machine.ask("rendezvous-port", {}).doubt, Doubt::not_applicable);
  EXPECT_EQ(machine.ask("rendezvous-port", {{"port", "29500"}}).doubt, Doubt::could_not_run);
}

void add_interfaces(const CopiedMachine& machine) {
  machine.write("/proc/net/dev",
                "Inter-|   Receive                                                |  Transmit\n"
                " face |bytes    packets errs drop fifo frame compressed multicast|bytes\n"
                "    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
                "  eth0: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
                "  eth1: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
                "   ib0: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n");
  machine.write("/sys/class/net/lo/operstate", "unknown\n");
  machine.write("/sys/class/net/eth0/operstate", "up\n");
  machine.write("/sys/class/net/eth1/operstate", "down\n");
  machine.write("/sys/class/net/ib0/operstate", "down\n");
}

TEST(NetworkInterface, IsPresentAndUp) {
  const CopiedMachine machine;
  add_interfaces(machine);
  for (const char* const name : {"eth0", "eth", "=eth0", "eth1,eth0", "^docker", "lo"}) {
    EXPECT_NE(machine.ask("network-interface", {{"nccl_socket_ifname", name}}).reply, Reply::yes) << name;
  }
  EXPECT_EQ(machine.ask("network-interface", {{"gloo_socket_ifname", "eth0"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("network-interface", {{"interface", "eth0"}}).reply, Reply::no);
}

TEST(NetworkInterface, IsAbsentOrDown) {
  const CopiedMachine machine;
  add_interfaces(machine);
  for (const char* const name : {"ens", "=eth", "ib0", "eth1"}) {
    EXPECT_EQ(machine.ask("network-interface", {{"nccl_socket_ifname", name}}).reply, Reply::yes) << name;
  }
  EXPECT_EQ(machine.ask("network-interface", {{"gloo_socket_ifname", "eth"}}).reply, Reply::yes);
  EXPECT_EQ(machine.ask("network-interface", {{"interface", "ens3f0"}}).reply, Reply::yes);
}

TEST(NetworkInterface, IsUnknownWhenNoneIsNamedOrNoneIsListed) {
  const CopiedMachine machine;
  add_interfaces(machine);
  EXPECT_EQ(machine.ask("network-interface", {}).doubt, Doubt::not_applicable);
  EXPECT_EQ(CopiedMachine().ask("network-interface", {{"nccl_socket_ifname", "eth0"}}).doubt, Doubt::could_not_run);
}

void name_as_debian_does(const CopiedMachine& machine, const std::string& name) {
  machine.write("/proc/sys/kernel/hostname", name + "\n");
  machine.write("/etc/hosts", "127.0.0.1 localhost\n127.0.1.1\t" + name + ".lan " + name +
                                  " # by the installer\n10.0.0.7 other\n::1 ip6-localhost\n");
}

TEST(NetworkChecks, SayThatTheJobIsGone) {
  const CopiedMachine machine;
  EXPECT_EQ(machine.ask("network-interface", {{"pid", "42"}}).doubt, Doubt::could_not_run);
  EXPECT_EQ(machine.ask("rendezvous-port", {{"pid", "42"}}).doubt, Doubt::could_not_run);
}

TEST(HostnameLoopback, IsAFaultForAJobOnSeveralMachines) {
  const CopiedMachine machine;
  name_as_debian_does(machine, "node1");
  EXPECT_EQ(machine.ask("hostname-loopback", {{"nodes", "2"}}).reply, Reply::yes);
  EXPECT_EQ(machine.ask("hostname-loopback", {{"nodes", "2"}, {"address", "127.0.0.1"}}).reply, Reply::yes);
  machine.add_job(42, {"MASTER_ADDR=node1", "WORLD_SIZE=16", "LOCAL_WORLD_SIZE=8"});
  EXPECT_EQ(machine.ask("hostname-loopback", {{"pid", "42"}}).reply, Reply::yes);
}

TEST(HostnameLoopback, IsRightOnOneMachine) {
  const CopiedMachine machine;
  name_as_debian_does(machine, "node1");
  EXPECT_EQ(machine.ask("hostname-loopback", {{"nodes", "1"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("hostname-loopback", {{"nodes", "2"}, {"address", "other"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("hostname-loopback", {{"nodes", "2"}, {"address", "10.0.0.7"}}).reply, Reply::no);
}

TEST(HostnameLoopback, IsUnknownWhileNothingTellsHowManyMachines) {
  const CopiedMachine machine;
  name_as_debian_does(machine, "node1");
  EXPECT_EQ(machine.ask("hostname-loopback", {}).doubt, Doubt::undecided);
  EXPECT_EQ(CopiedMachine().ask("hostname-loopback", {}).doubt, Doubt::could_not_run);
}

TEST(Uptime, ComparesTheBootWithTheLog) {
  const CopiedMachine machine;
  machine.write("/proc/stat", "cpu  1 2 3\nbtime 1700000000\nprocesses 5\n");
  EXPECT_EQ(machine.ask("uptime", {{"log_time", "1699990000"}}).reply, Reply::yes);
  EXPECT_EQ(machine.ask("uptime", {{"log_time", "1700003600"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("uptime", {{"log_time", "1699999970"}}).doubt, Doubt::undecided);
  EXPECT_EQ(machine.ask("uptime", {}).doubt, Doubt::not_applicable);
  EXPECT_EQ(CopiedMachine().ask("uptime", {{"log_time", "1699990000"}}).doubt, Doubt::could_not_run);
}

}  // namespace
}  // namespace cutopsy
