// The report as a person reads it: the verdict with the line to mend first, a table of components
// and nodes, and for each line that is not ok what to do about it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/compat/report.hpp"

namespace stratum::compat {

// In the head of the API's answer: how many members have joined and sent no report yet.
inline constexpr const char* kUnreportedHeader = "Stratum-Unreported-Nodes";

// The API's answer, read back.
struct Fleet {
    Report own;
    std::vector<Sample> samples;
    std::optional<Fit> overall; // worked out from the rows; absent: no samples
    // When the report on top was taken, in seconds since 1970; absent: now.
    std::optional<std::int64_t> own_at;
    // Members of the cluster of which there is no report: how many, and the names known of them.
    std::size_t unreported = 0;
    std::vector<std::string> unreported_names;
};
// As the founder sends it; unknown members are ignored, more than 1,000 nodes are a finding. Whole
// exactly where there was none.
Fleet read_fleet(const Node& node, Findings& findings);

struct DoctorStyle {
    int columns = 80; // at least 80 are taken
    bool colour = false;
    std::int64_t now = 0; // seconds since 1970: against it samples are stale
    std::string own_name = "this node";
};

// Nodes with the same versions share a column ("node-2 +5"), nodes with the same fault a line;
// what does not fit is said. Stale samples are named, and members without one. Whatever stands in
// the fleet, no control character is in it but the line's end and the colours.
std::string render_doctor(const Fleet& fleet, const DoctorStyle& style);

// The worst of everything at that time (seconds since 1970), as an exit code: 0 ok, 1 warn, 2
// unsupported. A report that is stale, or that nobody has, is at least a warning: what is not known
// is not ok.
int doctor_exit_code(const Fleet& fleet, std::int64_t now);

} // namespace stratum::compat
