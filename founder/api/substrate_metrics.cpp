#include "founder/api/substrate_metrics.hpp"

#include <algorithm>

namespace stratum::founder::api {
namespace {

// Ids come from members: whatever is in them must stay inside its quotes.
std::string label(const char* name, const std::string& value) {
    std::string text = std::string(name) + "=\"";
    for (const char c : value) {
        if (c == '\\' || c == '"') text += '\\';
        text += c == '\n' ? "\\n" : std::string(1, c);
    }
    return text + '"';
}

// One metric: its head, then its lines.
class Metric {
public:
    Metric(const char* name, const char* help)
        : name_(name), text_("# HELP " + name_ + " " + help + "\n# TYPE " + name_ + " gauge\n") {}
    void add(const std::string& labels, std::int64_t value) {
        text_ +=
            name_ + (labels.empty() ? "" : "{" + labels + "}") + " " + std::to_string(value) + "\n";
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string name_;
    std::string text_;
};

} // namespace

std::string substrate_metrics(const Compatibility& found) {
    Metric components("stratum_component_status",
                      "A component of a node: 0 ok, 1 warn, 2 unsupported.");
    Metric constraints("stratum_constraint_status",
                       "A constraint between a node's components: 0 ok, 1 warn, 2 unsupported.");
    Metric overall("stratum_compatibility_status",
                   "The worst of a node's components and constraints.");
    Metric ages("stratum_compatibility_age_seconds", "How old a node's report is.");
    Metric worst("stratum_compatibility_worst", "The worst of all nodes: 0 ok, 2 unsupported.");
    std::vector<NodeReport> nodes = found.nodes;
    if (nodes.empty())
        nodes.push_back({found.own_node_id, found.own.probed_at,
                         std::make_shared<const compat::Report>(found.own.report), ""});
    compat::Fit fleet = found.own.report.overall;
    for (const NodeReport& sample : nodes) {
        const std::string node = label("node", sample.node_id);
        for (const auto& one : sample.report->components)
            components.add(node + "," + label("component", one.id),
                           static_cast<std::int64_t>(one.status));
        for (const auto& one : sample.report->constraints)
            constraints.add(node + "," + label("constraint", one.id),
                            static_cast<std::int64_t>(one.status));
        overall.add(node, static_cast<std::int64_t>(sample.report->overall));
        ages.add(node, std::max<std::int64_t>(found.now - sample.sampled_at, 0));
        fleet = std::max(fleet, sample.report->overall);
    }
    worst.add("", static_cast<std::int64_t>(fleet));
    return components.text() + constraints.text() + overall.text() + ages.text() + worst.text();
}

} // namespace stratum::founder::api
