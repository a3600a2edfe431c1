#include <iostream>

#include "common/base/files.hpp"
#include "common/base/finding_places.hpp"
#include "common/base/terminal.hpp"
#include "common/base/text.hpp"
#include "ctl/admin_client.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

// The assignment file, JSON or YAML; both readers take JSON, and YAML's positions are as good.
tl::expected<Node, int> read_assignment_file(const std::string& path) {
    const auto text = system_files().read(path, 1u << 20);
    if (!text) return tl::make_unexpected(say_error(text.error()));
    Parsed parsed = trim(*text).substr(0, 1) == "{" ? parse_json(*text) : parse_yaml(*text);
    if (parsed.root && parsed.findings.empty()) return std::move(*parsed.root);
    for (const Finding& finding : parsed.findings.all())
        std::cerr << finding_line(path, finding) << "\n";
    return tl::make_unexpected(kExitUsage);
}

// The code is what the person reads off the machine's console; it is never taken from the founder,
// who would then be asked whether it agrees with itself.
tl::expected<std::string, int> pairing_code(const Arguments& arguments) {
    if (arguments.has("--pairing-code")) return arguments.value("--pairing-code");
    const auto typed = ask_at_terminal("Type the pairing code that the machine's console shows: ");
    if (typed) return std::string(trim(*typed));
    std::cerr << "stratumctl: give --pairing-code, as the machine's console shows it\n";
    return tl::make_unexpected(kExitUsage);
}

tl::expected<Node, int> body_of(const Arguments& arguments) {
    Node assignment = Node::object();
    if (arguments.has("--assignment")) {
        auto read = read_assignment_file(arguments.value("--assignment"));
        if (!read) return read;
        assignment = std::move(*read);
    }
    if (arguments.has("--name")) assignment.set("name", arguments.value("--name"));
    Node body = Node::object();
    body.set("assignment", std::move(assignment));
    if (arguments.has("--copy-from")) body.set("copyFrom", arguments.value("--copy-from"));
    if (arguments.has("--dry-run") && !arguments.has("--pairing-code")) return body;
    const auto code = pairing_code(arguments);
    if (!code) return tl::make_unexpected(code.error());
    body.set("pairingCode", *code);
    return body;
}

std::string wipes_text(const Node& answer) {
    const Node* wipes = answer.find("wipes");
    if (wipes == nullptr) return {};
    if (wipes->items().empty()) return "no disk is wiped\n";
    std::string out;
    for (const Node& wipe : wipes->items()) {
        out += "wipes " + cell(wipe, "path") + " (" + cell(wipe, "key") + ")\n";
        for (const char* list : {"losses", "alsoBreaks"}) {
            const Node* items = wipe.find(list);
            if (items == nullptr) continue;
            const std::string word = std::string(list) == "losses" ? "loses " : "also breaks ";
            for (const Node& item : items->items()) out += "  " + word + item.as_string() + "\n";
        }
    }
    return out;
}

std::string dry_run_text(const Node& answer) {
    std::string out = "nothing was written; this is what the approval would be\n\n";
    out += wipes_text(answer) + "\n";
    if (const Node* yaml = answer.find("nodeYaml")) out += yaml->as_string();
    return out + "\n" + describe_join(answer);
}

std::string approved_text(const Node& join) {
    return cell(join, "id") + " is " + cell(join, "state") + " as " + cell(join, "name") + " (" +
           cell(join, "nodeId") + ")\n";
}

int approve(const Arguments& arguments) {
    const auto path = path_of(arguments, kJoinId, "/v1/admin/cluster/joins", "/approve");
    if (!path) return say_error(path.error());
    const auto body = body_of(arguments);
    if (!body) return body.error();
    link::HttpRequest request;
    request.method = "POST";
    request.path = *path;
    if (arguments.has("--dry-run")) request.path = with_parameter(*path, "dryRun", "true");
    if (arguments.has("--if-match")) {
        request.headers.emplace_back("If-Match", arguments.value("--if-match"));
    }
    request.body = write_json(*body);
    const auto answer = ask_once(arguments, request);
    if (!answer) return answer.error();
    return print(arguments, *answer, arguments.has("--dry-run") ? dry_run_text : approved_text);
}

} // namespace

CommandSpec approve_command() {
    return {.path = "admin joins approve",
            .summary = "Approve the machine whose console shows this pairing code",
            .details =
                "The pairing code is the one that the machine's own console shows; without "
                "--pairing-code it is asked for. A disk that holds data is wiped only where the "
                "assignment confirms it with the disk's key. --dry-run shows every problem, what "
                "would be wiped and the node.yaml, and writes nothing.",
            .arguments = {{"JOIN-ID", "The join, as listed: nj-…"}},
            .options = with_common(
                {{"--pairing-code", "CODE", "As the machine's console shows it: XXX-XXX"},
                 {"--assignment", "FILE", "What the machine becomes, as JSON or YAML"},
                 {"--name", "NAME", "The node's name, over the file's"},
                 {"--copy-from", "NODE-ID",
                  "Start from this node's links and disks; none: from nothing"},
                 {"--if-match", "ETAG", "Only if the join is still at this revision"},
                 {"--dry-run", "", "Only show what it would be"}}),
            .example = "stratumctl admin joins approve nj-8w2k4m1p --assignment beta.yaml",
            .run = approve};
}

} // namespace stratum::ctl
