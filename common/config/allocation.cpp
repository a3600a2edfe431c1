#include "common/config/allocation.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

class Allocator {
public:
    explicit Allocator(const ApprovalContext& context) : context_(context), book_(context.book) {
        take_own();
    }

    // Picks for one link; the networks without a free address are sentences.
    std::vector<std::string> fill(Link& link) {
        if (!wants_addresses(link)) return {};
        std::vector<std::string> full;
        for (const Network* network : context_.networks_of(link))
            if (!pick(*network, link)) full.push_back(full_words(*network));
        link.addresses_allocated = !link.addresses.empty();
        return full;
    }

private:
    // What the assignment names itself must not be given twice: other links' addresses, the mgmt
    // address, and its gateway and DNS servers, which are somebody's too.
    void take_own() {
        const auto take = [&](std::string_view text) {
            if (const auto cidr = Cidr::parse(text))
                book_.take(cidr->address(), "this node has it");
            else if (const auto address = IpAddress::parse(text))
                book_.take(*address, "it is this node's gateway or DNS server");
        };
        for (const Link& link : context_.link_list())
            for (const std::string& address : link.addresses) take(address);
        const Mgmt& mgmt = context_.assignment.mgmt;
        take(mgmt.address.value_or(""));
        take(mgmt.gateway.value_or(""));
        for (const std::string& server : mgmt.dns.value_or(std::vector<std::string>{}))
            take(server);
    }

    bool pick(const Network& network, Link& link) {
        auto address = earlier_in(network);
        if (!address) address = book_.lowest_free(network);
        if (!address) return false;
        book_.take(*address, "this node has it");
        link.addresses.push_back(Cidr::make(*address, network.cidr.prefix())->str());
        return true;
    }

    static std::string full_words(const Network& network) {
        std::string range = network.cidr.str();
        if (network.range_from || network.range_to) range += ", within its range";
        return say("network ", network.name, " (", range,
                   ") is full: every address is a node's, a join's, a gateway's, virtual or "
                   "reserved; remove a node, reject a failed join, or name an address yourself");
    }

    // An address of this network that an earlier approval of this join gave it, and that is free.
    std::optional<IpAddress> earlier_in(const Network& network) const {
        if (!context_.join.earlier || !context_.join.earlier->links) return {};
        for (const Link& link : *context_.join.earlier->links) {
            if (!carries(link, network.purpose)) continue;
            for (const std::string& text : link.addresses) {
                const auto cidr = Cidr::parse(text);
                if (!cidr || !network.cidr.contains(cidr->address())) continue;
                const auto at_home = Cidr::make(cidr->address(), network.cidr.prefix());
                if (at_home->is_host() && !book_.holder_of(cidr->address())) return cidr->address();
            }
        }
        return {};
    }

    const ApprovalContext& context_;
    AddressBook book_;
};

} // namespace

bool wants_addresses(const Link& link) {
    return link.addresses.empty() && !is_bond_member(link) && carries_network(link);
}

Allocation allocate(const ApprovalContext& context) {
    Allocator allocator(context);
    Allocation made;
    made.links = context.link_list();
    for (Link& link : made.links) made.full_networks.push_back(allocator.fill(link));
    return made;
}

} // namespace stratum::config
