// A small stack for tests.
#pragma once

namespace stratum::compat {

inline constexpr const char* kPinsText = R"(version: 1
components:
  - {id: postgres, class: shipped, pinned: "postgres:17.2"}
  - {id: ovn-central, class: shipped, pinned: "ovn-central:25.03.1"}
  - id: ovn-controller
    class: host
    probe: {argv: [ovn-controller, --version], output: "ovn-controller {version}"}
    range: ">=25.03 <26.00"
    testedAgainst: "25.03"
    advice: install ovn-host of 25.03
  - id: ceph
    class: host
    probe: {argv: [ceph, --version], output: "ceph version {version}"}
    range: ">=17"
    required: false
constraints:
  - id: ovn-central-controller-match
    rule: ovn-central.major_minor == ovn-controller.major_minor
    advice: bring both to one minor release
)";

} // namespace stratum::compat
