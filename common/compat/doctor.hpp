// The report as a person reads it: a table of components and nodes, what is worst first, and for
// each line that is not ok what to do about it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/compat/report.hpp"

namespace stratum::compat {

// The API's answer, read back.
struct Fleet {
    Report own;
    std::vector<Sample> samples;
    std::optional<Fit> overall; // absent: no samples
};
// As the founder sends it; unknown members are ignored, at most 1,000 nodes.
Fleet read_fleet(const Node& node, Findings& findings);

struct DoctorStyle {
    int columns = 80;
    bool colour = false;
    std::int64_t now = 0; // seconds since 1970: against it samples are stale
    std::string own_name = "this node";
};

// Nodes with the same versions share a column ("node-2 +5"); columns that do not fit are said below
// the table. Stale samples are marked.
std::string render_doctor(const Fleet& fleet, const DoctorStyle& style);

// The worst of everything, as an exit code: 0 ok, 1 warn, 2 unsupported.
int doctor_exit_code(const Fleet& fleet);

} // namespace stratum::compat
