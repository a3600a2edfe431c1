#include <algorithm>

#include "common/config/defaults.hpp"
#include "common/config/faults.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

std::optional<std::int64_t> smallest(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
}

std::optional<std::int64_t> nic_maximum(const MachineView& machine, const std::string& name) {
    const facts::Nic* nic = machine.device(name);
    if (!nic || !nic->max_mtu) return {};
    return *nic->max_mtu;
}

std::int64_t largest_above(const LinkGraph& graph, const std::string& device) {
    std::int64_t largest = 0;
    for (const std::size_t i : graph.vlans_on(device))
        largest = std::max(largest, graph.links()[i].mtu.value_or(0));
    return largest;
}

class MtuFiller {
public:
    MtuFiller(const DefaultsInput& in, std::vector<Link>& links, std::vector<std::string>& notes)
        : in_(in), links_(links), graph_(links), notes_(notes) {}

    // From the top down: VLANs, then what carries them, then the members of bonds.
    void fill() {
        for (Link& link : links_)
            if (is_vlan(link) && !link.mtu) link.mtu = own_need(link);
        for (Link& link : links_)
            if (!is_vlan(link) && !is_bond_member(link)) settle(link);
        for (Link& link : links_)
            if (is_bond_member(link)) follow_bond(link);
    }

private:
    std::int64_t own_need(const Link& link) const {
        const std::int64_t need = needed_mtu(in_.cluster, link);
        return need > 0 ? need : kUsualMtu;
    }

    void settle(Link& link) {
        const bool is_asked_for = link.mtu.has_value();
        if (is_out_of_range(link)) return;
        if (!is_asked_for) link.mtu = own_need(link);
        raise(link, largest_above(graph_, link.interface),
              is_asked_for ? "the VLANs on it" : std::string_view{});
    }

    void follow_bond(Link& link) {
        const Link* bond = graph_.bond(link.controller.value_or(""));
        if (!bond || !bond->mtu) {
            if (!link.mtu) link.mtu = kUsualMtu;
            return;
        }
        if (!link.mtu) link.mtu = bond->mtu;
        if (is_out_of_range(link)) return;
        if (*link.mtu > *bond->mtu) {
            notes_.push_back(say("link ", link.name, ": its MTU becomes ", *bond->mtu,
                                 ", that of its bond ", bond->interface));
            link.mtu = bond->mtu;
        }
        raise(link, *bond->mtu, "its bond");
    }

    // What nobody may ask for is refused, not mended.
    static bool is_out_of_range(const Link& link) {
        return link.mtu && mtu_fault(*link.mtu, false).has_value();
    }

    // As far as the device can; noted where something else was asked for.
    void raise(Link& link, std::int64_t wanted, std::string_view for_what) {
        const auto maximum = largest_mtu(in_.machine, graph_, link.interface);
        const std::int64_t reached = maximum ? std::min(wanted, *maximum) : wanted;
        if (reached <= *link.mtu) return;
        if (!for_what.empty())
            notes_.push_back(say("link ", link.name, ": its MTU is raised from ", *link.mtu, " to ",
                                 reached, " for ", for_what));
        link.mtu = reached;
    }

    const DefaultsInput& in_;
    std::vector<Link>& links_;
    LinkGraph graph_;
    std::vector<std::string>& notes_;
};

} // namespace

std::int64_t needed_mtu(const ClusterView& cluster, const Link& link) {
    std::int64_t needed = 0;
    for (const Network& network : cluster.networks)
        if (carries(link, network.purpose)) needed = std::max(needed, network.mtu);
    return needed;
}

std::optional<std::int64_t> largest_mtu(const MachineView& machine, const LinkGraph& links,
                                        const std::string& device) {
    std::optional<std::int64_t> largest;
    for (const std::string& nic : links.nics_below(device))
        largest = smallest(largest, nic_maximum(machine, nic));
    return largest;
}

void fill_mtus(const DefaultsInput& in, std::vector<Link>& links, std::vector<std::string>& notes) {
    MtuFiller(in, links, notes).fill();
}

std::int64_t mtu_today(const MachineView& machine, const std::string& nic) {
    const facts::Nic* found = machine.device(nic);
    return found && found->mtu ? *found->mtu : kUsualMtu;
}

std::optional<std::int64_t> raised_mtu(const MachineView& machine, const LinkGraph& links,
                                       const std::string& nic) {
    std::int64_t wanted = largest_above(links, nic);
    const Link* link = links.by_device(nic);
    if (link && !is_vlan(*link)) wanted = std::max(wanted, link->mtu.value_or(0));
    // Today's MTU may be a lease's doing and gone tomorrow: above the usual it is always said.
    if (wanted <= std::min<std::int64_t>(kUsualMtu, mtu_today(machine, nic))) return {};
    const auto maximum = largest_mtu(machine, links, nic);
    return maximum ? std::min(wanted, *maximum) : wanted;
}

} // namespace stratum::config
