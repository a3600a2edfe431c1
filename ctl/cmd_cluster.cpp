#include "ctl/admin_client.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

// The rows of a list in an answer: one column for each member named.
std::string list_table(const Node& answer, std::string_view list, const Row& head,
                       const std::vector<std::string>& members) {
    std::vector<Row> rows;
    const Node* items = answer.find(list);
    if (items != nullptr) {
        for (const Node& item : items->items()) {
            Row row;
            for (const std::string& member : members) row.push_back(cell(item, member));
            rows.push_back(std::move(row));
        }
    }
    return render(head, rows);
}

std::string networks_table(const Node& answer) {
    return list_table(answer, "networks", {"NETWORK", "PURPOSE", "CIDR", "MTU", "USED", "FREE"},
                      {"name", "purpose", "cidr", "mtu", "used", "free"}) +
           "\nprovider " + cell(answer, "providerTopology") + ", VLAN " +
           cell(answer, "providerVlan") + ", uplink " + cell(answer, "providerUpstreamInterface") +
           "\n";
}

std::string cluster_text(const Node& answer) {
    std::string out = "cluster     " + cell(answer, "name") + "\nrelease     " +
                      cell(answer, "release") + "\ngeneration  " + cell(answer, "generation") +
                      "\ngreen       " + cell(answer, "green") + "\n";
    if (const Node* reasons = answer.find("reasons")) {
        for (const Node& reason : reasons->items()) out += "  " + reason.as_string() + "\n";
    }
    if (const Node* checks = answer.find("healthChecks"); checks && !checks->items().empty())
        out += "\n" + list_table(answer, "healthChecks", {"CHECK", "STATE", "RUN AT", "SAID"},
                                 {"name", "state", "checkedAt", "said"});
    out += "\n" + list_table(answer, "queue", {"JOIN", "NAME", "STATE", "WAITS FOR"},
                             {"joinId", "name", "state", "waitReason"});
    if (const Node* removals = answer.find("removals"); removals && !removals->items().empty())
        out += "\n" + list_table(answer, "removals", {"REMOVAL", "NAME", "ASKED AT", "WAITS FOR"},
                                 {"nodeId", "name", "askedAt", "waitReason"});
    return out;
}

template<std::string (*kTable)(const Node&)>
int get(const Arguments& arguments, const std::string& path) {
    link::HttpRequest request;
    request.path = path;
    const auto answer = ask(arguments, request);
    return answer ? print(arguments, *answer, kTable) : answer.error();
}

} // namespace

std::vector<CommandSpec> cluster_commands() {
    return {
        {.path = "admin status",
         .summary = "Show the cluster: generation, green or why not, the queue",
         .details = "",
         .arguments = {},
         .options = with_common({}),
         .example = "stratumctl admin status",
         .run = [](const Arguments& a) { return get<cluster_text>(a, "/v1/admin/cluster"); }},
        {.path = "admin networks",
         .summary = "List the cluster's networks, with what is used and free",
         .details = "",
         .arguments = {},
         .options = with_common({}),
         .example = "stratumctl admin networks",
         .run =
             [](const Arguments& a) {
                 return get<networks_table>(a, "/v1/admin/cluster/networks");
             }},
    };
}

} // namespace stratum::ctl
