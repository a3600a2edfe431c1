// A member's JSON form.
#include "common/facts/member.hpp"

#include <utility>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"

namespace stratum::facts {

Node to_node(const Member& member) {
    Node addresses = Node::array();
    for (const auto& address : member.addresses) addresses.push(Node::string(address));
    Node node = Node::object();
    node.set("nodeId", member.node_id);
    node.set("name", to_valid_utf8(member.name));
    node.set("role", member.role);
    node.set("status", member.status);
    node.set("mgmtAddress", member.mgmt_address);
    node.set("addresses", std::move(addresses));
    return node;
}

Member read_member(const Node& node, const FieldPath& path, Findings& findings) {
    ObjectReader reader(node, path, findings, Unknown::kIgnored);
    Member member;
    member.node_id = reader.required_string("nodeId");
    member.name = reader.required_string("name");
    member.role = reader.optional_string("role").value_or("");
    member.status = reader.optional_string("status").value_or("");
    member.mgmt_address = reader.optional_string("mgmtAddress").value_or("");
    member.addresses = reader.optional_strings("addresses").value_or(std::vector<std::string>{});
    reader.finish();
    return member;
}

} // namespace stratum::facts
