#include "common/base/text.hpp"
#include "common/link/message_fields.hpp"
#include "common/link/messages.hpp"

namespace stratum::link {
namespace {

constexpr std::size_t kMaxText = 8192;

// A field of the view that may be empty: name and place, so that writer and reader cannot differ.
struct TextField {
    std::string_view name;
    std::string JoinerView::*member;
};
constexpr TextField kTexts[] = {
    {"waitReason", &JoinerView::wait_reason},
    {"nodeId", &JoinerView::node_id},
    {"name", &JoinerView::name},
    {"nodeYamlSha256", &JoinerView::node_yaml_sha256},
    {"bundleSha256", &JoinerView::bundle_sha256},
    {"failedStep", &JoinerView::failed_step},
    {"failedStepTitle", &JoinerView::failed_step_title},
    {"failedError", &JoinerView::failed_error},
    {"endedReason", &JoinerView::ended_reason},
};

} // namespace

Node to_node(const JoinerView& view) {
    Node node = Node::object();
    node.set("id", view.id).set("state", view.state);
    node.set("revision", Node::integer(view.revision)).set("attempt", Node::integer(view.attempt));
    if (view.upgrade) node.set("upgrade", to_node(*view.upgrade));
    node.set("expiresAt", format_time(view.expires_at));
    node.set("serverTime", format_time(view.server_time));
    for (const TextField& field : kTexts) {
        const std::string& text = view.*field.member;
        if (!text.empty()) node.set(std::string(field.name), text);
    }
    node.set("revealed", Node::boolean(view.revealed));
    return node;
}

JoinerView read_joiner_view(const Node& node, Findings& findings) {
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    JoinerView view;
    view.id = fields::required(reader, "id", fields::join_id_of).value_or("");
    view.state = fields::required_text(reader, "state", 64);
    view.revision = reader.required_int("revision", 0, INT64_MAX).value_or(0);
    view.attempt = static_cast<int>(reader.required_int("attempt", 1, 1'000'000).value_or(1));
    view.upgrade = read_upgrade(reader, findings);
    view.expires_at = fields::required(reader, "expiresAt", fields::time_of).value_or(0);
    view.server_time = fields::required(reader, "serverTime", fields::time_of).value_or(0);
    for (const TextField& field : kTexts) {
        view.*field.member = reader.optional_text(field.name, kMaxText);
    }
    view.revealed = reader.optional_bool("revealed").value_or(false);
    reader.finish();
    return view;
}

} // namespace stratum::link
