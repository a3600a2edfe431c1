#include <iostream>

#include "ctl/admin_client.hpp"
#include "ctl/audit.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr const char* kPath = "/v1/admin/audit";

std::string list_table(const Node& answer) {
    std::vector<Row> rows;
    if (const Node* entries = answer.find("entries")) {
        for (const Node& entry : entries->items()) {
            Row row;
            for (const char* member :
                 {"seq", "at", "action", "object", "result", "actor", "from", "detail"})
                row.push_back(cell(entry, member));
            rows.push_back(std::move(row));
        }
    }
    std::string out =
        render({"SEQ", "WHEN", "ACTION", "WHAT", "RESULT", "WHO", "FROM", "DETAIL"}, rows);
    if (answer.find("nextCursor") != nullptr)
        out += "\nolder entries: --cursor " + cell(answer, "nextCursor") + "\n";
    return out;
}

int list(const Arguments& arguments) {
    link::HttpRequest request;
    request.path = kPath;
    for (const char* name : {"limit", "cursor"}) {
        const std::string option = std::string("--") + name;
        if (arguments.has(option))
            request.path = with_parameter(request.path, name, arguments.value(option));
    }
    const auto answer = ask(arguments, request);
    return answer ? print(arguments, *answer, list_table) : answer.error();
}

int verify(const Arguments& arguments) {
    std::vector<link::AuditMark> marks;
    for (const std::string& text : arguments.all("--mark")) {
        const auto mark = link::parse_audit_mark(text);
        if (!mark) return say_error(mark.error());
        marks.push_back(*mark);
    }
    const auto client = AdminClient::open(arguments);
    if (!client) return say_error(client.error());
    const std::string path = with_parameter(kPath, "limit", "1000");
    const auto checked = check_audit(
        [&](const std::string& cursor) {
            link::HttpRequest request;
            request.path = cursor.empty() ? path : with_parameter(path, "cursor", cursor);
            return ask(**client, request);
        },
        std::move(marks));
    if (!checked) return checked.error();
    std::cout << (arguments.has("--json") ? write_json(audit_verdict_document(*checked), 2) + "\n"
                                          : for_terminal(audit_verdict_text(*checked)));
    return checked->verdict.broken_at == 0 ? kExitOk : kExitFailed;
}

} // namespace

std::vector<CommandSpec> audit_commands() {
    return {
        {.path = "admin audit",
         .summary = "Show who did what to what, newest first",
         .details = "",
         .arguments = {},
         .options = with_common({{"--limit", "N", "At most so many; 100 by default"},
                                 {"--cursor", "CURSOR", "Where the list before ended"}}),
         .example = "stratumctl admin audit",
         .run = list},
        {.path = "admin audit verify",
         .summary = "Check that no entry of the audit was changed or taken out",
         .details =
             "Reads the whole audit and computes its chain of hashes anew. Ends with 0 where "
             "it holds, 1 where it does not, and names the first entry in question. The "
             "line that it prints, kept elsewhere and given as --mark, also shows a chain "
             "that somebody made anew from its beginning.",
         .arguments = {},
         .options = with_common(
             {{"--mark", "SEQ:HASH", "What an earlier check printed as newest", false, true}}),
         .example = "stratumctl admin audit verify",
         .run = verify},
    };
}

} // namespace stratum::ctl
