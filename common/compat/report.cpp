// From detections to a judgement.
#include "common/compat/report.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::compat {
namespace {

std::string with_advice(std::string note, const std::string& advice) {
    if (advice.empty()) return note;
    return note + "; " + advice;
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
    const std::string found =
        detection.is_absent ? "there is no " + component.probe->argv.front() + " on this machine"
        : detection.note.empty() ? "its version is not known"
                                 : detection.note;
    report.note = with_advice(found + ", needed is " + component.range->str(), component.advice);
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
                                  component.advice);
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

ConstraintReport constraint_report(const Constraint& constraint,
                                   const Expression::Lookup& version_of) {
    ConstraintReport report{constraint.id, constraint.rule.str(), Fit::kOk, {}};
    const Outcome outcome = constraint.rule.evaluate(version_of);
    if (outcome.truth == Truth::kYes) return report;
    if (outcome.truth == Truth::kNo) {
        report.status = constraint.mismatch;
        report.note =
            with_advice(versions_of(constraint.rule, version_of) + ": that does not fit together",
                        constraint.advice);
        return report;
    }
    report.status = Fit::kWarn;
    report.note = "it cannot be said: the version of " + join(outcome.unknown, ", ") +
                  " is not known; mend that first";
    return report;
}

} // namespace

Report judge(const Pins& pins, const Detections& detections, const std::string& stratum_version) {
    std::map<std::string, Version> versions;
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
        report.overall = std::max(report.overall, report.components.back().status);
    }
    const auto version_of = [&](const std::string& id) -> std::optional<Version> {
        const auto found = versions.find(id);
        return found == versions.end() ? std::nullopt : std::optional(found->second);
    };
    for (const auto& constraint : pins.constraints) {
        report.constraints.push_back(constraint_report(constraint, version_of));
        report.overall = std::max(report.overall, report.constraints.back().status);
    }
    return report;
}

} // namespace stratum::compat
