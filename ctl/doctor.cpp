#include "ctl/doctor.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

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

std::optional<std::int64_t> number_of(std::string_view header) {
    constexpr std::size_t kMostDigits = 9;
    if (header.empty() || header.size() > kMostDigits) return std::nullopt;
    std::int64_t number = 0;
    for (const char c : header) {
        if (c < '0' || c > '9') return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

void name_nodes(compat::Fleet& fleet, const Node& members) {
    const auto text_of = [](const Node& member, std::string_view name) {
        const Node* node = member.find(name);
        return node == nullptr ? std::string() : node->as_string();
    };
    std::map<std::string, std::string> names;
    std::set<std::string> unreported;
    if (const Node* list = members.find("members"))
        for (const Node& member : list->items()) {
            const std::string id = text_of(member, "nodeId");
            if (id.empty()) continue;
            names[id] = text_of(member, "name");
            if (text_of(member, "status") == "joined" && !text_of(member, "joinId").empty())
                unreported.insert(id);
        }
    for (auto& sample : fleet.samples) {
        unreported.erase(sample.node_id);
        if (const auto found = names.find(sample.node_id);
            found != names.end() && !found->second.empty())
            sample.node_id = found->second;
    }
    for (const std::string& id : unreported)
        fleet.unreported_names.push_back(names[id].empty() ? id : names[id]);
    std::sort(fleet.unreported_names.begin(), fleet.unreported_names.end(), natural_less);
}

std::string WatchedText::next(const std::string& text, const std::string& time) {
    if (is_terminal_) return "\x1b[H\x1b[2J" + time + "\n" + text;
    if (text == last_) return {};
    last_ = text;
    return time + "\n" + text + "\n";
}

} // namespace stratum::ctl
