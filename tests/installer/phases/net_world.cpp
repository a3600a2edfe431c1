#include "tests/installer/phases/net_world.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::fakes {
namespace {

constexpr const char* kFolder = "/etc/systemd/network";

std::vector<std::string> values(const std::string& text, const std::string& key) {
    std::vector<std::string> found;
    for (const auto& line : split(text, '\n')) {
        if (line.starts_with(key + "=")) found.push_back(line.substr(key.size() + 1));
    }
    return found;
}

std::string value(const std::string& text, const std::string& key) {
    const auto all = values(text, key);
    return all.empty() ? "" : all.back();
}

facts::Nic make_nic(const std::string& name, const std::string& mac) {
    facts::Nic nic;
    nic.name = name;
    nic.mac = nic.permanent_mac = mac;
    nic.mtu = 1500;
    nic.state = facts::LinkState::kUp;
    return nic;
}

bool matches(const std::string& text, const facts::Nic& nic) {
    const auto name = value(text, "Name");
    if (!name.empty()) return name == nic.name;
    if (nic.kind != "physical") return false;
    const auto permanent = value(text, "PermanentMACAddress");
    if (!permanent.empty()) return permanent == nic.permanent_mac;
    const auto mac = value(text, "MACAddress");
    return mac.empty() || mac == nic.mac;
}

} // namespace

config::NodeConfig bonded_node() {
    config::NodeConfig node;
    node.node_id = "n-2";
    node.name = "node-2";
    node.join_id = "j-1";
    node.attempt = 1;
    node.mgmt.nic = {"eth0", "52:54:00:00:00:01"};
    node.mgmt.address = "10.20.0.11/24";
    node.mgmt.gateway = "10.20.0.1";
    node.mgmt.dns = {"10.20.0.53"};
    const auto connect = [&](const std::string& name, const std::string& kind, std::int64_t mtu) {
        config::Connection connection;
        connection.link.name = name;
        connection.link.kind = kind;
        connection.link.interface = name;
        connection.link.mtu = mtu;
        node.connections.push_back(connection);
        return &node.connections.back();
    };
    for (const auto& [name, mac] :
         {std::pair{"eth1", "52:54:00:00:00:02"}, std::pair{"eth2", "52:54:00:00:00:03"}}) {
        auto* member = connect(name, "ethernet", 9000);
        member->mac = mac;
        member->link.controller = "bond0";
    }
    auto* bond = connect("bond0", "bond", 9000);
    bond->link.bond = config::Bond{"802.3ad", "layer3+4", 100, "fast"};
    auto* vlan = connect("bond0.100", "vlan", 9000);
    vlan->link.parent = "bond0";
    vlan->link.vlan_id = 100;
    vlan->link.addresses = {"10.30.0.11/24"};
    vlan->link.purposes = {"storage"};
    config::ClusterSection cluster;
    facts::Member first{"n-1", "node-1", "hybrid", "joined", "10.20.0.10", {"10.30.0.10/24"}};
    cluster.members = {first};
    node.cluster = cluster;
    return node;
}

NetWorld::NetWorld() {
    machine.nics = {make_nic("eth0", "52:54:00:00:00:01"), make_nic("eth1", "52:54:00:00:00:02"),
                    make_nic("eth2", "52:54:00:00:00:03")};
    machine.nics[0].addresses = {{"10.20.0.77/24", "dhcp"}};
    machine.nics[0].gateway = "10.20.0.1";
    at_boot_ = machine.nics;
    (void)files.make_folder("/state");
    files.put("/etc/systemd/network/80-dhcp.network",
              "[Match]\nType=ether\nKind=!*\n[Network]\nDHCP=yes\n");
    on({"networkctl"}, [this](const Command& command) {
        if (!networkd_works) return 1;
        if (command.argv[1] == "reload") make_devices();
        networkd();
        return 0;
    });
    on({"ip", "link", "delete", "dev"}, [this](const Command& command) {
        return std::erase_if(machine.nics,
                             [&](const facts::Nic& nic) {
                                 return nic.kind != "physical" && (nic.name == command.argv[4] ||
                                                                   nic.parent == command.argv[4]);
                             }) > 0
                   ? 0
                   : 1;
    });
    on({"ip", "-o", "-6"}, [](const Command&) { return 0; });
    on({"arping"}, [this](const Command& command) {
        const auto at = arping_exit.find(command.argv.back());
        return at == arping_exit.end() ? 0 : at->second;
    });
    on({"ping"}, [this](const Command&) { return members_answer ? 0 : 1; });
}

void NetWorld::on(const std::vector<std::string>& prefix, std::function<int(const Command&)> act) {
    processes.on(prefix, [this, act = std::move(act)](const Command& command) -> Result<Finished> {
        if (crash_before_program > 0 && --crash_before_program == 0) throw Crash();
        Finished finished;
        finished.exit_code = act(command);
        if (finished.exit_code != 0) finished.err = "the fake says no\n";
        if (crash_after_program > 0 && --crash_after_program == 0) throw Crash();
        return finished;
    });
}

void NetWorld::make_devices() {
    for (const auto& [name, text] : network_files()) {
        if (!name.ends_with(".netdev")) continue;
        const std::string device = value(text, "Name");
        if (nic(device) != nullptr) continue;
        facts::Nic made = make_nic(device, "02:00:00:00:00:99");
        made.permanent_mac.clear();
        made.kind = value(text, "Kind");
        if (made.kind == "bond") {
            made.bond = facts::NicBond{value(text, "Mode"), {}};
            const auto folder = "/sys/class/net/" + device + "/bonding/";
            auto interval = value(text, "MIIMonitorSec");
            files.put(folder + "miimon", interval.substr(0, interval.find("ms")) + "\n");
            files.put(folder + "lacp_rate", value(text, "LACPTransmitRate") + " 1\n");
            files.put(folder + "xmit_hash_policy", value(text, "TransmitHashPolicy") + " 1\n");
        } else {
            made.vlan_id = static_cast<int>(parse_decimal(value(text, "Id")).value_or(0));
            for (const auto& [other, its] : network_files()) {
                const auto vlans = values(its, "VLAN");
                if (std::find(vlans.begin(), vlans.end(), device) == vlans.end()) continue;
                made.parent = value(its, "Name");
                for (const auto& one : machine.nics) {
                    if (made.parent.empty() && matches(its, one)) made.parent = one.name;
                }
            }
        }
        machine.nics.push_back(made);
    }
}

void NetWorld::networkd() {
    for (auto& nic : machine.nics) configure(nic);
}

void NetWorld::configure(facts::Nic& nic) {
    const auto names = files.list(kFolder);
    for (const auto& name : *names) {
        if (!name.ends_with(".network")) continue;
        const std::string text = *files.content(std::string(kFolder) + "/" + name);
        if (!matches(text, nic)) continue;
        nic.addresses.clear();
        for (const auto& address : values(text, "Address")) {
            nic.addresses.push_back({address, "static"});
        }
        nic.gateway = value(text, "Gateway");
        nic.master = value(text, "Bond");
        if (const auto mtu = parse_decimal(value(text, "MTUBytes"))) {
            nic.mtu = static_cast<std::uint32_t>(*mtu);
        }
        if (value(text, "DHCP") != "no" && nic.name == "eth0") {
            nic.addresses.push_back({"10.20.0.77/24", "dhcp"});
            if (value(text, "UseRoutes") != "no") nic.gateway = "10.20.0.1";
        }
        return;
    }
}

facts::Nic* NetWorld::nic(const std::string& name) {
    for (auto& one : machine.nics) {
        if (one.name == name) return &one;
    }
    return nullptr;
}

std::map<std::string, std::string> NetWorld::network_files() const {
    std::map<std::string, std::string> ours;
    const auto names = files.list(kFolder);
    for (const auto& name : *names) {
        if (installer::is_our_network_file(name)) {
            ours[name] = *files.content(std::string(kFolder) + "/" + name);
        }
    }
    return ours;
}

void NetWorld::reboot() {
    machine.nics = at_boot_;
    make_devices();
    networkd();
}

installer::Journal NetWorld::open_journal() {
    auto journal = installer::Journal::open(files, "/state/journal.json");
    (void)journal.value().begin(node.join_id, static_cast<int>(node.attempt), "yaml");
    return *journal;
}

installer::PhaseContext NetWorld::context(installer::Journal& journal) {
    installer::PhaseContext context{.node = node,
                                    .node_yaml = yaml,
                                    .bundle_tar = tar,
                                    .root = root,
                                    .state_folder = "/state",
                                    .files = files,
                                    .processes = processes,
                                    .clock = clock,
                                    .journal = journal,
                                    .blocks = &blocks,
                                    .look = {},
                                    .founder_reachable = {},
                                    .sleep_ms = {},
                                    .percent = [](int) {},
                                    .log = {}};
    context.look = [this]() -> Result<facts::Inventory> { return machine; };
    context.founder_reachable = [this] { return founder_answers(); };
    context.sleep_ms = [this](std::int64_t wait_ms) {
        clock.advance_ms(wait_ms);
        if (on_sleep) on_sleep();
        return true;
    };
    context.log = [this](const std::string& line) { log.push_back(line); };
    return context;
}

Status NetWorld::run() {
    auto journal = open_journal();
    auto now = context(journal);
    return installer::run_network(now);
}

} // namespace stratum::fakes
