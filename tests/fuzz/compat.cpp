// Versions, ranges, rules, pins, what programs print, and reports as they come over the wire.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/compat/build_pins.hpp"
#include "common/compat/doctor.hpp"
#include "tests/fuzz/targets.hpp"

namespace {

using namespace stratum;
using namespace stratum::compat;

// Before the first line's end, and behind it.
std::pair<std::string, std::string> halves(const std::string& text) {
    const auto at = text.find('\n');
    if (at == std::string::npos) return {text, text};
    return {text.substr(0, at), text.substr(at + 1)};
}

bool ranges(const std::string& text) {
    const auto [left, right] = halves(text);
    const auto a = Version::parse(left);
    const auto range = VersionRange::parse(right);
    if (range && VersionRange::parse(range->str())->str() != range->str()) return false;
    const auto b = Version::parse(right);
    if (a && !(Version::parse(a->str()) == *a)) return false;
    if (!a || !b) return true;
    const auto agrees = [&](const char* sign, bool holds) {
        return VersionRange::parse(sign + b->str())->contains(*a) == holds;
    };
    return agrees(">=", *a >= *b) && agrees("<", *a < *b) && agrees("=", *a == *b) &&
           agrees("!=", !(*a == *b)) && agrees(">", *b < *a) && agrees("<=", *b >= *a);
}

bool rules(const std::string& text) {
    const auto rule = Expression::parse(text);
    if (!rule) return rule.error().offset <= text.size() && is_utf8(rule.error().message);
    const auto names = rule->components();
    const auto nothing =
        rule->evaluate([](const std::string&) { return std::optional<Version>(); });
    const auto all =
        rule->evaluate([](const std::string&) { return std::optional(*Version::parse("1.2")); });
    // What is not known is one of its components; with all of them known nothing is open.
    return all.truth != Truth::kUnknown && all.unknown.empty() &&
           std::all_of(nothing.unknown.begin(), nothing.unknown.end(), [&](const std::string& one) {
               return std::find(names.begin(), names.end(), one) != names.end();
           });
}

bool is_clean(const std::string& text) {
    return is_utf8(text) && std::all_of(text.begin(), text.end(), [](char c) {
               return c == '\n' || (static_cast<unsigned char>(c) >= 32 && c != 127);
           });
}

// A site's file: refused, or good for a report that every reader takes.
bool pins(const std::string& text) {
    Findings findings;
    const auto read = read_pins(build_pins_text(), text, findings);
    if (read.has_value() != findings.empty()) return false;
    if (!read) return true;
    Detections detections;
    for (const auto& component : read->components) detections[component.id].note = text;
    Fleet fleet;
    fleet.own = judge(*read, detections, "1");
    return read_report(to_node(fleet.own), {}, findings) == fleet.own && findings.empty() &&
           held_against(fleet.own, *read) == fleet.own && // by the same pins nothing is worse
           is_clean(render_doctor(fleet, {}));
}

bool outputs(const std::string& text) {
    const auto [pattern, output] = halves(text);
    const auto parsed = OutputPattern::parse(pattern);
    if (!parsed) return is_utf8(parsed.error().message);
    const auto version = parsed->find(output);
    return !version || output.find(version->str()) != std::string::npos;
}

// A founder's answer, drawn: whatever it says, 80 columns and nothing that moves the cursor.
bool answers(const std::string& text) {
    const auto parsed = parse_json(text);
    if (!parsed.root) return !parsed.findings.empty();
    Findings findings;
    const Fleet fleet = read_fleet(*parsed.root, findings);
    const int code = doctor_exit_code(fleet, 1'000'000'000);
    return code >= 0 && code <= 2 && is_clean(render_doctor(fleet, {}));
}

const char* const kSite = R"(version: 1
components:
  - {id: frr, class: host, probe: {argv: [vtysh, --version], output: 'vtysh {version}'}, range: '>=8'}
  - {id: postgres, class: shipped, pinned: 'postgres:17.4@sha256:00', advice: none}
  - {id: ceph, drop: true}
constraints:
  - {id: a, rule: 'frr >= 9 or not (ovs in ">=3 <4" or ovs > 4)', mismatch: warn}
)";
const char* const kAnswer =
    R"({"stratumVersion":"1","overallStatus":"ok","components":[{"id":"a","class":"host",
"detected":"1.2","supported":{"range":">=1","testedAgainst":"1"},"status":"ok","source":"host-probe"}],
"constraints":[{"id":"c","rule":"a == a","status":"unsupported","note":"n"}],
"fleetOverallStatus":"warn","nodes":[{"nodeId":"n-1","sampledAt":"2026-11-30T12:00:00Z",
"stratumVersion":"1","overallStatus":"ok","components":[],"constraints":[]}]})";

} // namespace

std::vector<Target> compat_targets() {
    return {
        {"compat-ranges",
         {"25.03.0-1ubuntu1\n>=25.03 <26.00", "1:3.5.0~beta1\n1:3.5.0", "v1.10\n=1.1"},
         ranges},
        {"compat-rules",
         {"ovn-central.major_minor == ovn-controller.major_minor",
          "not (ovs.major in \">=3 <4\") or a >= 1:2~b and \"v1\" != c.version"},
         rules},
        {"compat-pins", {kSite, std::string(build_pins_text())}, pins},
        {"compat-outputs",
         {"systemd * ({version})\nsystemd 252 (252.39-1~deb12u1)\n+PAM",
          "LVM version: {version}(\n  LVM version:     2.03.16(2) (2022-05-18)\n"},
         outputs},
        {"compat-answers", {kAnswer}, answers},
    };
}
