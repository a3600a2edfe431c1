#include "common/config/allocation.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

constexpr std::string_view kAddressesField = "links[i].addresses";

class Allocator {
public:
    Allocator(const ApprovalContext& context, Findings& findings)
        : context_(context), findings_(findings), book_(context.book) {
        take_own();
    }

    void fill(Link& link, std::size_t i) {
        if (!link.addresses.empty() || is_bond_member(link) || !carries_network(link)) return;
        complain_of_missing(link, i);
        for (const Network* network : context_.networks_of(link)) pick(*network, link, i);
        link.addresses_allocated = !link.addresses.empty();
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

    void complain_of_missing(const Link& link, std::size_t i) {
        for (const std::string_view purpose : {"storage", "overlay"}) {
            const auto& networks = context_.cluster.networks;
            const bool is_recorded =
                std::any_of(networks.begin(), networks.end(),
                            [&](const Network& network) { return network.purpose == purpose; });
            if (carries(link, purpose) && !is_recorded)
                findings_.add(path_of(kAddressesField, {i, 0}),
                              say("the cluster records no ", purpose,
                                  " network to pick an address from; name one yourself"));
        }
    }

    void pick(const Network& network, Link& link, std::size_t i) {
        auto address = earlier_in(network);
        if (!address) address = book_.lowest_free(network);
        if (!address) {
            std::string range = network.cidr.str();
            if (network.range_from || network.range_to) range += ", within its range";
            findings_.add(path_of(kAddressesField, {i, 0}),
                          say("network ", network.name, " (", range,
                              ") is full: every address is a node's, a join's, a gateway's, "
                              "virtual or reserved; remove a node, reject a failed join, or name "
                              "an address yourself"));
            return;
        }
        book_.take(*address, "this node has it");
        link.addresses.push_back(Cidr::make(*address, network.cidr.prefix())->str());
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
    Findings& findings_;
    AddressBook book_;
};

} // namespace

void allocate(const ApprovalContext& context, std::vector<Link>& links, Findings& findings) {
    Allocator allocator(context, findings);
    for (std::size_t i = 0; i < links.size(); ++i) allocator.fill(links[i], i);
}

} // namespace stratum::config
