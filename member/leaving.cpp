#include "member/leaving.hpp"

#include <array>

#include "common/base/document.hpp"
#include "common/base/reader.hpp"
#include "common/link/member_file.hpp"
#include "member/member.hpp"

namespace stratum::member {
namespace {

constexpr std::int64_t kVersion = 1;

std::string path_in(const std::string& state_folder, std::string_view name) {
    return state_folder + "/" + std::string(name);
}

// member.json is what makes a machine start as a member, so it goes last. What the installation was
// given may hold secrets of the cluster.
constexpr std::array<std::string_view, 5> kPutAway = {link::kClientKeyFileName, kMembershipFileName,
                                                      "delivered/bundle.tar", "delivered/node.yaml",
                                                      link::kMemberFileName};

} // namespace

std::optional<Leaving> read_leaving(const Files& files, const std::string& state_folder) {
    const auto text = files.read(path_in(state_folder, kLeavingFileName), 1u << 16);
    if (!text) return std::nullopt;
    const Parsed parsed = parse_json(*text);
    Findings findings = parsed.findings;
    if (!parsed.root || !findings.empty()) return std::nullopt;
    ObjectReader reader(*parsed.root, {}, findings);
    reader.required_int("version", kVersion, kVersion);
    Leaving leaving;
    leaving.node_id = reader.required_string("nodeId");
    leaving.name = reader.required_string("name");
    leaving.at = reader.required_int("at", 0, INT64_MAX).value_or(0);
    if (!reader.has("confirmed")) reader.add("confirmed", "missing");
    leaving.is_confirmed = reader.optional_bool("confirmed").value_or(false);
    reader.finish();
    if (!findings.empty()) return std::nullopt;
    return leaving;
}

Status write_leaving(Files& files, const std::string& state_folder, const Leaving& leaving) {
    Node node = Node::object();
    node.set("version", Node::integer(kVersion)).set("nodeId", leaving.node_id);
    node.set("name", leaving.name).set("at", Node::integer(leaving.at));
    node.set("confirmed", Node::boolean(leaving.is_confirmed));
    return files.write(path_in(state_folder, kLeavingFileName), write_json(node, 2) + "\n", 0644);
}

Status put_credentials_away(Files& files, const std::string& state_folder) {
    for (const std::string_view name : kPutAway)
        if (auto gone = files.remove(path_in(state_folder, name)); !gone) return gone;
    return {};
}

} // namespace stratum::member
