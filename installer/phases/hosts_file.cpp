#include "installer/phases/hosts_file.hpp"

#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kBegin = "# stratum: begin";
constexpr std::string_view kEnd = "# stratum: end";

std::string address_only(const std::string& text) {
    const auto cidr = Cidr::parse(text);
    return cidr ? cidr->address().str() : text;
}

std::string our_block(const config::NodeConfig& node) {
    std::string block = std::string(kBegin) + "\n";
    block += address_only(node.mgmt.address) + " " + node.name + "\n";
    if (node.cluster) {
        for (const facts::Member& member : node.cluster->members) {
            if (member.node_id == node.node_id || member.mgmt_address.empty()) continue;
            block += address_only(member.mgmt_address) + " " + member.name + "\n";
        }
    }
    return block + std::string(kEnd) + "\n";
}

// The lines outside our block. A begin without an end (a file somebody cut) takes only its own
// line.
std::string without_our_block(const std::string& old) {
    std::string kept;
    bool inside = false;
    const auto lines = split(old, '\n');
    const auto is_closed_after = [&](std::size_t at) {
        return std::find(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.end(), kEnd) !=
               lines.end();
    };
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const std::string& line = lines[at];
        if (line == kBegin) {
            inside = is_closed_after(at);
        } else if (line == kEnd) {
            inside = false;
        } else if (!inside) {
            kept += line + "\n";
        }
    }
    // split gives an empty last piece for the final line end.
    if (!kept.empty()) kept.pop_back();
    return kept;
}

} // namespace

std::string with_members(const std::string& old, const config::NodeConfig& node) {
    std::string kept =
        old.empty() ? "127.0.0.1 localhost\n::1 localhost\n" : without_our_block(old);
    if (!kept.empty() && kept.back() != '\n') kept += "\n";
    return kept + our_block(node);
}

} // namespace stratum::installer
