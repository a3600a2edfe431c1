// May the nodes of this cluster be trusted to run together, and if not, what is to be mended.
#include <iostream>

#include "common/base/clock.hpp"
#include "common/base/terminal.hpp"
#include "common/base/text.hpp"
#include "ctl/admin_client.hpp"
#include "ctl/doctor.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr long kLookAgainMs = 2'000;
// Beside 0 ok, 1 warn, 2 unsupported: whatever the reason, nothing is known.
constexpr int kCouldNotAsk = kExitUnreachable;

struct Look {
    int exit_code = kCouldNotAsk;
    bool may_pass = false; // nobody could be asked: the next look may
    std::string text;
};

// A token that may see the substrate alone sees ids, and how many members have no report.
void name_nodes_by(AdminClient& client, compat::Fleet& fleet) {
    link::HttpRequest request;
    request.path = "/v1/admin/cluster/members";
    const auto answer = client.send(request);
    if (!answer || answer->status != 200) return;
    if (const Parsed parsed = parse_json(answer->body); parsed.root)
        name_nodes(fleet, *parsed.root);
}

std::string drawn(const compat::Fleet& fleet, std::int64_t now) {
    const Terminal terminal = standard_output();
    compat::DoctorStyle style;
    style.columns = terminal.columns;
    style.colour = terminal.colour;
    style.now = now;
    style.own_name = "the founder";
    return compat::render_doctor(fleet, style);
}

// Says why not on standard error.
Look look(AdminClient& client, const Arguments& arguments, int indent) {
    link::HttpRequest request;
    request.path = "/v1/admin/substrate/compatibility";
    if (arguments.has("--refresh")) request.path = with_parameter(request.path, "refresh", "true");
    const auto answer = client.send(request);
    if (!answer) return {kCouldNotAsk, say_error(answer.error()) == kExitUnreachable, {}};
    if (answer->status != 200) {
        (void)say_problem(link::read_problem(answer->status, answer->body));
        return {};
    }
    DocumentLimits limits; // hundreds of nodes
    limits.max_bytes = 16u << 20;
    limits.max_nodes = 2'000'000;
    const Parsed parsed = parse_json(answer->body, limits);
    const Node document = parsed.findings.empty() ? parsed.root.value_or(Node()) : Node();
    auto fleet = read_compatibility(document);
    if (!fleet) {
        (void)say_error(fleet.error());
        return {};
    }
    const std::int64_t now =
        date_of(answer->header("Date").value_or("")).value_or(system_clock().unix_seconds());
    if (const auto age = number_of(answer->header("Age").value_or(""))) fleet->own_at = now - *age;
    const auto unreported = number_of(answer->header(compat::kUnreportedHeader).value_or(""));
    fleet->unreported = static_cast<std::size_t>(unreported.value_or(0));
    Look seen{compat::doctor_exit_code(*fleet, now), false, {}};
    if (!arguments.has("--json")) {
        name_nodes_by(client, *fleet);
        seen.exit_code = compat::doctor_exit_code(*fleet, now);
        seen.text = drawn(*fleet, now);
        return seen;
    }
    // For a program as it is; for eyes without what would move the cursor.
    seen.text = write_json(document, indent) + "\n";
    if (standard_output().is_terminal) seen.text = for_terminal(seen.text);
    return seen;
}

int watch(AdminClient& client, const Arguments& arguments) {
    const int stop = stop_descriptor();
    const bool as_json = arguments.has("--json");
    WatchedText watched(standard_output().is_terminal && !as_json);
    std::string said;
    Look last;
    do {
        last = look(client, arguments, 0);
        if (last.exit_code == kCouldNotAsk && !last.may_pass) return kCouldNotAsk;
        if (last.exit_code == kCouldNotAsk) continue;
        if (!as_json)
            std::cout << watched.next(last.text, format_time(system_clock().unix_seconds()))
                      << std::flush;
        else if (last.text != said)
            std::cout << last.text << std::flush;
        said = last.text;
    } while (!wait_for_stop(stop, kLookAgainMs));
    return last.exit_code;
}

int doctor(const Arguments& arguments) {
    const auto client = AdminClient::open(arguments);
    if (!client) {
        (void)say_error(client.error());
        return kCouldNotAsk;
    }
    if (arguments.has("--watch")) return watch(**client, arguments);
    const Look once = look(**client, arguments, 2);
    std::cout << once.text;
    return once.exit_code;
}

} // namespace

CommandSpec doctor_command() {
    return {
        .path = "admin doctor",
        .summary = "Show whether the nodes' programs fit this release and one another",
        .details =
            "The founder's own look at its machine, and the last of each member (every three "
            "minutes), as one table: what differs between nodes first; then each line that is "
            "not ok, with what to do about it. A node that was not heard of for three looks, or "
            "never, is a warning. Exits with 0 for ok, 1 for a warning, 2 for unsupported, 3 "
            "where the founder could not be asked, for whatever reason.",
        .arguments = {},
        .options = with_common({{"--refresh", "", "Have the founder look at its own machine now"},
                                {"--watch", "",
                                 "Look again every two seconds, until stopped; with --json one "
                                 "line for each answer that differs"}}),
        .example = "stratumctl admin doctor",
        .run = doctor};
}

} // namespace stratum::ctl
