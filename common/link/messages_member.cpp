#include "common/base/text.hpp"
#include "common/link/message_fields.hpp"
#include "common/link/messages.hpp"

namespace stratum::link {
namespace {

constexpr std::size_t kMaxComplaints = 50;
constexpr std::size_t kMaxComplaint = 512;
constexpr std::size_t kMaxRefusal = 2048;

Node string_nodes(const std::vector<std::string>& texts) {
    Node list = Node::array();
    for (const std::string& text : texts) list.push(Node::string(text));
    return list;
}

std::vector<std::string> read_complaints(ObjectReader& reader) {
    std::vector<std::string> complaints =
        reader.optional_strings("complaints").value_or(std::vector<std::string>{});
    // A machine that is very unwell says so in any case: what is past the limit is cut, not
    // refused.
    if (complaints.size() > kMaxComplaints) complaints.resize(kMaxComplaints);
    for (std::string& complaint : complaints) {
        complaint = to_valid_utf8(std::string_view(complaint).substr(0, kMaxComplaint));
    }
    return complaints;
}

// A word that this release does not know is no order to leave.
Removal read_removal(ObjectReader& reader) {
    const std::string word = reader.optional_string("removal").value_or("");
    if (word == "leave") return Removal::kLeave;
    return word == "done" ? Removal::kDone : Removal::kNone;
}

} // namespace

Node to_node(const Heartbeat& message) {
    Node node = Node::object();
    node.set("generationApplied", Node::integer(message.generation_applied));
    node.set("healthy", Node::boolean(message.healthy));
    node.set("complaints", string_nodes(message.complaints));
    if (message.left) node.set("left", Node::boolean(true));
    if (message.compatibility) node.set("compatibility", *message.compatibility);
    return node;
}

Heartbeat read_heartbeat(const Node& node, Findings& findings) {
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    Heartbeat message;
    message.generation_applied = reader.required_int("generationApplied", 0, INT64_MAX).value_or(0);
    // Health has no default: a member that does not say it is well is not taken for well.
    if (!reader.has("healthy")) reader.add("healthy", "missing");
    message.healthy = reader.optional_bool("healthy").value_or(false);
    message.complaints = read_complaints(reader);
    message.left = reader.optional_bool("left").value_or(false);
    if (reader.has("compatibility")) message.compatibility = *reader.member("compatibility");
    reader.finish();
    return message;
}

Node to_node(const HeartbeatAnswer& message) {
    Node node = Node::object();
    node.set("generation", Node::integer(message.generation));
    node.set("serverTime", format_time(message.server_time));
    if (message.removal == Removal::kLeave) node.set("removal", "leave");
    if (message.removal == Removal::kDone) node.set("removal", "done");
    if (!message.sample_refused.empty()) node.set("sampleRefused", message.sample_refused);
    if (!message.members) return node;
    Node members = Node::array();
    for (const facts::Member& member : *message.members) members.push(to_node(member));
    node.set("members", std::move(members));
    return node;
}

HeartbeatAnswer read_heartbeat_answer(const Node& node, Findings& findings) {
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    HeartbeatAnswer message;
    message.generation = reader.required_int("generation", 0, INT64_MAX).value_or(0);
    message.server_time = fields::required(reader, "serverTime", fields::time_of).value_or(0);
    message.removal = read_removal(reader);
    message.sample_refused = reader.optional_text("sampleRefused", kMaxRefusal);
    if (reader.has("members")) message.members.emplace();
    reader.each("members", [&](const Node& item, const FieldPath& at) {
        if (message.members) message.members->push_back(facts::read_member(item, at, findings));
    });
    reader.finish();
    return message;
}

} // namespace stratum::link
