// What a build was tested with: components, and what must hold between them. The file is YAML
// (image/pins.yaml stands in the binary; a site's own is laid over it by id):
//
//   version: 1
//   components:
//     - {id: postgres, class: shipped, pinned: "postgres:17.2"}
//     - id: ovn-controller
//       class: host
//       probe: {argv: [ovn-controller, --version], output: "ovn-controller {version}"}
//       range: ">=23.03 <26.00"
//       testedAgainst: "25.03"     # optional
//       required: true             # default true; an optional one may be absent
//       advice: install ovn-host   # what to do where it is not ok
//   constraints:
//     - id: ovn-central-controller-match
//       rule: ovn-central.major_minor == ovn-controller.major_minor
//       mismatch: unsupported      # default; or warn
//       advice: bring both to one minor release
//
// In a site's file `drop: true` beside an id takes it out; what a constraint names must be there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/findings.hpp"
#include "common/base/version.hpp"
#include "common/compat/expression.hpp"
#include "common/compat/output_pattern.hpp"

namespace stratum::compat {

// How well something fits, in the order of getting worse.
enum class Fit { kOk, kWarn, kUnsupported };
std::string_view fit_name(Fit fit); // ok, warn, unsupported
std::optional<Fit> parse_fit(std::string_view name);

// Shipped: a pinned container, whose version is its pin's. Host: asked of the machine.
enum class ComponentClass { kShipped, kHost };

struct Probe {
    std::vector<std::string> argv;
    OutputPattern output;
};

struct Component {
    std::string id;
    ComponentClass component_class = ComponentClass::kHost;
    std::string pinned;                // shipped: name:version
    std::optional<Version> pin;        // shipped: the version of it
    std::optional<Probe> probe;        // host
    std::optional<VersionRange> range; // host
    std::string tested_against;
    bool required = true;
    std::string advice;
};

struct Constraint {
    std::string id;
    Expression rule;
    Fit mismatch = Fit::kUnsupported;
    std::string advice;
    std::optional<Position> at; // where the rule stands in its file
};

struct Pins {
    std::vector<Component> components;
    std::vector<Constraint> constraints;
};

// `site` over `base`, both as YAML; an empty site leaves the base. Everything that is wrong is a
// finding with its field and position; the pins are whole exactly when there was none. At most 64
// components and 64 constraints, 256 KiB of text.
std::optional<Pins> read_pins(std::string_view base, std::string_view site, Findings& findings);

} // namespace stratum::compat
