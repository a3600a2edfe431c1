#include "ctl/doctor.hpp"

namespace stratum::ctl {

Result<compat::Fleet> read_compatibility(const Node& answer) {
    Findings findings;
    compat::Fleet fleet = compat::read_fleet(answer, findings);
    if (findings.empty()) return fleet;
    const Finding& first = findings.all().front();
    const std::string field = first.field.empty() ? "" : first.field + " ";
    return fail(ErrorCode::kInvalid, "the founder's answer cannot be read: " + field +
                                         first.message +
                                         "; see whether founder and stratumctl are of one release");
}

std::string WatchedText::next(const std::string& text, const std::string& time) {
    if (is_terminal_) return "\x1b[H\x1b[2J" + time + "\n" + text;
    if (text == last_) return {};
    last_ = text;
    return time + "\n" + text + "\n";
}

} // namespace stratum::ctl
