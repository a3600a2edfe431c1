#include <iostream>

#include "common/base/files.hpp"
#include "ctl/admin_client.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr const char* kPath = "/v1/admin/tokens";

std::string made_text(const Node& token) {
    return "token " + cell(token, "token") + "\nid    " + cell(token, "id") +
           "\nThe token is shown this once.\n";
}

int create(const Arguments& arguments) {
    const auto text = system_files().read(arguments.value("--policy"), 256 * 1024);
    if (!text) return say_error(text.error());
    Parsed policy = parse_json(*text);
    if (!policy.root || !policy.findings.empty()) {
        for (const std::string& line : policy.findings.lines()) std::cerr << line << "\n";
        return kExitUsage;
    }
    Node body = Node::object();
    body.set("policy", std::move(*policy.root));
    if (arguments.has("--note")) body.set("note", arguments.value("--note"));
    link::HttpRequest request;
    request.method = "POST";
    request.path = kPath;
    request.body = write_json(body);
    const auto answer = ask(arguments, request);
    return answer ? print(arguments, *answer, made_text) : answer.error();
}

std::string list_table(const Node& answer) {
    std::vector<Row> rows;
    if (const Node* tokens = answer.find("tokens")) {
        for (const Node& token : tokens->items()) {
            const bool revoked = token.find("revokedAt") != nullptr;
            rows.push_back({cell(token, "id"), revoked ? "revoked" : "valid",
                            short_time(cell(token, "madeAt")), cell(token, "note")});
        }
    }
    return render({"TOKEN", "STATE", "MADE", "NOTE"}, rows);
}

int list(const Arguments& arguments) {
    const auto answer = ask_all(arguments, kPath, "tokens");
    return answer ? print(arguments, *answer, list_table) : answer.error();
}

int revoke(const Arguments& arguments) {
    const auto path = path_of(arguments, kTokenId, kPath);
    if (!path) return say_error(path.error());
    return delete_and_say(arguments, *path, "token " + arguments.value("TOKEN-ID") + " is revoked");
}

} // namespace

std::vector<CommandSpec> token_commands() {
    return {
        {.path = "admin tokens create",
         .summary = "Make a token with a policy, shown once",
         .details = "",
         .arguments = {},
         .options = with_common({{"--policy", "FILE", "The policy document, as JSON", true},
                                 {"--note", "TEXT", "Whose it is"}}),
         .example = "stratumctl admin tokens create --policy approver.json --note 'night shift'",
         .run = create},
        {.path = "admin tokens list",
         .summary = "List the tokens, without the tokens themselves",
         .details = "",
         .arguments = {},
         .options = with_common({}),
         .example = "stratumctl admin tokens list",
         .run = list},
        {.path = "admin tokens revoke",
         .summary = "Make a token invalid",
         .details = "",
         .arguments = {{"TOKEN-ID", "The token's id, as listed"}},
         .options = with_common({}),
         .example = "stratumctl admin tokens revoke tk-4m1p8w2k",
         .run = revoke},
    };
}

} // namespace stratum::ctl
