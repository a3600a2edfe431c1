// node.yaml's rules about the section `cluster`, and those for a founder's own file.
#include <algorithm>

#include "common/config/document_rules.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/words.hpp"

namespace stratum::config::document {

namespace {

// None where there is no cluster: a rule may be asked about a document without one.
const std::vector<Network>& networks(const Context& c) {
    static const std::vector<Network> none;
    return c.config.cluster ? c.config.cluster->networks : none;
}
const Network& network(const Context& c, Place at) {
    return networks(c)[at.i];
}

bool is_nodes_purpose(std::string_view purpose) {
    return purpose == "storage" || purpose == "overlay";
}

std::string outside(const IpAddress& address, const Network& network) {
    return say(address.str(), " is not in ", network.cidr.str());
}

bool has_address_in(const Link& link, const Network& network) {
    return std::any_of(link.addresses.begin(), link.addresses.end(), [&](const auto& text) {
        const auto cidr = Cidr::parse(text);
        return cidr && network.cidr.contains(cidr->address());
    });
}

} // namespace

Sentences network_name_twice(const Context& c, Place at) {
    for (std::size_t j = 0; j < at.i; ++j)
        if (networks(c)[j].name == network(c, at).name)
            return {say("\"", network(c, at).name, "\" is also the name of cluster.networks[", j,
                        "]; each network needs its own")};
    return {};
}

Sentences network_purpose_twice(const Context& c, Place at) {
    for (std::size_t j = 0; j < at.i; ++j)
        if (networks(c)[j].purpose == network(c, at).purpose)
            return {say(network(c, at).purpose, " is already the purpose of network ",
                        networks(c)[j].name, "; one network for each purpose")};
    return {};
}

// Two purposes may share one network; two networks may not share a part.
Sentences networks_overlap(const Context& c, Place at) {
    for (std::size_t j = 0; j < at.i; ++j) {
        const Network& other = networks(c)[j];
        if (other.cidr.prefix() == 0) continue; // not readable, which is told there
        if (other.cidr != network(c, at).cidr && other.cidr.overlaps(network(c, at).cidr))
            return {say(network(c, at).cidr.str(), " overlaps ", other.cidr.str(), " of network ",
                        other.name, "; keep them apart, or make them the same")};
    }
    return {};
}

Sentences range_from_outside(const Context& c, Place at) {
    const auto& from = network(c, at).range_from;
    if (!from || network(c, at).cidr.contains(*from)) return {};
    return {outside(*from, network(c, at))};
}

Sentences range_to_outside(const Context& c, Place at) {
    const auto& to = network(c, at).range_to;
    if (!to) return {};
    if (!network(c, at).cidr.contains(*to)) return {outside(*to, network(c, at))};
    const auto& from = network(c, at).range_from;
    if (!from || *from <= *to) return {};
    return {say(to->str(), " lies before the range's first address, ", from->str())};
}

Sentences gateway_outside(const Context& c, Place at) {
    const auto& gateway = network(c, at).gateway;
    if (!gateway) return {};
    if (!network(c, at).cidr.contains(*gateway)) return {outside(*gateway, network(c, at))};
    const auto at_home = Cidr::make(*gateway, network(c, at).cidr.prefix());
    return sentences(host_cidr_fault(at_home->str()));
}

Sentences reserved_outside(const Context& c, Place at) {
    const auto span = parse_reserved(network(c, at).reserved[at.j]);
    if (!span) return {};
    for (const IpAddress& end : {span->first, span->last})
        if (!network(c, at).cidr.contains(end)) return {outside(end, network(c, at))};
    return {};
}

Sentences vip_twice(const Context& c, Place at) {
    const auto& vips = c.config.cluster->vips;
    const auto own = IpAddress::parse(vips[at.i]);
    for (std::size_t j = 0; own && j < at.i; ++j) {
        const auto other = IpAddress::parse(vips[j]);
        if (other && *other == *own) return {say(own->str(), " is given twice")};
    }
    return {};
}

Sentences vip_is_nodes(const Context& c, Place at) {
    const auto vip = IpAddress::parse(c.config.cluster->vips[at.i]);
    const auto is_vip = [&](std::string_view text) {
        const auto cidr = Cidr::parse(text);
        return cidr && vip && cidr->address() == *vip;
    };
    if (is_vip(c.config.mgmt.address))
        return {say(vip->str(), " is this node's mgmt address; a virtual address is its own")};
    for (const Link& link : c.links)
        if (std::any_of(link.addresses.begin(), link.addresses.end(), is_vip))
            return {say(vip->str(), " is an address of this node's connection ", link.name,
                        "; a virtual address is its own")};
    return {};
}

Sentences cluster_missing(const Context& c, Place) {
    if (c.config.cluster) return {};
    return {"missing: a founder's own file says what its cluster decides"};
}

Sentences join_given(const Context& c, Place) {
    if (!c.is_joiners()) return {};
    return {say("this file was made for the join ", c.config.join_id,
                "; a founder's own file has no join")};
}

Sentences founder_not_hybrid(const Context& c, Place) {
    if (c.config.role == "hybrid") return {};
    return {say(c.config.role, " nodes are not supported yet; the role must be hybrid")};
}

Sentences network_missing(const Context& c, Place) {
    Sentences missing;
    for (const std::string_view purpose : {"storage", "overlay"})
        if (!c.network_for(purpose))
            missing.push_back(say("there is no network with purpose ", purpose,
                                  "; joiners get an address from it"));
    return missing;
}

Sentences network_not_ipv4(const Context& c, Place at) {
    const Network& own = network(c, at);
    if (!is_nodes_purpose(own.purpose) || own.cidr.address().is_v4()) return {};
    return {say(own.cidr.str(), " is not IPv4; the ", own.purpose, " network must be")};
}

Sentences own_link_missing(const Context& c, Place) {
    Sentences missing;
    for (const Network& own : networks(c)) {
        const bool is_carried = std::any_of(c.links.begin(), c.links.end(), [&](const Link& link) {
            return carries(link, own.purpose);
        });
        if (is_nodes_purpose(own.purpose) && own.required && !is_carried)
            missing.push_back(say("none carries ", own.purpose, ", which every node needs (",
                                  own.cidr.str(), "); add it to a connection's purposes"));
    }
    return missing;
}

// Nobody picks addresses for the founder: it is the first.
Sentences own_address_missing(const Context& c, Place at) {
    Sentences missing;
    const Link& link = c.link(at);
    for (const Network* carried : networks_carried(networks(c), link))
        if (!has_address_in(link, *carried))
            missing.push_back(say("none is in network ", carried->name, " (", carried->cidr.str(),
                                  "), which this connection carries"));
    return missing;
}

} // namespace stratum::config::document
