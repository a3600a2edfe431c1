#include "founder/api/substrate_metrics.hpp"

#include <algorithm>

#include "founder/api/metric_text.hpp"

namespace stratum::founder::api {

std::string substrate_metrics(const Compatibility& found) {
    Metric components("stratum_component_status",
                      "A component of a node: 0 ok, 1 warn, 2 unsupported.");
    Metric constraints("stratum_constraint_status",
                       "A constraint between a node's components: 0 ok, 1 warn, 2 unsupported.");
    Metric overall(
        "stratum_compatibility_status",
        "The worst of a node's components and constraints: 0 ok, 1 warn, 2 unsupported.");
    Metric ages("stratum_compatibility_age_seconds", "How old a node's report is.");
    Metric worst("stratum_compatibility_worst",
                 "The worst of all nodes: 0 ok, 1 warn, 2 unsupported.");
    std::vector<NodeReport> nodes = found.nodes;
    if (nodes.empty())
        nodes.push_back({found.own_node_id, found.own.probed_at,
                         std::make_shared<const compat::Report>(found.own.report), ""});
    for (const NodeReport& one : nodes) {
        const std::string node = label("node", one.node_id);
        for (const auto& row : one.report->components)
            components.add(node + "," + label("component", row.id),
                           static_cast<std::int64_t>(row.status));
        for (const auto& row : one.report->constraints)
            constraints.add(node + "," + label("constraint", row.id),
                            static_cast<std::int64_t>(row.status));
        overall.add(node, static_cast<std::int64_t>(one.report->overall));
        ages.add(node, std::max<std::int64_t>(found.now - one.sampled_at, 0));
    }
    worst.add(static_cast<std::int64_t>(worst_of(found)));
    Metric unreported("stratum_compatibility_unreported_members",
                      "Members that have joined and of which there is no report.");
    unreported.add(static_cast<std::int64_t>(found.unreported));
    return components.text() + constraints.text() + overall.text() + ages.text() + worst.text() +
           unreported.text();
}

} // namespace stratum::founder::api
