#include "common/config/node_of_plan.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/defaults.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

// What finds the NIC again: its permanent address, else the one it has (a virtual NIC has no
// other).
std::string mac_of(const MachineView& machine, const std::string& name) {
    const facts::Nic* nic = machine.device(name);
    if (!nic) return {};
    const auto mac = MacAddress::parse(nic->permanent_mac.empty() ? nic->mac : nic->permanent_mac);
    return mac ? mac->str() : std::string{};
}

class NodeMaker {
public:
    NodeMaker(const ApprovalContext& context, const Assignment& assignment)
        : context_(context), assignment_(assignment), links_(*assignment.links) {}

    NodeConfig make() {
        node_.node_id = context_.join.node_id;
        node_.join_id = context_.join.join_id;
        node_.name = *assignment_.name;
        node_.role = *assignment_.role;
        node_.region = context_.cluster.region;
        node_.az = assignment_.az.value_or("");
        node_.rack = assignment_.rack.value_or("");
        node_.ntp_servers = *assignment_.ntp_servers;
        make_mgmt();
        make_connections();
        make_provider();
        make_disks();
        return std::move(node_);
    }

private:
    bool is_made_device(const std::string& name) const {
        const Link* link = links_.by_device(name);
        return link && !is_ethernet(*link);
    }

    void make_mgmt() {
        const Mgmt& mgmt = assignment_.mgmt;
        const std::string& interface = *mgmt.interface;
        node_.mgmt.nic.interface = interface;
        node_.mgmt.address = *mgmt.address;
        node_.mgmt.gateway = mgmt.gateway.value_or("");
        node_.mgmt.dns = mgmt.dns.value_or(std::vector<std::string>{});
        if (is_made_device(interface)) return;
        node_.mgmt.nic.mac = mac_of(context_.machine, interface);
        node_.mgmt.mtu = raised_mtu(context_.machine, links_, interface);
    }

    void make_connections() {
        for (const Link& link : *assignment_.links) {
            Connection connection{link, {}};
            if (is_ethernet(link)) connection.mac = mac_of(context_.machine, link.interface);
            node_.connections.push_back(std::move(connection));
        }
        for (const Link& link : *assignment_.links)
            if (is_vlan(link)) add_bare_parent(*link.parent);
    }

    // A NIC that only carries VLANs is no link of the assignment, but has to be found by its MAC
    // and raised to their MTU all the same.
    void add_bare_parent(const std::string& nic) {
        if (links_.by_device(nic) || nic == node_.mgmt.nic.interface) return;
        for (const Connection& connection : node_.connections)
            if (connection.link.interface == nic) return;
        Connection bare;
        bare.link.name = free_name(nic);
        bare.link.kind = "ethernet";
        bare.link.interface = nic;
        bare.link.mtu = kUsualMtu;
        for (const std::size_t i : links_.vlans_on(nic))
            bare.link.mtu = std::max(*bare.link.mtu, *(*assignment_.links)[i].mtu);
        bare.mac = mac_of(context_.machine, nic);
        node_.connections.push_back(std::move(bare));
    }

    std::string free_name(const std::string& nic) const {
        std::string name = is_label(nic) ? nic : std::string("nic");
        const auto is_taken = [&](const std::string& wanted) {
            return std::any_of(node_.connections.begin(), node_.connections.end(),
                               [&](const Connection& other) { return other.link.name == wanted; });
        };
        for (int number = 2; is_taken(name); ++number) name = say("nic-", number);
        return name;
    }

    void make_provider() {
        node_.provider = assignment_.provider;
        const auto& uplink = assignment_.provider.upstream_interface;
        if (uplink && !is_made_device(*uplink))
            node_.provider_mac = mac_of(context_.machine, *uplink);
        if (!context_.cluster.provider.topology.empty())
            node_.provider_upstream_purpose = context_.cluster.provider.upstream_purpose;
    }

    void make_disks() {
        for (std::size_t i = 0; i < context_.disks.size(); ++i) {
            const facts::Disk& disk = *context_.disk_found(i);
            node_.disks.push_back({(*assignment_.disks)[i], disk.path, disk.serial, disk.size_bytes,
                                   to_hex(facts::contents_digest(disk))});
        }
        node_.os_disk_layout = context_.machine.os_disk_layout();
        if (node_.os_disk_layout == "compute-tail")
            node_.compute_tail_pool = context_.cluster.default_pool;
        if (const auto& record = context_.machine.inventory().install_record)
            node_.oob_interface = record->oob_interface;
    }

    const ApprovalContext& context_;
    const Assignment& assignment_;
    LinkGraph links_;
    NodeConfig node_;
};

} // namespace

NodeConfig node_of_plan(const ApprovalContext& context, const Assignment& assignment) {
    return NodeMaker(context, assignment).make();
}

} // namespace stratum::config
