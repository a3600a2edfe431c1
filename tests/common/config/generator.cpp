#include "tests/common/config/generator.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/address_book.hpp"
#include "common/config/link_graph.hpp"
#include "common/config/words.hpp"

namespace stratum::config::test {

namespace {

std::string two_digits(int number) {
    return std::to_string(100 + number).substr(1);
}

std::string wwn_of(int machine, int index) {
    return "0x5000c500a1" + two_digits(machine) + two_digits(index) + "01";
}

Link link_of(std::string name, std::string interface, std::vector<std::string> purposes = {}) {
    Link link;
    link.name = std::move(name);
    link.interface = std::move(interface);
    link.purposes = std::move(purposes);
    return link;
}

Link vlan_of(std::string name, std::string parent, int id, std::vector<std::string> purposes) {
    Link link = link_of(std::move(name), "vlan" + std::to_string(id), std::move(purposes));
    link.kind = "vlan";
    link.parent = std::move(parent);
    link.vlan_id = id;
    return link;
}

} // namespace

ClusterView Generator::cluster() {
    ClusterView made = demo_cluster();
    Network& storage = made.networks[0];
    Network& overlay = made.networks[1];
    storage.mtu = one_of({1500, 9000});
    if (chance(3)) overlay.mtu = 9000;
    if (chance(3)) storage.gateway = ip("10.77.10.254");
    if (chance(3)) storage.reserved = {"10.77.10.2-10.77.10.9"};
    if (chance(3)) storage.range_from = ip("10.77.10.20");
    if (chance(4)) overlay.cidr = storage.cidr; // two purposes, one network
    if (chance(4)) made.vips.push_back(ip("10.77.10.21"));
    made.provider.topology = one_of({"bridged", "bridged", "routed", ""});
    if (made.provider.topology.empty()) made.provider = {};
    if (!made.provider.topology.empty() && chance(2)) made.provider.vlan = 30;
    for (int i = below(3); i > 0; --i)
        made.holders.push_back(
            holder("node" + std::to_string(i),
                   {"10.77.0." + std::to_string(1 + i), "10.77.10.3" + std::to_string(i)}));
    return made;
}

facts::Disk Generator::disk(int machine, int index) {
    facts::Disk made = blank_disk("/dev/sd" + std::string(1, static_cast<char>('b' + index)),
                                  wwn_of(machine, index));
    made.rotational = chance(3);
    if (chance(3))
        made.holds = std::vector<facts::Hold>{{"filesystem", "xfs", "", "", made.path, {}}};
    if (chance(6)) made.holds.reset();
    return made;
}

facts::Inventory Generator::machine(int number) {
    facts::Inventory made = joiner_machine();
    made.hostname = "machine-" + std::to_string(number);
    made.disks.resize(1); // the system's
    made.disks[0].wwn = wwn_of(number, 99);
    for (int i = below(6); i > 0; --i) made.disks.push_back(disk(number, i));
    for (int i = 5; i < 5 + below(4); ++i)
        made.nics.push_back(nic("enp" + std::to_string(i) + "s0"));
    for (facts::Nic& each : made.nics) {
        each.mac = each.permanent_mac =
            "02:00:00:" + two_digits(number) + ":00:" + each.name.substr(3, 1) + "0";
        each.state = facts::LinkState::kUp;
    }
    made.nics[0].addresses = {
        {"10.77.0." + std::to_string(100 + number) + "/24", one_of({"dhcp", "static"})}};
    return made;
}

// Storage and overlay on one link or two: on NICs, on a bond, on VLANs over either or over mgmt's.
void Generator::put_links(Trial& trial) {
    auto& links = trial.request.assignment.links.emplace();
    const bool apart = chance(2);
    const std::vector<std::string> first = apart ? std::vector<std::string>{"storage"}
                                                 : std::vector<std::string>{"storage", "overlay"};
    const int shape = below(4);
    if (shape == 0) { // NICs
        links.push_back(link_of("data", "enp2s0", first));
        if (apart) links.push_back(link_of("overlay", "enp3s0", {"overlay"}));
    } else if (shape == 1) { // VLANs on a NIC or on mgmt's
        const std::string parent = one_of({"enp1s0", "enp2s0"});
        links.push_back(vlan_of("data", parent, 90, first));
        if (apart) links.push_back(vlan_of("overlay", parent, 91, {"overlay"}));
    } else { // a bond, VLANs on it or not
        Link bond = link_of("bond", "bond0", shape == 2 ? first : std::vector<std::string>{});
        bond.kind = "bond";
        bond.bond = Bond{one_of({"active-backup", "802.3ad", "balance-xor"}), {}, {}, {}};
        links.push_back(bond);
        for (const char* nic : {"enp2s0", "enp3s0"}) {
            links.push_back(link_of("m-" + std::string(nic), nic));
            links.back().controller = "bond0";
        }
        if (shape == 3) links.push_back(vlan_of("data", "bond0", 90, first));
        if (apart) links.push_back(vlan_of("overlay", "bond0", 91, {"overlay"}));
    }
    if (!trial.cluster.provider.topology.empty() && chance(3))
        links.push_back(link_of("uplink", "enp4s0", {"provider"}));
    std::shuffle(links.begin(), links.end(), random_);
}

void Generator::put_disks(Trial& trial) {
    auto& disks = trial.request.assignment.disks.emplace();
    for (const facts::Disk& each : trial.join.inventory.disks) {
        if (each.system || chance(3)) continue;
        DiskChoice choice;
        choice.key = chance(2) ? each.wwn : each.by_id.front();
        if (chance(3))
            choice.role = "ceph-osd";
        else
            choice.pool = *each.rotational ? "slow" : "fast";
        const bool blank = each.holds && each.holds->empty();
        if (!blank || chance(4)) choice.confirm = choice.key;
        disks.push_back(choice);
    }
}

// Now and then an address is named: a free one, in the only network that the link carries.
void Generator::name_addresses(Trial& trial) {
    AddressBook book(trial.cluster);
    for (Link& link : *trial.request.assignment.links) {
        if (!carries_network(link) || link.purposes.size() > 1 || !chance(3)) continue;
        for (const Network& network : trial.cluster.networks) {
            if (!carries(link, network.purpose)) continue;
            const auto address = book.lowest_free(network);
            if (!address) continue;
            book.take(*address, "this node has it");
            link.addresses = {Cidr::make(*address, network.cidr.prefix())->str()};
        }
    }
}

void Generator::request(Trial& trial) {
    trial.request = {};
    Assignment& made = trial.request.assignment;
    put_links(trial);
    put_disks(trial);
    name_addresses(trial);
    if (chance(3)) made.rack = "rack-" + std::to_string(below(9));
    if (chance(3)) made.az = "az-1";
    if (chance(3)) made.role = "hybrid";
    if (chance(3)) made.ntp_servers = {"ntp1.example.org", "192.0.2.1"};
    if (chance(4)) made.mgmt.interface = "enp1s0";
    if (chance(4)) trial.request.pairing_code = trial.join.pairing_code;
    if (chance(4)) trial.request.copy_from = "none";
}

void Generator::next_machine(Trial& trial, int number) {
    trial.join.join_id = "nj-0000" + two_digits(number) + "aa";
    trial.join.node_id = "n-0000" + two_digits(number) + "aa";
    trial.join.inventory = machine(number);
    trial.join.remote_address = "10.77.0." + std::to_string(100 + number);
    request(trial);
}

Trial Generator::right() {
    Trial trial;
    trial.cluster = cluster();
    next_machine(trial, 1 + below(90));
    return trial;
}

// ---- spoiling

namespace {

using Way = std::string (*)(Generator&, Trial&);

Assignment& assignment(Trial& t) {
    return t.request.assignment;
}
std::vector<Link>& links(Trial& t) {
    return *assignment(t).links;
}
std::vector<DiskChoice>& disks(Trial& t) {
    return *assignment(t).disks;
}
std::string at(const char* list, std::size_t i, const char* rest) {
    return std::string(list) + "[" + std::to_string(i) + "]" + rest;
}

// The first link for which `fits` holds, spoiled; the field below it that must be named.
template<class Fits, class Spoil>
std::string spoil_link(Trial& t, const char* field, Fits fits, Spoil spoil) {
    for (std::size_t i = 0; i < links(t).size(); ++i)
        if (fits(links(t)[i])) {
            spoil(links(t)[i]);
            return at("links", i, field);
        }
    return {};
}

template<class Fits, class Spoil>
std::string spoil_disk(Trial& t, const char* field, Fits fits, Spoil spoil) {
    for (std::size_t i = 0; i < disks(t).size(); ++i)
        if (fits(disks(t)[i])) {
            spoil(disks(t)[i]);
            return at("disks", i, field);
        }
    return {};
}

bool any_link(const Link&) {
    return true;
}
bool any_disk(const DiskChoice&) {
    return true;
}
bool is_compute(const DiskChoice& choice) {
    return !choice.role;
}
bool with_network(const Link& link) {
    return carries_network(link);
}

constexpr Way kWays[] = {
    [](Generator&, Trial& t) -> std::string { return assignment(t).name = "Bad_1", "name"; },
    [](Generator&, Trial& t) -> std::string { return assignment(t).name = "alpha", "name"; },
    [](Generator& g, Trial& t) -> std::string {
        return assignment(t).role = g.one_of({"storage", "compute"}), "role";
    },
    [](Generator&, Trial& t) -> std::string {
        for (int i = 0; i < 5; ++i) t.cluster.holders.push_back(holder("more" + std::to_string(i)));
        return "role";
    },
    [](Generator&, Trial& t) -> std::string {
        return t.join.inventory.cpu.virtualization = "", "role";
    },
    [](Generator&, Trial& t) -> std::string { return assignment(t).rack = "Rack 1", "rack"; },
    [](Generator&, Trial& t) -> std::string { return assignment(t).az = "-", "az"; },
    [](Generator&, Trial& t) -> std::string { return t.request.copy_from = "n-omega", "copyFrom"; },
    [](Generator&, Trial& t) -> std::string {
        return t.request.pairing_code = "222-222", "pairingCode";
    },
    [](Generator&, Trial& t) -> std::string {
        return assignment(t).mgmt.interface = "nope0", "mgmt.interface";
    },
    [](Generator&, Trial& t) -> std::string {
        return t.machine_nic("enp1s0").state = facts::LinkState::kDown, "mgmt.interface";
    },
    [](Generator& g, Trial& t) -> std::string {
        assignment(t).mgmt.address = g.one_of({"10.77.0.0/24", "10.77.0.255/24", "10.77.0.1/24"});
        return assignment(t).mgmt.gateway = "10.77.0.254", "mgmt.address";
    },
    [](Generator& g, Trial& t) -> std::string {
        assignment(t).mgmt.gateway = g.one_of({"10.99.0.1", "x", "fd00::1"});
        return "mgmt.gateway";
    },
    [](Generator&, Trial& t) -> std::string {
        assignment(t).mgmt.dns = std::vector<std::string>{"192.0.2.1", "ns.example.org"};
        return "mgmt.dns[1]";
    },
    [](Generator& g, Trial& t) {
        const char* name = g.one_of({"", "Bad_1"});
        return spoil_link(t, ".name", any_link, [&](Link& link) { link.name = name; });
    },
    [](Generator&, Trial& t) -> std::string {
        if (links(t).size() < 2) return {};
        links(t).back().name = links(t).front().name;
        return at("links", links(t).size() - 1, ".name");
    },
    [](Generator& g, Trial& t) {
        const char* name = g.one_of({"nope0", "lo", "a/b", "a2345678901234567", "br-int"});
        return spoil_link(
            t, ".interface", [](const Link& link) { return is_ethernet(link); },
            [&](Link& link) { link.interface = name; });
    },
    [](Generator& g, Trial& t) {
        const std::int64_t mtu = g.one_of({0, 575, 9217, 1 << 20});
        return spoil_link(
            t, ".mtu", [](const Link& link) { return !is_bond_member(link); },
            [&](Link& link) { link.mtu = mtu; });
    },
    [](Generator& g, Trial& t) {
        const std::int64_t id = g.one_of({0, 4095, -1});
        return spoil_link(t, ".vlanId", is_vlan, [&](Link& link) { link.vlan_id = id; });
    },
    [](Generator&, Trial& t) {
        return spoil_link(t, ".parent", is_vlan, [](Link& link) { link.parent = "nope0"; });
    },
    [](Generator&, Trial& t) {
        return spoil_link(t, ".controller", is_bond_member,
                          [](Link& link) { link.controller = "bond9"; });
    },
    [](Generator&, Trial& t) {
        return spoil_link(t, ".bond.mode", is_bond, [](Link& link) { link.bond->mode.reset(); });
    },
    [](Generator&, Trial& t) {
        return spoil_link(t, ".bond.miimonMs", is_bond,
                          [](Link& link) { link.bond->miimon_ms = 10'001; });
    },
    [](Generator&, Trial& t) {
        return spoil_link(
            t, ".bond.lacpRate",
            [](const Link& link) { return is_bond(link) && link.bond->mode != "802.3ad"; },
            [](Link& link) { link.bond->lacp_rate = "fast"; });
    },
    [](Generator& g, Trial& t) {
        const char* purpose = g.one_of({"oob", "mgmt"});
        return spoil_link(t, ".purposes[0]", any_link, [&](Link& link) {
            link.purposes.insert(link.purposes.begin(), purpose);
        });
    },
    [](Generator&, Trial& t) -> std::string {
        const auto drop = [](Link& link) { std::erase(link.purposes, "storage"); };
        return spoil_link(
                   t, "", [](const Link& link) { return carries(link, "storage"); }, drop)
                       .empty()
                   ? ""
                   : "links";
    },
    [](Generator& g, Trial& t) {
        const char* address = g.one_of(
            {"192.0.2.9/24", "10.77.10.0/24", "fd00::1/64", "x", "10.77.10.9/23", "10.77.10.1/24"});
        return spoil_link(t, ".addresses[0]", with_network,
                          [&](Link& link) { link.addresses = {address}; });
    },
    [](Generator&, Trial& t) {
        for (Network& network : t.cluster.networks) network.reserved = {network.cidr.str()};
        return spoil_link(t, ".addresses", with_network,
                          [](Link& link) { link.addresses.clear(); });
    },
    [](Generator& g, Trial& t) {
        const char* key = g.one_of({"0x5000000000000000", "/dev/sdb", "/dev/disk/by-id/none"});
        return spoil_disk(t, ".key", any_disk, [&](DiskChoice& choice) { choice.key = key; });
    },
    [](Generator&, Trial& t) -> std::string {
        if (disks(t).empty()) return {};
        disks(t).push_back(disks(t).front());
        return at("disks", disks(t).size() - 1, ".key");
    },
    [](Generator&, Trial& t) {
        const std::string key = t.join.inventory.disks[0].wwn; // the system's
        return spoil_disk(t, ".key", any_disk, [&](DiskChoice& choice) { choice.key = key; });
    },
    [](Generator&, Trial& t) {
        return spoil_disk(t, ".key", any_disk, [&](DiskChoice& choice) {
            for (facts::Disk& disk : t.join.inventory.disks)
                if (disk.wwn == choice.key || has_word(disk.by_id, choice.key))
                    t.cluster.holders[0].disk_keys = {disk.wwn};
        });
    },
    [](Generator& g, Trial& t) {
        const char* confirm = g.one_of({"yes", "0x5000000000000000"});
        return spoil_disk(t, ".confirm", any_disk,
                          [&](DiskChoice& choice) { choice.confirm = confirm; });
    },
    [](Generator&, Trial& t) {
        return spoil_disk(t, ".pool", is_compute, [](DiskChoice& choice) { choice.pool.reset(); });
    },
    [](Generator&, Trial& t) {
        return spoil_disk(t, ".storageClass", is_compute,
                          [](DiskChoice& choice) { choice.storage_class = "Not A Label"; });
    },
    [](Generator& g, Trial& t) -> std::string {
        assignment(t).ntp_servers = std::vector<std::string>{g.one_of({"a b", "10.0.0.300", ""})};
        return "ntpServers[0]";
    },
    [](Generator&, Trial& t) -> std::string {
        const bool bridged = t.cluster.provider.topology == "bridged";
        return assignment(t).provider.topology = bridged ? "routed" : "bridged",
               bridged || t.cluster.provider.topology != "bridged" ? "provider.topology" : "";
    },
    [](Generator&, Trial& t) -> std::string {
        return assignment(t).provider.vlan = 4000, "provider.vlan";
    },
    [](Generator&, Trial& t) -> std::string {
        if (t.cluster.provider.topology == "routed") return {};
        return assignment(t).provider.upstream_interface = "nope0", "provider.upstreamInterface";
    },
};

} // namespace

std::size_t Generator::ways() {
    return std::size(kWays);
}

std::string Generator::spoil(Trial& trial) {
    last_way_ = static_cast<std::size_t>(below(static_cast<int>(std::size(kWays))));
    return kWays[last_way_](*this, trial);
}

} // namespace stratum::config::test
