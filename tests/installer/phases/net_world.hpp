// A machine with NICs for the network phase, and a systemd-networkd that reads the same files: it
// makes bonds and VLANs that are not there, leaves those that are as they are, and gives each NIC
// what the first file that matches says.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "installer/phases/bodies.hpp"
#include "installer/phases/network_plan.hpp"
#include "tests/fakes/fake_block_devices.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_files.hpp"
#include "tests/fakes/fake_processes.hpp"

namespace stratum::fakes {

class NetWorld {
public:
    // eth0 (…:01) with a lease and a default route, eth1 (…:02), eth2 (…:03), all up.
    NetWorld();

    Status run();
    installer::PhaseContext context(installer::Journal& journal);
    installer::Journal open_journal();
    // The kernel forgets what was made; networkd reads the files.
    void reboot();
    facts::Nic* nic(const std::string& name);
    // Our files in /etc/systemd/network, by name.
    [[nodiscard]] std::map<std::string, std::string> network_files() const;

    FakeFiles files;
    FakeProcesses processes;
    FakeClock clock;
    FakeBlockDevices blocks;
    config::NodeConfig node;
    facts::Inventory machine;
    std::vector<std::string> log;
    std::string yaml, tar, root = "/";
    // Is the founder there, judged by the machine as it is now.
    std::function<bool()> founder_answers = [] { return true; };
    std::function<void()> on_sleep;
    std::map<std::string, int> arping_exit; // by address; else 0, nobody answers
    bool members_answer = true;
    bool networkd_works = true;
    int crash_before_program = 0, crash_after_program = 0;

private:
    void on(const std::vector<std::string>& prefix, std::function<int(const Command&)> act);
    void networkd();
    void make_devices();
    void configure(facts::Nic& nic);

    std::vector<facts::Nic> at_boot_;
};

// A bond of eth1 and eth2 with a storage VLAN on it; mgmt on eth0.
config::NodeConfig bonded_node();

} // namespace stratum::fakes
