// Reports to the API's JSON form and back.
#include <algorithm>
#include <array>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "common/compat/report.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMostTextBytes = 4096;
constexpr std::array<std::string_view, 3> kStatuses = {"ok", "warn", "unsupported"};
constexpr std::array<std::string_view, 2> kClasses = {"shipped", "host"};

void put(Node& node, const char* name, const std::string& text) {
    if (!text.empty()) node.set(name, text);
}

Node component_node(const ComponentReport& component) {
    const bool is_shipped = component.component_class == ComponentClass::kShipped;
    Node supported = Node::object();
    put(supported, "pinned", component.pinned);
    put(supported, "range", component.range);
    put(supported, "testedAgainst", component.tested_against);
    Node node = Node::object();
    node.set("id", component.id);
    node.set("class", is_shipped ? "shipped" : "host");
    node.set("detected", component.detected ? Node::string(*component.detected) : Node{});
    node.set("supported", std::move(supported));
    node.set("status", std::string(fit_name(component.status)));
    put(node, "note", component.note);
    node.set("source", is_shipped ? "image-pin" : "host-probe");
    return node;
}

Node constraint_node(const ConstraintReport& constraint) {
    Node node = Node::object();
    node.set("id", constraint.id);
    node.set("rule", constraint.rule);
    node.set("status", std::string(fit_name(constraint.status)));
    put(node, "note", constraint.note);
    return node;
}

void put_report(Node& node, const Report& report) {
    node.set("stratumVersion", report.stratum_version);
    node.set("overallStatus", std::string(fit_name(report.overall)));
    Node components = Node::array();
    for (const auto& component : report.components) components.push(component_node(component));
    node.set("components", std::move(components));
    Node constraints = Node::array();
    for (const auto& constraint : report.constraints) constraints.push(constraint_node(constraint));
    node.set("constraints", std::move(constraints));
}

std::string required(ObjectReader& reader, std::string_view name) {
    return reader.required_text(name, kMostTextBytes);
}

std::string optional(ObjectReader& reader, std::string_view name) {
    return reader.optional_text(name, kMostTextBytes);
}

Fit read_fit(ObjectReader& reader) {
    const auto word = reader.required_word("status", kStatuses);
    return word ? *parse_fit(*word) : Fit::kWarn;
}

std::string read_note(ObjectReader& reader, Fit status) {
    std::string note = optional(reader, "note");
    if (status == Fit::kOk) return {};
    return note.empty() ? "it does not say why; see on that machine" : note;
}

ComponentReport read_component(ObjectReader& reader, Findings& findings) {
    ComponentReport component;
    component.id = required(reader, "id");
    if (reader.required_word("class", kClasses) == "shipped")
        component.component_class = ComponentClass::kShipped;
    if (reader.has("detected")) component.detected = optional(reader, "detected");
    if (const Node* node = reader.member("supported")) {
        ObjectReader inner(*node, reader.path().key("supported"), findings, Unknown::kIgnored);
        component.pinned = optional(inner, "pinned");
        component.range = optional(inner, "range");
        component.tested_against = optional(inner, "testedAgainst");
        inner.finish();
    }
    component.status = read_fit(reader);
    component.note = read_note(reader, component.status);
    return component;
}

ConstraintReport read_constraint(ObjectReader& reader, Findings&) {
    ConstraintReport constraint;
    constraint.id = required(reader, "id");
    constraint.rule = required(reader, "rule");
    constraint.status = read_fit(reader);
    constraint.note = read_note(reader, constraint.status);
    return constraint;
}

template<class T>
std::vector<T> read_rows(ObjectReader& reader, std::string_view name, Findings& findings,
                         T (*read)(ObjectReader&, Findings&)) {
    const Node* list = reader.member(name);
    if (list == nullptr) reader.add(name, "is missing");
    if (list != nullptr && list->items().size() > kMostReportRows) {
        reader.add(name,
                   "has " + std::to_string(list->items().size()) + " rows, at most 64 are taken");
        return {};
    }
    std::vector<T> rows;
    reader.each(name, [&](const Node& item, const FieldPath& at) {
        ObjectReader one(item, at, findings, Unknown::kIgnored);
        rows.push_back(read(one, findings));
        one.finish();
    });
    return rows;
}

} // namespace

Node to_node(const Report& report) {
    Node node = Node::object();
    put_report(node, report);
    return node;
}

Node fleet_node(const Report& own, const std::vector<Sample>& samples) {
    Node node = to_node(own);
    Node nodes = Node::array();
    Fit fleet = own.overall;
    for (const auto& sample : samples) {
        Node one = Node::object();
        one.set("nodeId", sample.node_id);
        one.set("sampledAt", format_time(sample.sampled_at));
        put_report(one, sample.report);
        nodes.push(std::move(one));
        fleet = std::max(fleet, sample.report.overall);
    }
    if (!samples.empty()) node.set("fleetOverallStatus", std::string(fit_name(fleet)));
    node.set("nodes", std::move(nodes));
    return node;
}

Report read_report(const Node& node, const FieldPath& path, Findings& findings) {
    ObjectReader reader(node, path, findings, Unknown::kIgnored);
    Report report;
    report.stratum_version = required(reader, "stratumVersion");
    report.components = read_rows(reader, "components", findings, read_component);
    report.constraints = read_rows(reader, "constraints", findings, read_constraint);
    reader.finish();
    report.overall = Fit::kOk;
    for (const auto& component : report.components)
        report.overall = std::max(report.overall, component.status);
    for (const auto& constraint : report.constraints)
        report.overall = std::max(report.overall, constraint.status);
    return report;
}

} // namespace stratum::compat
