#include "common/config/address_book.hpp"

#include <algorithm>

#include "common/config/words.hpp"

namespace stratum::config {

namespace {

std::string holder_words(const Holder& holder) {
    const std::string& name = holder.name.empty() ? holder.node_id : holder.name;
    if (holder.state == "member" || holder.state == "joined") return "node " + name;
    return say("the ", holder.state, " join of ", name);
}

// The hosts that may be handed out: of the range, within the network, without its own and its
// broadcast address.
AddressSpan hosts_of(const Network& network) {
    std::uint32_t first = network.cidr.network().v4_value();
    std::uint32_t last = network.cidr.broadcast().v4_value();
    if (network.cidr.prefix() <= 30) {
        ++first;
        --last;
    }
    if (network.range_from) first = std::max(first, network.range_from->v4_value());
    if (network.range_to) last = std::min(last, network.range_to->v4_value());
    return {IpAddress::v4(first), IpAddress::v4(last)};
}

} // namespace

AddressBook::AddressBook(const ClusterView& cluster) {
    for (const Holder& holder : cluster.holders)
        for (const IpAddress& address : holder.addresses)
            take(address, holder_words(holder) + " has it");
    for (const IpAddress& vip : cluster.vips) take(vip, "a virtual address of the cluster has it");
    for (const Network& network : cluster.networks) {
        if (network.gateway)
            entries_.push_back({{*network.gateway, *network.gateway},
                                "it is the gateway of network " + network.name,
                                false});
        for (const std::string& text : network.reserved)
            if (const auto span = parse_reserved(text))
                entries_.push_back(
                    {*span, say("it is in ", text, ", reserved in network ", network.name), false});
    }
}

void AddressBook::take(const IpAddress& address, std::string by) {
    entries_.push_back({{address, address}, std::move(by), true});
}

const AddressBook::Entry* AddressBook::entry_at(const IpAddress& address,
                                                bool machines_only) const {
    for (const Entry& entry : entries_) {
        if (machines_only && !entry.is_machine) continue;
        const bool same_family = entry.span.first.is_v4() == address.is_v4();
        if (same_family && entry.span.first <= address && address <= entry.span.last) return &entry;
    }
    return nullptr;
}

std::optional<std::string> AddressBook::holder_of(const IpAddress& address) const {
    const Entry* entry = entry_at(address, false);
    if (!entry) return {};
    return entry->by;
}

std::optional<std::string> AddressBook::node_or_vip_at(const IpAddress& address) const {
    const Entry* entry = entry_at(address, true);
    if (!entry) return {};
    return entry->by;
}

std::optional<IpAddress> AddressBook::lowest_free(const Network& network) const {
    if (!network.cidr.address().is_v4()) return {};
    const AddressSpan hosts = hosts_of(network);
    // 64 bits: the step past the last IPv4 address must not wrap.
    std::uint64_t candidate = hosts.first.v4_value();
    while (candidate <= hosts.last.v4_value()) {
        const IpAddress address = IpAddress::v4(static_cast<std::uint32_t>(candidate));
        const Entry* entry = entry_at(address, false);
        if (!entry) return address;
        candidate = std::uint64_t{entry->span.last.v4_value()} + 1; // over a whole reserved range
    }
    return {};
}

} // namespace stratum::config
