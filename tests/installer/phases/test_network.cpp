// The network phase on a machine with state: applied, checked, taken back, and all that after a
// crash anywhere.
#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "installer/phases/network_apply.hpp"
#include "installer/phases/network_check.hpp"
#include "tests/installer/phases/net_world.hpp"

#include <CppUTest/TestHarness.h>

#include "tests/installer/phases/checks.hpp"

using namespace stratum;
using namespace stratum::installer;
using fakes::bonded_node;
using fakes::Crash;
using fakes::NetWorld;

namespace {

bool was_logged(const NetWorld& world, const std::string& words) {
    return std::any_of(world.log.begin(), world.log.end(), [&](const std::string& line) {
        return line.find(words) != std::string::npos;
    });
}

bool is_kept(const NetWorld& world) {
    const auto paths = world.files.paths();
    return std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
        return path.starts_with("/state/network-before/");
    });
}

// An earlier join's plan, in place and working: a VLAN of its own.
std::map<std::string, std::string> furnish_with_old_plan(NetWorld& world) {
    world.node = bonded_node();
    world.node.connections.clear();
    config::Connection old;
    old.link.name = old.link.interface = "eth0.7";
    old.link.kind = "vlan";
    old.link.parent = "eth0";
    old.link.vlan_id = 7;
    old.link.addresses = {"10.7.0.11/24"};
    world.node.connections = {old};
    CHECK_OK(world.run());
    world.node = bonded_node();
    return world.network_files();
}

void check_new_plan_stands(NetWorld& world) {
    STRCMP_EQUAL("10.20.0.11/24", world.nic("eth0")->addresses.at(0).cidr.c_str());
    LONGS_EQUAL(1, world.nic("eth0")->addresses.size());
    STRCMP_EQUAL("bond0", world.nic("eth1")->master.c_str());
    STRCMP_EQUAL("10.30.0.11/24", world.nic("bond0.100")->addresses.at(0).cidr.c_str());
    POINTERS_EQUAL(nullptr, world.nic("eth0.7"));
    CHECK(!is_kept(world));
}

enum class Where { kFiles, kPrograms };

bool run_into_crash(NetWorld& world, Where where, bool after, int n) {
    if (where == Where::kFiles) {
        after ? world.files.crash_after_change(n) : world.files.crash_before_change(n);
    } else {
        (after ? world.crash_after_program : world.crash_before_program) = n;
    }
    try {
        (void)world.run();
        return true;
    } catch (const Crash&) {
        return false;
    }
}

// `check` after a crash at the n-th change and a second run, for every n; by a reboot or by a
// program that just starts again.
void crash_everywhere(Where where, bool after, const std::function<void(NetWorld&)>& prepare,
                      const std::function<void(NetWorld&)>& check) {
    for (const bool reboots : {true, false}) {
        int n = 1;
        for (; n < 200; ++n) {
            NetWorld world;
            prepare(world);
            if (run_into_crash(world, where, after, n)) break;
            if (reboots) world.reboot();
            check(world);
        }
        CHECK(n > 3 && n < 200);
    }
}

} // namespace

TEST_GROUP(Network) {
    NetWorld world;
    void setup() override {
        world.node = bonded_node();
    }
};

TEST(Network, TheOrderedNetworkStandsAndNothingElseIsLeft) {
    CHECK_OK(world.run());
    check_new_plan_stands(world);
    STRCMP_EQUAL("10.20.0.1", world.nic("eth0")->gateway.c_str());
    LONGS_EQUAL(0, world.processes.unexpected().size());
}

TEST(Network, ASecondRunRebuildsNothing) {
    CHECK_OK(world.run());
    const int before = world.processes.count({"ip", "link", "delete"});
    const auto files = world.network_files();
    CHECK_OK(world.run());
    LONGS_EQUAL(before, world.processes.count({"ip", "link", "delete"}));
    CHECK(files == world.network_files());
}

TEST(Network, AFounderThatIsNotReachedBringsTheOldNetworkBack) {
    const auto before = furnish_with_old_plan(world);
    world.founder_answers = [] { return false; };
    CHECK_REFUSED(world.run(), "the founder does not answer");
    CHECK(before == world.network_files());
    POINTERS_EQUAL(nullptr, world.nic("bond0"));
    CHECK(world.nic("eth0.7") != nullptr);
    STRCMP_EQUAL("", world.nic("eth1")->master.c_str());
    CHECK(!is_kept(world));
}

TEST(Network, AMachineThatHadNoFilesOfOursGetsItsLeaseBack) {
    world.founder_answers = [] { return false; };
    CHECK_REFUSED(world.run(), "the old configuration is back");
    LONGS_EQUAL(0, world.network_files().size());
    STRCMP_EQUAL("10.20.0.77/24", world.nic("eth0")->addresses.at(0).cidr.c_str());
}

TEST(Network, NinetySecondsAreWaitedAndShown) {
    const auto begun = world.clock.steady_ms();
    world.founder_answers = [&] { return world.clock.steady_ms() - begun >= 75'000; };
    CHECK_OK(world.run());
    CHECK(was_logged(world, "waiting up to 90 s: the founder does not answer"));
}

TEST(Network, MoreThanNinetySecondsAreNotWaited) {
    const auto begun = world.clock.steady_ms();
    world.founder_answers = [] { return false; };
    CHECK_REFUSED(world.run(), "founder");
    const auto waited = world.clock.steady_ms() - begun;
    CHECK(waited >= 90'000 && waited <= 93'000);
}

TEST(Network, AStorageLinkOnWhichNoMemberAnswersIsRefused) {
    world.members_answer = false;
    CHECK_REFUSED(world.run(), "no member answers on bond0.100 from 10.30.0.11");
    world.members_answer = true;
    CHECK_OK(world.run());
}

TEST(Network, WithoutAMemberInThatNetworkNobodyIsAsked) {
    world.members_answer = false;
    world.node.cluster->members[0].addresses = {"10.99.0.10/24"};
    CHECK_OK(world.run());
    world.node.cluster->members[0].addresses = {"10.30.0.10/24"};
    world.node.cluster->members[0].status = "joining";
    CHECK_OK(world.run());
}

TEST(Network, AnAddressThatAnotherMachineAnswersForIsRefused) {
    world.arping_exit["10.30.0.11"] = 1;
    CHECK_REFUSED(world.run(), "10.30.0.11 on bond0.100 is already answered by another machine");
    LONGS_EQUAL(0, world.network_files().size());
}

TEST(Network, AProbeThatCouldNotRunIsARefusal) {
    world.arping_exit["10.20.0.11"] = 2;
    CHECK_REFUSED(world.run(), "could not be asked");
    LONGS_EQUAL(0, world.network_files().size());
}

TEST(Network, AnIpv6AddressThatFailedItsProbeIsRefused) {
    world.node.mgmt.address = "fd00:20::11/64";
    world.node.mgmt.gateway = "fd00:20::1";
    CHECK_OK(world.run());
    world.processes.on({"ip", "-o", "-6"},
                       "2: eth0    inet6 fd00:20::11/64 scope global dadfailed tentative\n");
    CHECK_REFUSED(world.run(), "fd00:20::11 on eth0 is already answered");
}

TEST(Network, ANetworkdThatDoesNotReloadIsAFailureWithTheOldFilesBack) {
    world.networkd_works = false;
    CHECK_REFUSED(world.run(), "putting the old configuration back failed");
    LONGS_EQUAL(0, world.network_files().size());
    // What last worked is still kept: the next run goes on from it.
    CHECK(is_kept(world));
    world.networkd_works = true;
    CHECK_OK(world.run());
    check_new_plan_stands(world);
}

TEST(Network, AnotherBondModeRebuildsTheBond) {
    CHECK_OK(world.run());
    world.node.connections[2].link.bond = config::Bond{"active-backup", {}, 200, {}};
    CHECK_OK(world.run());
    STRCMP_EQUAL("active-backup", world.nic("bond0")->bond->mode.c_str());
    STRCMP_EQUAL("200\n", world.files.content("/sys/class/net/bond0/bonding/miimon")->c_str());
}

TEST(Network, ABondWhoseModeStaysAnotherIsTakenBack) {
    CHECK_OK(world.run());
    const auto before = world.network_files();
    world.node.connections[2].link.bond->mode = "active-backup";
    world.on_sleep = [&] {
        if (auto* bond = world.nic("bond0")) bond->bond->mode = "802.3ad";
    };
    world.founder_answers = [&] { return false; };
    CHECK_REFUSED(world.run(), "bond0 has bond mode 802.3ad, ordered is active-backup");
    CHECK(before == world.network_files());
}

TEST(Network, AMemberWithoutACarrierIsAWarningThatNamesIt) {
    world.machine.nics[2].state = facts::LinkState::kDown;
    CHECK_OK(world.run());
    CHECK(was_logged(world, "warning: eth2, a member of bond0, has no carrier"));
}

TEST(Network, ADeviceThatNetworkdForgotIsAskedForAgain) {
    int reloads = 0;
    bool is_deaf = true;
    world.processes.on({"networkctl", "reload"}, [&](const Command&) -> Result<Finished> {
        is_deaf = ++reloads < 2;
        Finished finished;
        finished.exit_code = 0;
        return finished;
    });
    world.on_sleep = [&] {
        if (!is_deaf) world.reboot();
    };
    CHECK_OK(world.run());
    LONGS_EQUAL(2, reloads);
}

TEST(Network, AStopTakesTheOldNetworkBackAndIsNoSuccess) {
    auto journal = world.open_journal();
    auto context = world.context(journal);
    context.founder_reachable = [] { return false; };
    context.sleep_ms = [](std::int64_t) { return false; };
    CHECK(!run_network(context));
    LONGS_EQUAL(0, world.network_files().size());
}

TEST(Network, AnotherRootIsRenderedNotApplied) {
    world.root = "/target";
    CHECK_OK(world.run());
    CHECK(was_logged(world, "not applied"));
    LONGS_EQUAL(0, world.processes.calls().size());
    CHECK(world.files.content("/target/etc/systemd/network/05-stratum-eth0.network").has_value());
    LONGS_EQUAL(0, world.network_files().size());
}

TEST(Network, SomebodyElsesFilesStayAsTheyAre) {
    world.files.put("/etc/systemd/network/10-admin.network", "[Match]\nName=lo\n");
    CHECK_OK(world.run());
    CHECK(world.files.content("/etc/systemd/network/10-admin.network").has_value());
    CHECK(world.files.content("/etc/systemd/network/80-dhcp.network").has_value());
}

TEST(Network, APlanThatCanNoLongerBeMadeAfterACrashIsTakenBack) {
    const auto before = furnish_with_old_plan(world);
    CHECK(!run_into_crash(world, Where::kPrograms, false, 3));
    CHECK(before != world.network_files());
    world.node.connections[0].mac = "52:54:00:00:00:99";
    CHECK_REFUSED(world.run(), "no NIC has the permanent MAC 52:54:00:00:00:99");
    CHECK(before == world.network_files());
    CHECK(!is_kept(world));
}

TEST(Network, WhatAnOldCrashLeftIsNeverPutBack) {
    // The kept folder of a run that ended well, but was cut off while it was emptied.
    world.files.put("/state/network-before/05-stratum-eth9.network", "[Match]\nName=eth9\n");
    world.founder_answers = [] { return false; };
    CHECK(!world.run());
    LONGS_EQUAL(0, world.network_files().size());
}

TEST(Network, AGoodPlanStandsAfterACrashAnywhere) {
    const auto prepare = [](NetWorld& one) { (void)furnish_with_old_plan(one); };
    const auto check = [](NetWorld& one) {
        CHECK_OK(one.run());
        check_new_plan_stands(one);
    };
    for (const bool after : {false, true}) {
        crash_everywhere(Where::kFiles, after, prepare, check);
        crash_everywhere(Where::kPrograms, after, prepare, check);
    }
}

TEST(Network, AWrongPlanIsTakenBackAfterACrashAnywhere) {
    std::map<std::string, std::string> before;
    const auto prepare = [&](NetWorld& one) {
        before = furnish_with_old_plan(one);
        // Only the old network reaches the founder.
        one.founder_answers = [&one] { return one.nic("eth0.7") != nullptr; };
    };
    const auto check = [&](NetWorld& one) {
        CHECK_REFUSED(one.run(), "the founder does not answer");
        CHECK(before == one.network_files());
        CHECK(one.nic("eth0.7") != nullptr);
        POINTERS_EQUAL(nullptr, one.nic("bond0"));
        CHECK(!is_kept(one));
    };
    for (const bool after : {false, true}) {
        crash_everywhere(Where::kFiles, after, prepare, check);
        crash_everywhere(Where::kPrograms, after, prepare, check);
    }
}

TEST(Network, AFailedFileChangeAnywhereLeavesTheOldFilesOrAWayBack) {
    for (int n = 1; n < 200; ++n) {
        NetWorld broken;
        const auto before = furnish_with_old_plan(broken);
        broken.files.fail_change(n);
        const int changes = broken.files.changes();
        const auto status = broken.run();
        if (broken.files.changes() < changes + n) return;
        if (!status) CHECK(before == broken.network_files() || is_kept(broken));
        CHECK_OK(broken.run());
        check_new_plan_stands(broken);
    }
}
