// The phases verify, identity, time and finish, and the hosts file.
#include <algorithm>

#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "installer/phases/hosts_file.hpp"
#include "installer/phases/volume_groups.hpp"
#include "tests/installer/phases/disk_world.hpp"
#include "tests/installer/phases/net_world.hpp"

#include <CppUTest/TestHarness.h>

#include "tests/installer/phases/checks.hpp"

using namespace stratum;
using namespace stratum::installer;
using fakes::DiskWorld;
using fakes::NetWorld;

namespace {

config::NodeConfig plain_node() {
    config::NodeConfig node;
    node.node_id = "n-2";
    node.name = "node-2";
    node.role = "hybrid";
    node.region = "home";
    node.mgmt.nic = {"eth0", "52:54:00:00:00:01"};
    node.mgmt.address = "10.20.0.11/24";
    node.mgmt.gateway = "10.20.0.1";
    node.os_disk_layout = "whole-disk";
    node.ntp_servers = {"10.20.0.1", "ntp.example.org"};
    node.join_id = "j-1";
    node.attempt = 1;
    config::ClusterSection cluster;
    cluster.name = "home";
    cluster.generation = 1;
    cluster.allow_no_compute = true;
    cluster.members = {{"n-1", "node-1", "hybrid", "joined", "10.20.0.10", {}}};
    node.cluster = cluster;
    node.founder = config::FounderRef{{"10.20.0.10:7443"}, std::string(64, 'a')};
    return node;
}

void furnish_system(fakes::FakeFiles& files, fakes::FakeProcesses& processes) {
    for (const char* tool : {"networkctl", "ip", "ping", "arping", "udevadm", "wipefs"}) {
        files.put("/usr/bin/" + std::string(tool), "", 0755);
    }
    for (const char* tool : {"pvs", "pvcreate", "sysctl"}) {
        files.put("/usr/sbin/" + std::string(tool), "", 0755);
    }
    processes.on({"arping", "-V"}, "arping from iputils 20221126\n");
    processes.on({"systemctl", "is-active"}, "", 3);
    processes.on({"systemctl", "is-active", "--quiet", "systemd-networkd.service"}, "", 0);
    processes.on({"systemctl", "try-restart"}, "");
    processes.on({"sysctl"}, "");
}

} // namespace

TEST_GROUP(Verify) {
    NetWorld world;
    void setup() override {
        world.node = plain_node();
        furnish_system(world.files, world.processes);
    }
    Status verify() {
        world.yaml = config::render_node_yaml(world.node);
        return run_on(world);
    }
    static Status run_on(NetWorld & one) {
        auto journal = one.open_journal();
        auto context = one.context(journal);
        return run_verify(context);
    }
};

TEST(Verify, APlanThatFitsThisMachineIsAccepted) {
    CHECK_OK(verify());
    LONGS_EQUAL(0, world.network_files().size());
}

TEST(Verify, ANodeYamlThatTheCheckerRefusesIsRefused) {
    CHECK_OK(verify());
    world.yaml = "version: 1\nnodeId: n-2\nfoo: bar\n";
    CHECK_REFUSED(run_on(world), "node.yaml: foo");
}

TEST(Verify, ATextThatIsNotThePlanIsRefused) {
    world.yaml = config::render_node_yaml(world.node);
    world.node.name = "node-3";
    CHECK_REFUSED(run_on(world), "is not the plan that would be applied");
}

TEST(Verify, ANicThatIsNotHereIsRefusedWithThoseThereAre) {
    world.node.mgmt.nic.mac = "52:54:00:00:00:09";
    CHECK_REFUSED(verify(), "eth0 (52:54:00:00:00:01)");
}

TEST(Verify, AnUplinkThatIsNotHereIsRefused) {
    world.node.provider.topology = "bridged";
    world.node.provider.upstream_interface = "eth2";
    world.node.provider_mac = "52:54:00:00:00:03";
    CHECK_OK(verify());
    world.node.provider_mac = "52:54:00:00:00:09";
    CHECK_REFUSED(verify(), "the provider's uplink: no NIC has the permanent MAC");
}

TEST(Verify, AnOsWithoutNetworkdIsRefused) {
    world.processes.on({"systemctl", "is-active", "--quiet", "systemd-networkd.service"}, "", 3);
    CHECK_REFUSED(verify(), "systemd-networkd is not running");
}

TEST(Verify, AnotherNetworkManagerBesideNetworkdIsRefused) {
    world.processes.on({"systemctl", "is-active", "--quiet", "NetworkManager.service"}, "", 0);
    CHECK_REFUSED(verify(), "NetworkManager.service runs beside systemd-networkd");
}

TEST(Verify, AMissingToolIsNamedWithWhatItIsFor) {
    (void)world.files.remove("/usr/bin/arping");
    CHECK_REFUSED(verify(), "this system has no arping: addresses are probed");
}

TEST(Verify, TheOtherArpingIsRefused) {
    world.processes.on({"arping", "-V"}, "ARPing 2.23, by Thomas Habets\n");
    CHECK_REFUSED(verify(), "install iputils-arping");
}

TEST(Verify, AnotherRootIsNotAskedAboutTheRunningSystem) {
    world.root = "/target";
    CHECK_OK(verify());
    LONGS_EQUAL(0, world.processes.calls().size());
}

TEST(Verify, AllFaultsAreToldAtOnce) {
    (void)world.files.remove("/usr/bin/ping");
    world.node.mgmt.nic.mac = "52:54:00:00:00:09";
    const auto status = verify();
    CHECK_REFUSED(status, "has no ping");
    CHECK_REFUSED(status, "no NIC has the permanent MAC");
}

TEST(Verify, AComputeTailIsRefusedBeforeAnythingIsChanged) {
    world.node.os_disk_layout = "compute-tail";
    world.node.compute_tail_pool = "default";
    CHECK_REFUSED(verify(), "compute tail");
}

TEST(Verify, ADiskThatChangedIsRefusedAndNothingIsWritten) {
    DiskWorld disks;
    disks.node = plain_node();
    furnish_system(disks.files, disks.processes);
    const auto key = disks.add_disk("sda");
    disks.order(key, "compute", "fast").choice.storage_class = "fast";
    disks.spoil_look = [&](facts::Inventory& machine) { machine.nics = world.machine.nics; };
    disks.yaml = config::render_node_yaml(disks.node);
    auto journal = disks.open_journal();
    auto context = disks.context(journal);
    CHECK_OK(run_verify(context));
    disks.put_signature("sda", 4096, "ext4", "new");
    CHECK_REFUSED(run_verify(context), "no longer holds what was approved");
    LONGS_EQUAL(0, disks.blocks.changes());
}

TEST(Verify, AStackWithoutTheToolThatTakesItDownIsRefused) {
    DiskWorld disks;
    disks.node = plain_node();
    furnish_system(disks.files, disks.processes);
    const auto key = disks.add_disk("sda");
    disks.put_signature("sda", 4096, "linux_raid_member", "88");
    disks.assemble("88");
    disks.order(key, "compute", "fast").choice.storage_class = "fast";
    disks.spoil_look = [&](facts::Inventory& machine) { machine.nics = world.machine.nics; };
    disks.yaml = config::render_node_yaml(disks.node);
    auto journal = disks.open_journal();
    auto context = disks.context(journal);
    CHECK_REFUSED(run_verify(context), "has no mdadm");
    disks.files.put("/usr/sbin/mdadm", "", 0755);
    CHECK_OK(run_verify(context));
}

TEST_GROUP(Identity) {
    NetWorld world;
    void setup() override {
        world.node = plain_node();
        world.yaml = "the text as delivered\n";
        furnish_system(world.files, world.processes);
    }
    Status identity() {
        auto journal = world.open_journal();
        auto context = world.context(journal);
        return run_identity(context);
    }
};

TEST(Identity, NameHostsAndNodeYamlAreInTheirPlaces) {
    CHECK_OK(identity());
    STRCMP_EQUAL("node-2\n", world.files.content("/etc/hostname")->c_str());
    STRCMP_EQUAL("the text as delivered\n", world.files.content("/etc/stratum/node.yaml")->c_str());
    LONGS_EQUAL(0640, *world.files.mode("/etc/stratum/node.yaml"));
    STRCMP_CONTAINS("10.20.0.10 node-1\n", world.files.content("/etc/hosts")->c_str());
    LONGS_EQUAL(1, world.processes.count({"sysctl", "-q", "-w", "kernel.hostname=node-2"}));
}

TEST(Identity, AnotherRootGetsTheFilesAndTheRunningSystemKeepsItsName) {
    world.root = "/target";
    CHECK_OK(identity());
    STRCMP_EQUAL("node-2\n", world.files.content("/target/etc/hostname")->c_str());
    CHECK(!world.files.exists("/etc/hostname"));
    LONGS_EQUAL(0, world.processes.calls().size());
}

TEST(Identity, AHostsFileThatCannotBeReadIsNotReplaced) {
    world.files.put("/etc/hosts", "10.0.0.1 precious\n");
    world.files.fail_read("/etc/hosts");
    CHECK(!identity());
    STRCMP_EQUAL("10.0.0.1 precious\n", world.files.content("/etc/hosts")->c_str());
}

TEST(Identity, EveryFailedWriteIsAFailureAndASecondRunEndsTheSame) {
    CHECK_OK(identity());
    const auto hosts = *world.files.content("/etc/hosts");
    for (int n = 1; n <= 6; ++n) {
        world.files.fail_change(n);
        CHECK_REFUSED(identity(), "failed as planned");
        CHECK_OK(identity());
        STRCMP_EQUAL(hosts.c_str(), world.files.content("/etc/hosts")->c_str());
    }
}

TEST_GROUP(HostsFile) {
    config::NodeConfig node = plain_node();
    const std::string block = "# stratum: begin\n10.20.0.11 node-2\n10.20.0.10 node-1\n"
                              "# stratum: end\n";
};

TEST(HostsFile, WithoutAFileItBeginsWithLocalhost) {
    STRCMP_EQUAL(("127.0.0.1 localhost\n::1 localhost\n" + block).c_str(),
                 with_members("", node).c_str());
}

TEST(HostsFile, WhatOthersWroteStaysAndOurBlockIsReplaced) {
    const auto once = with_members("10.0.0.1 a\n", node);
    STRCMP_EQUAL(("10.0.0.1 a\n" + block).c_str(), once.c_str());
    STRCMP_EQUAL(once.c_str(), with_members(once, node).c_str());
    STRCMP_EQUAL(("10.0.0.1 a\n10.0.0.2 b\n" + block).c_str(),
                 with_members(once + "10.0.0.2 b\n", node).c_str());
}

TEST(HostsFile, ABeginWithoutItsEndTakesNothingAfterIt) {
    const auto kept = with_members("# stratum: begin\n10.0.0.1 a\n", node);
    STRCMP_EQUAL(("10.0.0.1 a\n" + block).c_str(), kept.c_str());
    const auto crossed = with_members("# stratum: end\n# stratum: begin\n10.0.0.1 a\n", node);
    STRCMP_EQUAL(("10.0.0.1 a\n" + block).c_str(), crossed.c_str());
}

TEST(HostsFile, AFileWithoutALastLineEndGetsOne) {
    STRCMP_EQUAL(("10.0.0.1 a\n" + block).c_str(), with_members("10.0.0.1 a", node).c_str());
}

TEST_GROUP(Time) {
    NetWorld world;
    void setup() override {
        world.node = plain_node();
        furnish_system(world.files, world.processes);
    }
    Status time() {
        auto journal = world.open_journal();
        auto context = world.context(journal);
        return run_time(context);
    }
};

TEST(Time, ChronyGetsItsSourcesWhereItIsThere) {
    world.files.put("/usr/sbin/chronyd", "", 0755);
    world.files.put("/lib/systemd/systemd-timesyncd", "", 0755);
    CHECK_OK(time());
    STRCMP_CONTAINS("server 10.20.0.1 iburst\nserver ntp.example.org iburst\n",
                    world.files.content("/etc/chrony/sources.d/stratum.sources")->c_str());
    LONGS_EQUAL(1, world.processes.count({"systemctl", "try-restart", "chrony.service"}));
}

TEST(Time, AFolderThatARemovedChronyLeftIsNotChrony) {
    world.files.put("/etc/chrony/chrony.keys", "");
    world.files.put("/lib/systemd/systemd-timesyncd", "", 0755);
    CHECK_OK(time());
    const auto text = world.files.content("/etc/systemd/timesyncd.conf.d/50-stratum.conf");
    CHECK(text.has_value());
    STRCMP_CONTAINS("[Time]\nNTP=10.20.0.1 ntp.example.org\n", text->c_str());
}

TEST(Time, AnOsWithNeitherIsRefused) {
    CHECK_REFUSED(time(), "neither chrony nor systemd-timesyncd");
}

TEST(Time, AServiceThatDoesNotRestartIsAFailure) {
    world.files.put("/usr/sbin/chronyd", "", 0755);
    world.processes.on({"systemctl", "try-restart"}, "", 1, "Job failed\n");
    CHECK_REFUSED(time(), "Job failed");
}

TEST(Time, WithoutServersNothingIsChanged) {
    world.node.ntp_servers.clear();
    CHECK_OK(time());
    LONGS_EQUAL(0, world.processes.calls().size());
}

TEST_GROUP(Finish) {
    NetWorld world;
    void setup() override {
        world.node = plain_node();
    }
    Status finish() {
        auto journal = world.open_journal();
        auto context = world.context(journal);
        return run_finish(context);
    }
};

TEST(Finish, TheMemberIsToldWhereTheFounderIsAndItsKey) {
    CHECK_OK(finish());
    const auto paths = world.files.paths();
    const bool is_told = std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
        const auto text = world.files.content(path).value_or("");
        return text.find("10.20.0.10:7443") != std::string::npos &&
               text.find(std::string(64, 'a')) != std::string::npos;
    });
    CHECK(is_told);
}

TEST(Finish, WithoutAFounderAnAddressOrAKeyItIsRefused) {
    world.node.founder->key = "abc";
    CHECK_REFUSED(finish(), "founder.key");
    world.node.founder->key = std::string(64, 'a');
    world.node.founder->addresses = {"nonsense"};
    CHECK_REFUSED(finish(), "founder.addresses");
    world.node.founder.reset();
    CHECK_REFUSED(finish(), "where the founder is");
}

TEST_GROUP(Volumes){};

TEST(Volumes, ARealReportIsReadWithOrphansAndMissingOnes) {
    // lvm2 2.03.16 of Debian 12.
    const auto volumes = parse_volumes(R"(  {
      "report": [
          {
              "pv": [
                  {"pv_name":"/dev/loop0", "pv_uuid":"23IthW-fcJJ-qGX2-ZRT3-4Tsb-I5Uu-DF0KV3", "vg_name":"stratum-fast", "vg_uuid":"7EfHKe-OZW3-Di3H-1SZT-3hY5-ayS0-c95Z4S", "vg_tags":"stratum.join=j-1,other"},
                  {"pv_name":"/dev/loop1", "pv_uuid":"1FLVs7-GRLT-hNdy-b3uL-8hLw-SU3e-qrd8xn", "vg_name":"", "vg_uuid":"", "vg_tags":""},
                  {"pv_name":"[unknown]", "pv_uuid":"Ove0yZ-csFx-lnlU-O9MQ-dD6S-aPCa-KyCeHk", "vg_name":"stratum-fast", "vg_uuid":"7EfHKe-OZW3-Di3H-1SZT-3hY5-ayS0-c95Z4S", "vg_tags":""}
              ]
          }
      ]
  }
)");
    CHECK_OK(volumes);
    LONGS_EQUAL(3, volumes->size());
    CHECK(is_in_our_group(volumes->at(0), "stratum-fast", join_tag("j-1")));
    CHECK(!is_in_our_group(volumes->at(0), "stratum-fast", join_tag("j-2")));
    CHECK(!is_in_our_group(volumes->at(0), "stratum-slow", join_tag("j-1")));
    STRCMP_EQUAL("", volumes->at(1).group.c_str());
    CHECK(!is_in_our_group(volumes->at(2), "stratum-fast", join_tag("j-1")));
}

TEST(Volumes, WhatIsNoReportIsAnErrorNotNoVolumes) {
    for (const char* text :
         {"", "{}", "[]", "{\"report\":[]}", "{\"report\":[{\"vg\":[]}]}", "x"}) {
        CHECK(!parse_volumes(text));
    }
    LONGS_EQUAL(0, parse_volumes("{\"report\":[{\"pv\":[]}]}")->size());
}
