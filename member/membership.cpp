// members.json: the membership this node has applied.
#include "common/base/document.hpp"
#include "common/base/reader.hpp"
#include "member/member.hpp"

namespace stratum::member {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostBytes = 8u << 20;

std::string path_in(const std::string& state_folder) {
    return state_folder + "/" + std::string(kMembershipFileName);
}

} // namespace

Membership read_membership(const Files& files, const std::string& state_folder,
                           std::string& complaint) {
    const std::string path = path_in(state_folder);
    complaint.clear();
    if (!files.exists(path)) return {};
    const auto text = files.read(path, kMostBytes);
    if (!text) {
        complaint = "reading " + path + ": " + text.error().message;
        return {};
    }
    const Parsed parsed = parse_json(*text, {.max_bytes = kMostBytes});
    Findings findings = parsed.findings;
    Membership membership;
    if (parsed.root && findings.empty()) {
        ObjectReader reader(*parsed.root, {}, findings);
        reader.required_int("version", kVersion, kVersion);
        membership.generation = reader.required_int("generation", 0, INT64_MAX).value_or(0);
        const bool listed = reader.each("members", [&](const Node& item, const FieldPath& at) {
            membership.members.push_back(facts::read_member(item, at, findings));
        });
        if (!listed) reader.add("members", "missing");
        reader.finish();
        if (findings.empty()) return membership;
    }
    complaint =
        path + " is damaged (" +
        (findings.empty() ? std::string("no whole JSON document") : findings.lines().front()) +
        "); the member list is taken anew";
    return {};
}

Status write_membership(Files& files, const std::string& state_folder,
                        const Membership& membership) {
    Node members = Node::array();
    for (const facts::Member& one : membership.members) members.push(facts::to_node(one));
    Node node = Node::object();
    node.set("version", Node::integer(kVersion));
    node.set("generation", Node::integer(membership.generation));
    node.set("members", std::move(members));
    return files.write(path_in(state_folder), write_json(node, 2) + "\n", 0644);
}

} // namespace stratum::member
