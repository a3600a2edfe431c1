#include "common/base/text.hpp"
#include "common/link/message_fields.hpp"
#include "common/link/messages.hpp"

namespace stratum::link {
namespace {

constexpr std::size_t kMaxRelease = 128;
constexpr std::size_t kMaxUrl = 2048;

std::optional<std::string> hex(const std::optional<Sha256>& hash) {
    if (!hash) return std::nullopt;
    return to_hex(*hash);
}

} // namespace

Node to_node(const Upgrade& upgrade) {
    Node node = Node::object();
    node.set("from", upgrade.from).set("to", upgrade.to).set("source", upgrade.source);
    node.set("servedByFounder", Node::boolean(upgrade.served_by_founder));
    return node;
}

std::optional<Upgrade> read_upgrade(ObjectReader& parent, Findings& findings) {
    const Node* node = parent.member("upgrade");
    if (node == nullptr) return std::nullopt;
    ObjectReader reader(*node, parent.path().key("upgrade"), findings, Unknown::kIgnored);
    Upgrade upgrade;
    upgrade.from = fields::required_text(reader, "from", kMaxRelease);
    upgrade.to = fields::required_text(reader, "to", kMaxRelease);
    upgrade.source = reader.optional_text("source", kMaxUrl);
    upgrade.served_by_founder = reader.optional_bool("servedByFounder").value_or(false);
    reader.finish();
    return upgrade;
}

Node to_node(const Registration& message) {
    Node node = Node::object();
    if (!message.code_id.empty()) node.set("codeId", message.code_id);
    node.set_if("codeProof", hex(message.code_proof)).set("release", message.release);
    node.set("selfUpgrade", Node::boolean(message.self_upgrade));
    node.set_if("commitment", hex(message.commitment));
    return node;
}

Registration read_registration(const Node& node, Findings& findings) {
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    Registration message;
    message.code_id = reader.optional_parsed("codeId", fields::code_id_of).value_or("");
    message.code_proof = reader.optional_parsed("codeProof", fields::hash_of);
    message.release = fields::required_text(reader, "release", kMaxRelease);
    message.self_upgrade = reader.optional_bool("selfUpgrade").value_or(false);
    message.commitment = reader.optional_parsed("commitment", fields::hash_of);
    const bool has_id = reader.has("codeId");
    const bool has_proof = reader.has("codeProof");
    if (has_id && !has_proof) reader.add("codeProof", "missing beside codeId");
    if (has_proof && !has_id) reader.add("codeId", "missing beside codeProof");
    if ((has_id || has_proof) && !reader.has("commitment")) {
        reader.add("commitment", "missing: the proof of the code is made over it");
    }
    reader.finish();
    return message;
}

Node to_node(const RegistrationAnswer& message) {
    Node node = Node::object();
    node.set("id", message.id).set("state", message.state);
    node.set("founderNonce", to_hex(message.founder_nonce));
    node.set_if("founderProof", hex(message.founder_proof));
    node.set("expiresAt", format_time(message.expires_at));
    node.set("serverTime", format_time(message.server_time));
    if (message.upgrade) node.set("upgrade", to_node(*message.upgrade));
    return node;
}

RegistrationAnswer read_registration_answer(const Node& node, Findings& findings) {
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    RegistrationAnswer message;
    message.id = fields::required(reader, "id", fields::join_id_of).value_or("");
    message.state = fields::required_text(reader, "state", 64);
    message.founder_nonce = fields::required(reader, "founderNonce", parse_nonce).value_or(Nonce{});
    message.founder_proof = reader.optional_parsed("founderProof", fields::hash_of);
    message.expires_at = fields::required(reader, "expiresAt", fields::time_of).value_or(0);
    message.server_time = fields::required(reader, "serverTime", fields::time_of).value_or(0);
    message.upgrade = read_upgrade(reader, findings);
    reader.finish();
    return message;
}

Node to_node(const Reveal& message) {
    Node node = Node::object();
    node.set("nonce", to_hex(message.nonce)).set("inventory", message.inventory);
    return node;
}

Reveal read_reveal(const Node& node, Findings& findings) {
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    Reveal message;
    message.nonce = fields::required(reader, "nonce", parse_nonce).value_or(Nonce{});
    const Node* inventory = reader.member("inventory");
    if (inventory == nullptr) {
        reader.add("inventory", "missing");
    } else if (!inventory->is_object()) {
        reader.add("inventory", "needs an object, found " + std::string(inventory->kind_name()));
    } else {
        message.inventory = *inventory;
    }
    reader.finish();
    return message;
}

} // namespace stratum::link
