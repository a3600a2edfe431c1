// A machine's substrate, judged: what was detected against what is supported, and what must hold
// between components. The JSON form is the API's (docs/openapi.yaml, Compatibility). Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/field_path.hpp"
#include "common/base/findings.hpp"
#include "common/compat/pins.hpp"

namespace stratum::compat {

// What asking a machine for one component gave.
struct Detection {
    std::optional<Version> version;
    bool is_absent = false; // there is no such program
    std::string note;       // why there is no version, in words
    std::string advice{};   // what to do about that; the component's own where it is absent
};
using Detections = std::map<std::string, Detection>; // by component id

// Stands in the note of a component that is absent.
inline constexpr const char* kIsNotInstalled = "is not installed";

struct ComponentReport {
    std::string id;
    ComponentClass component_class = ComponentClass::kHost;
    std::optional<std::string> detected;
    std::string pinned, range, tested_against; // what is supported; empty: not said
    Fit status = Fit::kWarn;
    std::string note; // empty exactly where the status is ok
    friend bool operator==(const ComponentReport&, const ComponentReport&) = default;
};

struct ConstraintReport {
    std::string id, rule;
    Fit status = Fit::kWarn;
    std::string note;
    friend bool operator==(const ConstraintReport&, const ConstraintReport&) = default;
};

struct Report {
    std::string stratum_version;
    Fit overall = Fit::kWarn;
    std::vector<ComponentReport> components; // in the order of the pins
    std::vector<ConstraintReport> constraints;
    friend bool operator==(const Report&, const Report&) = default;
};

// Every component and constraint of the pins. A host component without a detection is not known; a
// rule that only absent optional ones leave open is ok. No text is longer than read_report takes.
Report judge(const Pins& pins, const Detections& detections, const std::string& stratum_version);

// A machine judges by the pins of its own build, but what is shipped is the cluster's: another
// machine's report with each constraint that names a shipped component judged anew, by these pins
// and its host components. A row that is worse so takes the place of its own, one that it has not
// is added; what is as good stays as it is. Where a host component is absent and its row says ok,
// it is one that this machine may do without.
Report held_against(Report theirs, const Pins& pins);

// A member's last sample, as the founder keeps it.
struct Sample {
    std::string node_id;
    std::int64_t sampled_at = 0; // seconds since 1970, by the founder's clock
    Report report;
};

Node to_node(const Report& report);
// What the founder answers: its own report on top, `nodes` beside it, and fleetOverallStatus where
// there is at least one sample.
Node fleet_node(const Report& own, const std::vector<Sample>& samples);

// A report that a member sent: 64 rows of each, 4,096 bytes of any text, valid UTF-8; unknown
// members are ignored. Its overall status is worked out from its rows, whatever it says; a note
// stands where a row is not ok, and there alone.
inline constexpr std::size_t kMostReportRows = 64;
Report read_report(const Node& node, const FieldPath& path, Findings& findings);

} // namespace stratum::compat
