// From detections to a judgement.
#include "common/compat/report.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "common/base/text.hpp"

namespace stratum::compat {
namespace {

// What a reader of reports takes, and room for the mark.
constexpr std::size_t kMostNoteBytes = 4000;

// Each note says what to do.
std::string with_advice(std::string note, const std::string& advice, const char* otherwise) {
    note.append("; ").append(advice.empty() ? otherwise : advice);
    note = to_valid_utf8(note);
    if (note.size() > kMostNoteBytes) {
        note.resize(utf8_length(std::string_view(note).substr(0, kMostNoteBytes)));
        note += " ...";
    }
    return note;
}

ComponentReport shipped_report(const Component& component) {
    ComponentReport report;
    report.id = component.id;
    report.component_class = ComponentClass::kShipped;
    report.pinned = component.pinned;
    report.detected = component.pin->str();
    report.status = Fit::kOk;
    return report;
}

void judge_unknown(const Component& component, const Detection& detection,
                   ComponentReport& report) {
    if (detection.is_absent && !component.required) {
        report.status = Fit::kOk;
        return;
    }
    const std::string needed = ", needed is " + component.range->str();
    if (detection.is_absent) {
        report.note = with_advice(component.probe->argv.front() + " " + kIsNotInstalled + needed,
                                  component.advice,
                                  "install it, or have the pins say that it is "
                                  "not required");
        return;
    }
    // It is there: to install it, as the component's own advice may be, mends nothing.
    report.note =
        with_advice((detection.note.empty() ? "its version is not known" : detection.note) + needed,
                    detection.advice, "ask it by hand on that machine");
}

ComponentReport host_report(const Component& component, const Detection& detection) {
    ComponentReport report;
    report.id = component.id;
    report.range = component.range->str();
    report.tested_against = component.tested_against;
    if (!detection.version) {
        judge_unknown(component, detection, report);
        return report;
    }
    report.detected = detection.version->str();
    if (component.range->contains(*detection.version)) {
        report.status = Fit::kOk;
    } else {
        report.status = Fit::kUnsupported;
        report.note = with_advice("it is " + detection.version->str() + ", needed is " +
                                      component.range->str(),
                                  component.advice, "bring it to a release in that range");
    }
    return report;
}

// "ovn-central is 25.03.1, ovn-controller is 24.09.2"
std::string versions_of(const Expression& rule, const Expression::Lookup& version_of) {
    std::string text;
    for (const auto& name : rule.components()) {
        const auto version = version_of(name);
        text += (text.empty() ? "" : ", ") + name + " is " +
                (version ? version->str() : std::string("not known"));
    }
    return text;
}

// `left_out`: optional components that are absent. What is left open by nothing else does not
// concern this machine.
ConstraintReport constraint_report(const Constraint& constraint,
                                   const Expression::Lookup& version_of,
                                   const std::set<std::string>& left_out) {
    ConstraintReport report{constraint.id, constraint.rule.str(), Fit::kOk, {}};
    const Outcome outcome = constraint.rule.evaluate(version_of);
    if (outcome.truth == Truth::kYes) return report;
    if (outcome.truth == Truth::kNo) {
        report.status = constraint.mismatch;
        report.note =
            with_advice(versions_of(constraint.rule, version_of) + ": that does not fit together",
                        constraint.advice, "bring them to releases that do");
        return report;
    }
    std::vector<std::string> unknown;
    std::copy_if(outcome.unknown.begin(), outcome.unknown.end(), std::back_inserter(unknown),
                 [&](const std::string& id) { return left_out.count(id) == 0; });
    if (unknown.empty()) return report;
    report.status = Fit::kWarn;
    report.note =
        with_advice("it cannot be said: the version of " + join(unknown, ", ") + " is not known",
                    {}, "mend that first");
    return report;
}

bool names_shipped(const Constraint& constraint, const std::set<std::string>& shipped) {
    const auto ids = constraint.rule.components();
    return std::any_of(ids.begin(), ids.end(), [&](const auto& id) { return shipped.count(id); });
}

void take_worse(ConstraintReport ours, Report& theirs) {
    const auto same = std::find_if(theirs.constraints.begin(), theirs.constraints.end(),
                                   [&](const auto& one) { return one.id == ours.id; });
    const bool is_known = same != theirs.constraints.end();
    if (ours.status <= (is_known ? same->status : Fit::kOk)) return;
    ours.note = with_advice("by the founder's pins " + ours.note, {},
                            "that machine's own pins do not say so: see that it has the founder's "
                            "release and pins");
    theirs.overall = std::max(theirs.overall, ours.status);
    if (is_known)
        *same = std::move(ours);
    else
        theirs.constraints.push_back(std::move(ours));
}

} // namespace

Report held_against(Report theirs, const Pins& pins) {
    std::map<std::string, Version> versions;
    std::set<std::string> shipped, left_out;
    for (const auto& one : theirs.components) {
        if (!one.detected && one.status == Fit::kOk) left_out.insert(one.id);
        if (!one.detected) continue;
        if (const auto version = Version::parse(*one.detected)) versions.emplace(one.id, *version);
    }
    for (const auto& one : pins.components) {
        if (one.component_class != ComponentClass::kShipped) continue;
        shipped.insert(one.id);
        left_out.erase(one.id);
        versions.insert_or_assign(one.id, *one.pin);
    }
    const auto version_of = [&](const std::string& id) -> std::optional<Version> {
        const auto found = versions.find(id);
        return found == versions.end() ? std::nullopt : std::optional(found->second);
    };
    for (const auto& constraint : pins.constraints)
        if (names_shipped(constraint, shipped))
            take_worse(constraint_report(constraint, version_of, left_out), theirs);
    return theirs;
}

Report judge(const Pins& pins, const Detections& detections, const std::string& stratum_version) {
    std::map<std::string, Version> versions;
    std::set<std::string> left_out;
    Report report;
    report.stratum_version = stratum_version;
    report.overall = Fit::kOk;
    for (const auto& component : pins.components) {
        const auto found = detections.find(component.id);
        const bool is_shipped = component.component_class == ComponentClass::kShipped;
        const Detection detection = found == detections.end() ? Detection{} : found->second;
        report.components.push_back(is_shipped ? shipped_report(component)
                                               : host_report(component, detection));
        const auto& version = is_shipped ? component.pin : detection.version;
        if (version) versions.emplace(component.id, *version);
        if (!is_shipped && !component.required && detection.is_absent)
            left_out.insert(component.id);
        report.overall = std::max(report.overall, report.components.back().status);
    }
    const auto version_of = [&](const std::string& id) -> std::optional<Version> {
        const auto found = versions.find(id);
        return found == versions.end() ? std::nullopt : std::optional(found->second);
    };
    for (const auto& constraint : pins.constraints) {
        report.constraints.push_back(constraint_report(constraint, version_of, left_out));
        report.overall = std::max(report.overall, report.constraints.back().status);
    }
    return report;
}

} // namespace stratum::compat
