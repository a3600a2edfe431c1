// Rules about the node as a whole: name, role, place, time servers, the request around it.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/rule_functions.hpp"
#include "common/config/words.hpp"

namespace stratum::config::rules {

namespace {

// People type the code with or without its hyphen, in either case.
std::string bare_code(std::string_view code) {
    std::string bare;
    for (const char c : upper(code))
        if (c != '-' && c != ' ') bare += c;
    return bare;
}

bool is_hybrid(const Context& c) {
    return c.assignment.role == "hybrid";
}

} // namespace

Sentences copy_source_unknown(const Context& c, Place) {
    return sentences(c.copy_fault);
}

Sentences pairing_code_differs(const Context& c, Place) {
    const auto& code = c.request.pairing_code;
    if (!code ||
        (!c.join.pairing_code.empty() && bare_code(*code) == bare_code(c.join.pairing_code)))
        return {};
    return {say("\"", *code,
                "\" is not the pairing code of this join; type the code that the machine's own "
                "console shows, and approve only the machine that shows it")};
}

Sentences role_not_supported(const Context& c, Place) {
    if (is_hybrid(c)) return {};
    return {say(*c.assignment.role, " nodes are not supported yet; the role must be hybrid "
                                    "(control plane, compute and storage together)")};
}

Sentences cluster_is_full(const Context& c, Place) {
    if (!is_hybrid(c)) return {};
    std::vector<std::string> nodes;
    for (const Holder& holder : c.cluster.holders)
        if (holder.control_plane)
            nodes.push_back(holder.name.empty() ? holder.node_id : holder.name);
    const auto most = static_cast<std::size_t>(c.cluster.max_control_plane);
    if (nodes.size() + 1 <= most) return {};
    std::sort(nodes.begin(), nodes.end(), natural_less);
    return {say("the cluster has ", nodes.size(), " control-plane nodes (", listed(nodes),
                "), joining ones counted, and takes at most ", most,
                "; remove a node, or reject a join, first")};
}

Sentences cpu_cannot_run_vms(const Context& c, Place) {
    const auto& virtualization = c.machine.inventory().cpu.virtualization;
    if (!is_hybrid(c) || c.cluster.allow_emulation) return {};
    if (!virtualization || !virtualization->empty()) return {};
    return {"a hybrid node runs VMs, and this CPU shows neither vmx nor svm; switch "
            "virtualization on in the firmware (or in the hypervisor above), or set the "
            "cluster's allowEmulation"};
}

Sentences name_is_no_label(const Context& c, Place) {
    if (*c.assignment.name == "localhost")
        return {"localhost is what every machine calls itself; choose another"};
    return sentences(label_fault(*c.assignment.name));
}

Sentences name_is_taken(const Context& c, Place) {
    const std::string wanted = lower(*c.assignment.name);
    for (const Holder& holder : c.cluster.holders) {
        if (holder.node_id == wanted)
            return {say(*c.assignment.name, " is the node id of ",
                        holder.name.empty() ? "another join" : holder.name, "; choose another")};
        if (lower(holder.name) != wanted) continue;
        const bool is_member = holder.state == "member" || holder.state == "joined";
        return {say(*c.assignment.name, " is the name of ",
                    is_member ? "node " + holder.node_id
                              : say("the ", holder.state, " join ", holder.join_id),
                    "; choose another")};
    }
    return {};
}

Sentences rack_is_no_label(const Context& c, Place) {
    return c.assignment.rack ? sentences(label_fault(*c.assignment.rack)) : Sentences{};
}

Sentences az_is_no_label(const Context& c, Place) {
    return c.assignment.az ? sentences(label_fault(*c.assignment.az)) : Sentences{};
}

Sentences ntp_is_no_host(const Context& c, Place at) {
    return sentences(host_fault((*c.assignment.ntp_servers)[at.i]));
}

Sentences ntp_twice(const Context& c, Place at) {
    const auto& servers = *c.assignment.ntp_servers;
    for (std::size_t j = 0; j < at.i; ++j)
        if (lower(servers[j]) == lower(servers[at.i]))
            return {say(servers[at.i], " is given twice; each server once")};
    return {};
}

} // namespace stratum::config::rules
