#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sysroot.h"

namespace cutopsy {
namespace {

SysrootFiles interface(const std::string& name, const std::string& state) {
  return file("/sys/class/net/" + name + "/operstate", state + "\n");
}

SysrootFiles bonded(const std::string& name, const std::string& state) {
  return interface(name, "up") + file("/sys/class/net/" + name + "/bonding_slave/mii_status", state + "\n");
}

SysrootFiles port(const std::string& device, const std::string& state, const std::string& physical,
                  const std::string& downed = "0", const std::string& layer = "InfiniBand") {
  const std::string folder = "/sys/class/infiniband/" + device + "/ports/1";
  return file(folder + "/state", state + "\n") + file(folder + "/phys_state", physical + "\n") +
         file(folder + "/rate", "400 Gb/sec (4X NDR)\n") + file(folder + "/link_layer", layer + "\n") +
         file(folder + "/counters/link_downed", downed + "\n");
}
const SysrootFiles kActive = port("mlx5_0", "4: ACTIVE", "5: LinkUp");

class LinkChecks : public testing::TestWithParam<HostCase> {};

TEST_P(LinkChecks, Answer) {
  expect_answer(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Nic, LinkChecks,
    testing::Values(
        HostCase{
            "down", "nic-link", interface("eth0", "down"), {{"interface", "eth0"}}, Reply::yes, Doubt::none, "down"},
        HostCase{"missing",
                 "nic-link",
                 interface("eth0", "up"),
                 {{"interface", "ib0"}},
                 Reply::yes,
                 Doubt::none,
                 "no network"},
        HostCase{"a member of a bond",
                 "nic-link",
                 bonded("ens1", "up") + bonded("ens2", "down"),
                 {},
                 Reply::yes,
                 Doubt::none,
                 "ens2"},
        HostCase{"up", "nic-link", interface("eth0", "up"), {{"interface", "eth0"}}, Reply::no, Doubt::none, ""},
        HostCase{
            "the loopback", "nic-link", interface("lo", "unknown"), {{"interface", "lo"}}, Reply::no, Doubt::none, ""},
        HostCase{"the beginning of a name",
                 "nic-link",
                 interface("eth0", "down") + interface("eth1", "up"),
                 {{"interface", "eth"}},
                 Reply::no,
                 Doubt::none,
                 "eth1"},
        HostCase{
            "whole bonds", "nic-link", bonded("ens1", "up") + bonded("ens2", "up"), {}, Reply::no, Doubt::none, ""},
        HostCase{"an unused port is down",
                 "nic-link",
                 interface("eth0", "up") + interface("eth1", "down"),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 ""},
        HostCase{"a list that excludes",
                 "nic-link",
                 interface("eth0", "up"),
                 {{"interface", "^docker0,lo"}},
                 Reply::unknown,
                 Doubt::could_not_run,
                 ""},
        HostCase{"a path",
                 "nic-link",
                 interface("eth0", "up") + file("/sys/class/secret/operstate", "down\n"),
                 {{"interface", "../secret"}},
                 Reply::yes,
                 Doubt::none,
                 "no network interface ../secret"}));

INSTANTIATE_TEST_SUITE_P(
    InfiniBand, LinkChecks,
    testing::Values(
        HostCase{"down",
                 "infiniband-link",
                 kActive + port("mlx5_1", "1: DOWN", "2: Polling"),
                 {{"device", "mlx5_1"}},
                 Reply::yes,
                 Doubt::none,
                 "2: Polling"},
        HostCase{"down, its port named too",
                 "infiniband-link",
                 kActive + port("mlx5_1", "1: DOWN", "2: Polling"),
                 {{"device", "mlx5_1:1/RoCE"}},
                 Reply::yes,
                 Doubt::none,
                 "2: Polling"},
        HostCase{"fewer than must be",
                 "infiniband-link",
                 kActive + port("mlx5_1", "1: DOWN", "3: Disabled"),
                 {{"ports", "2"}},
                 Reply::yes,
                 Doubt::none,
                 "1 of 2 ports are active, 2 must be"},
        HostCase{"no subnet manager",
                 "infiniband-link",
                 port("mlx5_0", "2: INIT", "5: LinkUp"),
                 {},
                 Reply::yes,
                 Doubt::none,
                 "2: INIT"},
        HostCase{"missing", "infiniband-link", kActive, {{"device", "mlx5_9"}}, Reply::yes, Doubt::none, "mlx5_9"},
        HostCase{"active", "infiniband-link", kActive, {}, Reply::no, Doubt::none, ""},
        HostCase{"RoCE waits for nobody",
                 "infiniband-link",
                 port("mlx5_0", "2: INIT", "5: LinkUp", "0", "Ethernet"),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 ""},
        HostCase{"a port without a cable",
                 "infiniband-link",
                 kActive + port("mlx5_1", "1: DOWN", "2: Polling"),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 "mlx5_1"},
        HostCase{"was down once",
                 "infiniband-link",
                 port("mlx5_0", "4: ACTIVE", "5: LinkUp", "3"),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 "have been down"},
        HostCase{
            "no adapter", "infiniband-link", {}, {{"device", "mlx5_0"}}, Reply::unknown, Doubt::not_applicable, ""},
        HostCase{"a list",
                 "infiniband-link",
                 kActive,
                 {{"device", "=mlx5_0:1,mlx5_1:1"}},
                 Reply::unknown,
                 Doubt::could_not_run,
                 ""}));

}  // namespace
}  // namespace cutopsy
