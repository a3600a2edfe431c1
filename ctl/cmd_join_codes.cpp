#include <iostream>

#include "common/base/text.hpp"
#include "ctl/admin_client.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr const char* kPath = "/v1/admin/cluster/join-codes";

std::string made_table(const Node& code) {
    std::string out = "code     " + cell(code, "code") + "\nuri      " + cell(code, "uri") +
                      "\nexpires  " + cell(code, "expiresAt") + "\nuses     " +
                      cell(code, "maxUses") + "\nIt is shown this once.\n";
    if (code.find("warning") != nullptr) out += cell(code, "warning") + "\n";
    return out;
}

// A number typed for an option, into the body; false after saying what is wrong with it.
bool add_number(const Arguments& arguments, const std::string& option, const char* member,
                Node& body) {
    if (!arguments.has(option)) return true;
    const auto value = parse_decimal(arguments.value(option));
    if (!value) {
        std::cerr << "stratumctl: " << option << " takes a whole number\n";
        return false;
    }
    body.set(member, Node::integer(static_cast<std::int64_t>(*value)));
    return true;
}

int create(const Arguments& arguments) {
    Node body = Node::object();
    const bool fine = add_number(arguments, "--expires-in", "expiresInSeconds", body) &&
                      add_number(arguments, "--uses", "maxUses", body);
    if (!fine) return kExitUsage;
    if (arguments.has("--note")) body.set("note", arguments.value("--note"));
    link::HttpRequest request;
    request.method = "POST";
    request.path = kPath;
    request.body = write_json(body);
    const auto answer = ask(arguments, request);
    return answer ? print(arguments, *answer, made_table) : answer.error();
}

std::string state_of(const Node& code) {
    for (const char* name : {"revokedAt", "lockedReason"}) {
        if (code.find(name) != nullptr)
            return std::string(name) == "revokedAt" ? "revoked" : "locked";
    }
    return "valid until " + short_time(cell(code, "expiresAt"));
}

std::string list_table(const Node& answer) {
    std::vector<Row> rows;
    const Node* codes = answer.find("joinCodes");
    if (codes != nullptr) {
        for (const Node& code : codes->items()) {
            rows.push_back({cell(code, "id"), cell(code, "uses") + "/" + cell(code, "maxUses"),
                            state_of(code), cell(code, "note")});
        }
    }
    return render({"ID", "USES", "STATE", "NOTE"}, rows);
}

int list(const Arguments& arguments) {
    const auto answer = ask_all(arguments, kPath, "joinCodes");
    return answer ? print(arguments, *answer, list_table) : answer.error();
}

int revoke(const Arguments& arguments) {
    const auto path = path_of(arguments, kCodeId, kPath);
    if (!path) return say_error(path.error());
    return delete_and_say(arguments, *path,
                          "join code " + arguments.value("CODE-ID") + " is revoked");
}

int unpause(const Arguments& arguments) {
    return delete_and_say(arguments, std::string(kPath) + "/pause",
                          "new machines may register again");
}

} // namespace

std::vector<CommandSpec> join_code_commands() {
    return {
        {.path = "admin join-codes create",
         .summary = "Make a join code, shown once",
         .details = "A code serves one machine unless made for more. A code for many machines "
                    "locks itself after three failed pairings.",
         .arguments = {},
         .options = with_common({{"--expires-in", "SECONDS", "3600 by default"},
                                 {"--uses", "N", "How many machines it serves; 1 by default"},
                                 {"--note", "TEXT", "What it is for"}}),
         .example = "stratumctl admin join-codes create --note 'rack 7'",
         .run = create},
        {.path = "admin join-codes list",
         .summary = "List the join codes, without the codes themselves",
         .details = "",
         .arguments = {},
         .options = with_common({}),
         .example = "stratumctl admin join-codes list",
         .run = list},
        {.path = "admin join-codes revoke",
         .summary = "Make a join code invalid",
         .details = "",
         .arguments = {{"CODE-ID", "The code's id, as listed"}},
         .options = with_common({}),
         .example = "stratumctl admin join-codes revoke 6e66640c",
         .run = revoke},
        {.path = "admin join-codes unpause",
         .summary = "Let new machines register again after too many failed pairings",
         .details = "",
         .arguments = {},
         .options = with_common({}),
         .example = "stratumctl admin join-codes unpause",
         .run = unpause},
    };
}

} // namespace stratum::ctl
