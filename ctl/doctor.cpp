#include "ctl/doctor.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "common/base/text.hpp"

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

std::optional<std::int64_t> date_of(std::string_view header) {
    static constexpr std::array<std::string_view, 12> kMonths = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto parts = words(header);
    if (parts.size() != 6 || parts[5] != "GMT") return std::nullopt;
    const auto* month = std::find(kMonths.begin(), kMonths.end(), parts[2]);
    if (month == kMonths.end()) return std::nullopt;
    const std::string number = std::to_string(month - kMonths.begin() + 101).substr(1);
    return parse_time(parts[3] + "-" + number + "-" + parts[1] + "T" + parts[4] + "Z");
}

void name_nodes(compat::Fleet& fleet, const Node& members) {
    std::map<std::string, std::string> names;
    if (const Node* list = members.find("members"))
        for (const Node& member : list->items()) {
            const Node* id = member.find("nodeId");
            const Node* name = member.find("name");
            if (id != nullptr && name != nullptr) names[id->as_string()] = name->as_string();
        }
    for (auto& sample : fleet.samples)
        if (const auto found = names.find(sample.node_id);
            found != names.end() && !found->second.empty())
            sample.node_id = found->second;
}

std::string WatchedText::next(const std::string& text, const std::string& time) {
    if (is_terminal_) return "\x1b[H\x1b[2J" + time + "\n" + text;
    if (text == last_) return {};
    last_ = text;
    return time + "\n" + text + "\n";
}

} // namespace stratum::ctl
