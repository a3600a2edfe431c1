#include <iostream>

#include "common/base/terminal.hpp"
#include "common/base/text.hpp"
#include "common/link/http_values.hpp"
#include "ctl/admin_client.hpp"
#include "ctl/members.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr const char* kPath = "/v1/admin/cluster/members";
constexpr long kLookAgainMs = 1'000;

link::HttpRequest list_request() {
    link::HttpRequest request;
    request.path = kPath;
    return request;
}

int list(const Arguments& arguments) {
    const auto answer = ask(arguments, list_request());
    return answer ? print(arguments, *answer, members_table) : answer.error();
}

// The name is typed, so that no id that was merely copied removes a node.
bool is_confirmed(const Arguments& arguments, const Node& member) {
    if (arguments.has("--yes")) return true;
    std::cerr << for_terminal(removal_warning(member));
    const auto typed =
        ask_at_terminal("Type the node's name to remove it (" + cell(member, "name") + "): ");
    if (typed && trim(*typed) == cell(member, "name")) return true;
    std::cerr << "stratumctl: "
              << (typed ? "that is not its name; nothing was done\n"
                        : "there is no terminal to ask on: give --yes to remove it unasked\n");
    return false;
}

// Says what it waits for as that changes; ends when the row is gone.
int wait_until_gone(AdminClient& client, const Arguments& arguments, const Node& asked) {
    const int stop = stop_descriptor();
    const std::string id = cell(asked, "nodeId");
    const bool as_json = arguments.has("--json");
    std::string said;
    while (true) {
        const auto answer = client.send(list_request());
        if (answer && answer->status != 200)
            return say_problem(link::read_problem(answer->status, answer->body));
        const Parsed parsed = answer ? parse_json(answer->body) : Parsed{};
        const auto member = find_member(parsed.root.value_or(Node()), id);
        if (parsed.root && !member) break;
        std::string line = member ? removal_line(*member) : "";
        if (!answer) line = answer.error().message + "; trying again";
        if (line != said) std::cerr << for_terminal(line) << "\n" << std::flush;
        said = line;
        if (member && cell(*member, "status") != "removing")
            return say_error({ErrorCode::kConflict, "it is not being removed any more", ""});
        if (wait_for_stop(stop, kLookAgainMs))
            return say_error({ErrorCode::kConflict, "stopped; the removal goes on", ""});
    }
    Node gone = Node::object();
    gone.set("nodeId", id).set("name", cell(asked, "name")).set("status", "removed");
    if (as_json)
        std::cout << write_json(gone, 2) << "\n";
    else
        std::cout << for_terminal(cell(asked, "name") + " (" + id + ") is no member any more\n");
    return kExitOk;
}

std::string asked_text(const Node& member) {
    return removal_line(member) + "\n";
}

// The member that was typed; where there is none, the exit code after saying so.
tl::expected<Node, int> named_member(AdminClient& client, const Arguments& arguments) {
    auto members = ask(client, list_request());
    if (!members) return members;
    const auto member = find_member(*members, arguments.value("NODE"));
    if (!member) return tl::make_unexpected(say_error(member.error()));
    return *member;
}

// Where a member stands in the API.
std::string path_of_member(const Node& member) {
    return std::string(kPath) + "/" + link::encode_segment(cell(member, "nodeId"));
}

int remove(const Arguments& arguments) {
    const auto client = AdminClient::open(arguments);
    if (!client) return say_error(client.error());
    const auto member = named_member(**client, arguments);
    if (!member) return member.error();
    if (!is_confirmed(arguments, *member)) return kExitUsage;
    link::HttpRequest request;
    request.method = "DELETE";
    request.path = path_of_member(*member);
    if (arguments.has("--force")) request.path = with_parameter(request.path, "force", "true");
    const auto asked = ask(**client, request);
    if (!asked) return asked.error();
    if (arguments.has("--wait")) return wait_until_gone(**client, arguments, *asked);
    return print(arguments, *asked, asked_text);
}

std::string kept_text(const Node& member) {
    return cell(member, "name") + " (" + cell(member, "nodeId") + ") stays a member\n";
}

int keep(const Arguments& arguments) {
    const auto client = AdminClient::open(arguments);
    if (!client) return say_error(client.error());
    const auto member = named_member(**client, arguments);
    if (!member) return member.error();
    link::HttpRequest request;
    request.method = "DELETE";
    request.path = path_of_member(*member) + "/removal";
    const auto answer = ask(**client, request);
    return answer ? print(arguments, *answer, kept_text) : answer.error();
}

} // namespace

std::vector<CommandSpec> member_commands() {
    return {
        {.path = "admin members list",
         .summary = "List the members",
         .details = "",
         .arguments = {},
         .options = with_common({}),
         .example = "stratumctl admin members list",
         .run = list},
        {.path = "admin members remove",
         .summary = "Remove a member; its name, addresses and place are free again",
         .details =
             "It waits for its turn: no join runs and no other removal. The node is told, stops "
             "being a member and says so; then it is gone. Its disks keep what they hold. A node "
             "that is dead cannot say so: with --force it goes without its word, once it has been "
             "silent for a minute. Asks for the node's name unless --yes.",
         .arguments = {{"NODE", "The node's id or name, as listed"}},
         .options = with_common({{"--force", "", "For a node that is dead"},
                                 {"--yes", "", "Do not ask for the node's name"},
                                 {"--wait", "", "Follow it until the node is gone"}}),
         .example = "stratumctl admin members remove beta --wait",
         .run = remove},
        {.path = "admin members keep",
         .summary = "Take back a removal that waits for its turn",
         .details = "Until the node is told to leave, that is until no join runs and no removal "
                    "before it; then it is too late.",
         .arguments = {{"NODE", "The node's id or name, as listed"}},
         .options = with_common({}),
         .example = "stratumctl admin members keep beta",
         .run = keep},
    };
}

} // namespace stratum::ctl
