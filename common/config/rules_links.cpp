// Rules about links one by one: name, device, purposes; and what the cluster needs of all of them.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/rule_functions.hpp"
#include "common/config/stacking.hpp"
#include "common/config/words.hpp"

namespace stratum::config::rules {

namespace {

std::string with_quotes(const std::string& text) {
    return say("\"", text, "\"");
}

const std::string& purpose_at(const Context& c, Place at) {
    return c.link(at).purposes[at.j];
}

std::vector<std::string> links_carrying(const Context& c, std::string_view purpose) {
    std::vector<std::string> names;
    for (const Link& link : c.link_list())
        if (carries(link, purpose)) names.push_back(link.name.empty() ? link.interface : link.name);
    return names;
}

constexpr std::string_view kNetworkPurposesOfNodes[] = {"storage", "overlay"};

const Network* network_for(const Context& c, std::string_view purpose, bool required_only) {
    for (const Network& network : c.cluster.networks)
        if (network.purpose == purpose && (network.required || !required_only)) return &network;
    return nullptr;
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
    std::sort(texts.begin(), texts.end());
    return texts;
}

// What the machine's device is made of, for a person.
std::string make_up(const facts::Nic& nic) {
    if (nic.kind == "bond" && nic.bond)
        return say("a bond (", nic.bond->mode, ") of ", listed(sorted(nic.bond->members)));
    if (nic.kind == "vlan" && nic.vlan_id) return say("VLAN ", *nic.vlan_id, " on ", nic.parent);
    return say("a ", nic.kind);
}

bool has_same_make_up(const Context& c, const Link& link, const facts::Nic& nic) {
    if (is_vlan(link))
        return nic.kind == "vlan" && nic.vlan_id && link.vlan_id == *nic.vlan_id &&
               link.parent == nic.parent;
    if (nic.kind != "bond" || !nic.bond || !link.bond) return false;
    std::vector<std::string> members;
    for (const std::size_t i : c.links.members_of(link.interface))
        members.push_back(c.link_list()[i].interface);
    return link.bond->mode == nic.bond->mode && sorted(members) == sorted(nic.bond->members);
}

} // namespace

Sentences link_name_missing(const Context& c, Place at) {
    return sentences(stacking::name_missing(c.link(at)));
}

Sentences link_name_no_label(const Context& c, Place at) {
    return sentences(label_fault(c.link(at).name));
}

Sentences link_name_twice(const Context& c, Place at) {
    for (std::size_t j = 0; j < at.i; ++j)
        if (c.link_list()[j].name == c.link(at).name)
            return {say(with_quotes(c.link(at).name), " is also the name of links[", j,
                        "]; each link needs its own")};
    return {};
}

Sentences link_device_malformed(const Context& c, Place at) {
    return sentences(device_fault(c.link(at).interface));
}

Sentences link_nic_unknown(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!is_ethernet(link) || c.machine.nic(link.interface)) return {};
    const facts::Nic* device = c.machine.device(link.interface);
    if (device && device->bmc) return {say(link.interface, " is the BMC's; ", c.machine.choices())};
    if (device)
        return {say(link.interface, " is a ", device->kind,
                    ", and an ethernet link needs a physical NIC; ", c.machine.choices())};
    if (const facts::Nic* nic = c.machine.nic_also_called(link.interface))
        return {say(link.interface, " is another name of ", nic->name, "; write ", nic->name)};
    return {say("no NIC ", link.interface, "; ", c.machine.choices())};
}

Sentences link_nic_used(const Context& c, Place at) {
    if (!is_ethernet(c.link(at))) return {};
    for (std::size_t j = 0; j < at.i; ++j) {
        const Link& other = c.link_list()[j];
        if (is_ethernet(other) && other.interface == c.link(at).interface)
            return {say(other.interface, " is already used by link ", other.name,
                        other.controller ? " (a member of " + *other.controller + ")" : "",
                        "; one link for each NIC")};
    }
    return {};
}

Sentences link_nic_not_told_apart(const Context& c, Place at) {
    if (!is_ethernet(c.link(at))) return {};
    return sentences(nic_identity_fault(c.machine, c.link(at).interface));
}

Sentences link_nic_is_oob(const Context& c, Place at) {
    if (!is_ethernet(c.link(at)) || !c.is_oob(c.link(at).interface)) return {};
    return {say(c.link(at).interface, " is the out-of-band NIC that stage 1 fixed, and keeps its "
                                      "own address; choose another")};
}

Sentences link_device_collides(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (is_ethernet(link)) return {};
    const facts::Nic* nic = c.machine.device(link.interface);
    if (nic && (nic->kind == "physical" || nic->kind == "other"))
        return {say(link.interface, " is a NIC of this machine; a ", *link.kind,
                    " needs a name of its own")};
    if (const facts::Nic* other = c.machine.nic_also_called(link.interface))
        return {say(link.interface, " is another name of ", other->name, "; a ", *link.kind,
                    " needs a name of its own")};
    for (std::size_t j = 0; j < at.i; ++j)
        if (c.link_list()[j].interface == link.interface)
            return {say(link.interface, " is already the device of link ", c.link_list()[j].name,
                        "; a ", *link.kind, " needs a name of its own")};
    return {};
}

Sentences link_device_made_otherwise(const Context& c, Place at) {
    const Link& link = c.link(at);
    const facts::Nic* nic = is_ethernet(link) ? nullptr : c.machine.device(link.interface);
    if (!nic || has_same_make_up(c, link, *nic)) return {};
    return {say(link.interface, " is there already as ", make_up(*nic),
                "; ask for the same, or give this ", *link.kind, " another name")};
}

Sentences purpose_is_lifeline(const Context& c, Place at) {
    return sentences(stacking::purpose_is_lifeline(purpose_at(c, at)));
}

Sentences purpose_on_member(const Context& c, Place at) {
    return sentences(stacking::purpose_on_member(c.link(at), purpose_at(c, at)));
}

Sentences purpose_repeated(const Context& c, Place at) {
    return sentences(stacking::purpose_repeated(c.link(at), at.j));
}

Sentences purpose_required_missing(const Context& c, Place) {
    Sentences missing;
    for (const std::string_view purpose : kNetworkPurposesOfNodes) {
        const Network* network = network_for(c, purpose, true);
        if (network && links_carrying(c, purpose).empty())
            missing.push_back(say("no link carries ", purpose, ", which every node needs (network ",
                                  network->name, ", ", network->cidr.str(),
                                  "); give one link the purpose ", purpose));
    }
    return missing;
}

Sentences purpose_on_two_links(const Context& c, Place) {
    Sentences twice;
    for (const std::string_view purpose : kNetworkPurposesOfNodes) {
        const auto names = links_carrying(c, purpose);
        if (network_for(c, purpose, false) && names.size() > 1)
            twice.push_back(
                say("the links ", listed(names), " all carry ", purpose, "; one link carries it"));
    }
    return twice;
}

Sentences provider_on_two_links(const Context& c, Place) {
    const auto names = links_carrying(c, "provider");
    if (names.size() < 2) return {};
    return {say("the links ", listed(names), " all carry provider; at most one link does")};
}

} // namespace stratum::config::rules
