// The API's answer read back.
#include <algorithm>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "common/compat/doctor.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMostNodes = 1000;
constexpr std::size_t kMostNameBytes = 256;

Sample read_sample(const Node& item, const FieldPath& at, Findings& findings) {
    ObjectReader reader(item, at, findings, Unknown::kIgnored);
    Sample sample;
    sample.node_id = reader.required_text("nodeId", kMostNameBytes);
    const auto time = parse_time(reader.required_string("sampledAt"));
    if (!time) reader.add("sampledAt", "is no time such as 2026-01-01T00:00:00Z");
    sample.sampled_at = time.value_or(0);
    reader.finish();
    sample.report = read_report(item, at, findings);
    return sample;
}

} // namespace

Fleet read_fleet(const Node& node, Findings& findings) {
    Fleet fleet;
    fleet.own = read_report(node, {}, findings);
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    const Node* nodes = reader.member("nodes");
    if (nodes != nullptr && nodes->items().size() > kMostNodes)
        reader.add("nodes", "has " + std::to_string(nodes->items().size()) +
                                " nodes, at most 1,000 are taken");
    else
        reader.each("nodes", [&](const Node& item, const FieldPath& at) {
            fleet.samples.push_back(read_sample(item, at, findings));
        });
    reader.finish();
    if (fleet.samples.empty()) return fleet;
    fleet.overall = fleet.own.overall;
    for (const auto& sample : fleet.samples)
        fleet.overall = std::max(*fleet.overall, sample.report.overall);
    return fleet;
}

} // namespace stratum::compat
