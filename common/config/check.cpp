#include "common/base/finding_places.hpp"
#include "common/config/document_rules.hpp"
#include "common/config/node_config_fields.hpp"

namespace stratum::config {

namespace {

Findings with_positions(const Findings& findings, const Positions& positions) {
    Findings placed;
    for (const Finding& finding : findings.all())
        placed.add(path_of(finding.field), finding.message,
                   finding.at ? finding.at : positions.of(finding.field));
    return placed;
}

// What stands below something that could not be read at all would only be called missing.
bool is_below_unread(std::string_view field, const Findings& reading) {
    for (const Finding& finding : reading.all()) {
        const std::string_view above = finding.field;
        if (!field.starts_with(above) || field.size() <= above.size()) continue;
        if (above.empty() || field[above.size()] == '.' || field[above.size()] == '[') return true;
    }
    return false;
}

void judge_all(const NodeConfig& config, bool is_founders, Findings& findings) {
    const DocumentContext context(config);
    const Findings reading = findings;
    judge(node_yaml_rules(), context, findings);
    if (is_founders) judge(founder_yaml_rules(), context, findings);
    Findings kept = reading;
    for (std::size_t i = reading.size(); i < findings.size(); ++i) {
        const Finding& finding = findings.all()[i];
        if (!is_below_unread(finding.field, reading))
            kept.add(path_of(finding.field), finding.message, finding.at);
    }
    findings = std::move(kept);
}

CheckedNodeConfig check(std::string_view text, bool is_founders) {
    Parsed parsed = parse_yaml(text);
    if (!parsed.root) return {{}, std::move(parsed.findings)};
    Findings findings = std::move(parsed.findings);
    NodeConfig config;
    read_section<NodeConfig>({*parsed.root, FieldPath{}, true}, FieldsOf<NodeConfig>::rows(),
                             findings, config);
    if (parsed.root->is_object()) judge_all(config, is_founders, findings);
    CheckedNodeConfig checked;
    checked.findings = with_positions(findings, Positions(*parsed.root));
    if (checked.findings.empty()) checked.config = std::move(config);
    return checked;
}

} // namespace

CheckedNodeConfig check_node_yaml(std::string_view text) {
    return check(text, false);
}

CheckedNodeConfig check_founder_yaml(std::string_view text) {
    return check(text, true);
}

} // namespace stratum::config
