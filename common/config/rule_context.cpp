#include "common/config/rule_context.hpp"

#include <algorithm>

#include "common/config/defaults.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

ApprovalContext::ApprovalContext(const ClusterView& cluster_, const JoinFacts& join_,
                                 const ApprovalRequest& request_, const Assignment& assignment_,
                                 const MachineView& machine_)
    : cluster(cluster_), join(join_), request(request_), assignment(assignment_), machine(machine_),
      links(*assignment_.links), book(cluster_) {
    for (const DiskChoice& choice : *assignment.disks) {
        NamedDisk named{facts::find_disk(machine.inventory().disks, choice.key), {}};
        if (named.found) named.verdict = facts::judge(**named.found);
        disks.push_back(std::move(named));
    }
}

const facts::Disk* ApprovalContext::disk_found(std::size_t i) const {
    return disks[i].found ? *disks[i].found : nullptr;
}

std::vector<const Network*> ApprovalContext::networks_of(const Link& link) const {
    return networks_carried(cluster.networks, link);
}

std::vector<const Network*> networks_carried(const std::vector<Network>& networks,
                                             const Link& link) {
    std::vector<const Network*> carried;
    for (const Network& network : networks) {
        const bool has_addresses = network.purpose == "storage" || network.purpose == "overlay";
        if (!has_addresses || !carries(link, network.purpose)) continue;
        const bool is_known =
            std::any_of(carried.begin(), carried.end(),
                        [&](const Network* other) { return other->cidr == network.cidr; });
        if (!is_known) carried.push_back(&network);
    }
    return carried;
}

Fault outside_networks_fault(std::string_view text, const std::vector<const Network*>& networks) {
    const auto address = Cidr::parse(text);
    if (!address || networks.empty()) return {};
    std::vector<std::string> choices;
    for (const Network* network : networks) {
        choices.push_back(
            say(network->name, " (", network->purpose, ", ", network->cidr.str(), ")"));
        if (!network->cidr.contains(address->address())) continue;
        if (network->cidr.prefix() == address->prefix()) return {};
        return say(address->str(), " has another prefix length than network ", network->name,
                   "; write ", address->address().str(), "/", network->cidr.prefix());
    }
    return say(address->str(),
               " is in none of the networks that this link carries: ", listed(choices));
}

std::optional<Cidr> ApprovalContext::mgmt_cidr() const {
    const auto cidr = Cidr::parse(assignment.mgmt.address.value_or(""));
    if (!cidr) return {};
    return *cidr;
}

std::optional<IpAddress> ApprovalContext::mgmt_ip() const {
    if (const auto cidr = mgmt_cidr()) return cidr->address();
    const auto address = IpAddress::parse(assignment.mgmt.address.value_or(""));
    if (!address) return {};
    return *address;
}

bool ApprovalContext::is_oob(std::string_view nic) const {
    const facts::Nic* oob = machine.oob();
    if (!oob || oob->name != nic) return false;
    return !assignment.mgmt.interface ||
           !has_word(links.nics_below(*assignment.mgmt.interface), oob->name);
}

bool ApprovalContext::is_mgmt_address_in_place() const {
    const auto address = mgmt_ip();
    if (!address || !assignment.mgmt.interface) return false;
    const auto places = mgmt_places(machine, links, *assignment.mgmt.interface);
    return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
        return machine.address_on(place, *address) != nullptr;
    });
}

} // namespace stratum::config
