// The cluster's matrix as the API's JSON: put together of reports that are kept as JSON already.
#include "common/base/text.hpp"
#include "founder/documents.hpp"

namespace stratum::founder {
namespace {

std::string quoted(const std::string& text) {
    return write_json(Node::string(text));
}

} // namespace

std::string compatibility_json(const Compatibility& found) {
    std::string nodes;
    for (const NodeReport& one : found.nodes) {
        nodes += nodes.empty() ? "{" : ",{";
        nodes += "\"nodeId\":" + quoted(one.node_id) +
                 ",\"sampledAt\":" + quoted(format_time(one.sampled_at)) + ",";
        nodes += std::string_view(one.json).substr(1); // behind its {
    }
    std::string text = write_json(compat::to_node(found.own.report));
    text.pop_back(); // its }
    if (!found.nodes.empty())
        text += ",\"fleetOverallStatus\":" + quoted(std::string(compat::fit_name(worst_of(found))));
    return text + ",\"nodes\":[" + nodes + "]}";
}

} // namespace stratum::founder
