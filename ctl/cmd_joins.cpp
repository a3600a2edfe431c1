#include <iostream>

#include "ctl/admin_client.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr const char* kPath = "/v1/admin/cluster/joins";

std::string what_next(const Node& join) {
    for (const char* name : {"waitReason", "failedError", "endedReason"}) {
        if (std::string text = cell(join, name); text != "-") return text;
    }
    return "-";
}

std::string list_table(const Node& answer) {
    std::vector<Row> rows;
    const Node* joins = answer.find("joins");
    if (joins != nullptr) {
        for (const Node& join : joins->items()) {
            const std::string name = cell(join, "name");
            rows.push_back({cell(join, "id"), cell(join, "state"), cell(join, "pairingCode"),
                            name == "-" ? cell(join, "hostname") : name, cell(join, "address"),
                            what_next(join)});
        }
    }
    return render({"JOIN", "STATE", "CODE", "NAME", "FROM", "WHY"}, rows);
}

// The founder gives pages; a person wants the list.
int list(const Arguments& arguments) {
    std::string path = kPath;
    if (arguments.has("--state")) path = with_parameter(path, "state", arguments.value("--state"));
    const auto answer = ask_all(arguments, path, "joins");
    return answer ? print(arguments, *answer, list_table) : answer.error();
}

int show(const Arguments& arguments) {
    const auto path = path_of(arguments, kJoinId, kPath);
    if (!path) return say_error(path.error());
    link::HttpRequest request;
    request.path = *path;
    const auto answer = ask(arguments, request);
    return answer ? print(arguments, *answer, describe_join) : answer.error();
}

std::string done_line(const Node& join) {
    return cell(join, "id") + " is " + cell(join, "state") + "\n";
}

int post(const Arguments& arguments, const std::string& verb, const Node& body) {
    const auto path = path_of(arguments, kJoinId, kPath, "/" + verb);
    if (!path) return say_error(path.error());
    link::HttpRequest request;
    request.method = "POST";
    request.path = *path;
    request.body = write_json(body);
    const auto answer = ask_once(arguments, request);
    return answer ? print(arguments, *answer, done_line) : answer.error();
}

int reject(const Arguments& arguments) {
    Node body = Node::object();
    if (arguments.has("--reason")) body.set("reason", arguments.value("--reason"));
    if (arguments.has("--force")) body.set("force", Node::boolean(true));
    return post(arguments, "reject", body);
}

int retry(const Arguments& arguments) {
    return post(arguments, "retry", Node::object());
}

ArgumentSpec join_id() {
    return {"JOIN-ID", "The join, as listed: nj-…"};
}

} // namespace

std::vector<CommandSpec> join_commands() {
    return {
        {.path = "admin joins list",
         .summary = "List the machines that registered to join, newest first",
         .details = "",
         .arguments = {},
         .options = with_common({{"--state", "STATE", "Only those in this state: pending, …"}}),
         .example = "stratumctl admin joins list --state pending",
         .run = list},
        {.path = "admin joins show",
         .summary = "Show one join: pairing code, hardware, assignment, steps, log",
         .details = "",
         .arguments = {join_id()},
         .options = with_common({}),
         .example = "stratumctl admin joins show nj-8w2k4m1p",
         .run = show},
        {.path = "admin joins reject",
         .summary = "End a join; its name, addresses and place are free again",
         .details = "A running join can be ended only when it has been silent for ten minutes, "
                    "and with --force.",
         .arguments = {join_id()},
         .options = with_common({{"--reason", "TEXT", "Shown on the machine's console"},
                                 {"--force", "", "Also a running join that has stalled"}}),
         .example = "stratumctl admin joins reject nj-8w2k4m1p --reason 'wrong rack'",
         .run = reject},
        {.path = "admin joins retry",
         .summary = "Queue a failed join again, with the same assignment and addresses",
         .details = "",
         .arguments = {join_id()},
         .options = with_common({}),
         .example = "stratumctl admin joins retry nj-8w2k4m1p",
         .run = retry},
    };
}

} // namespace stratum::ctl
