// Liveness, the description of the API, metrics, and the page that says where the API is.
#include <array>
#include <map>

#include "founder/api/openapi.hpp"
#include "founder/api/route.hpp"
#include "founder/api/substrate_metrics.hpp"

namespace stratum::founder::api {
namespace {

RouteAnswer health(const Call& call) {
    // A founder whose store cannot be read is not alive in any useful sense.
    const auto status = call.founder.cluster();
    if (!status) return tl::make_unexpected(status.error());
    return json_answer(Node::object().set("status", "ok"));
}

RouteAnswer description(const Call&) {
    link::ServerAnswer answer;
    answer.body = openapi_json();
    return answer;
}

RouteAnswer front_page(const Call& call) {
    link::ServerAnswer answer;
    answer.content_type = "text/html; charset=utf-8";
    answer.body = "<!doctype html><html lang=\"en\"><title>Stratum founder</title>"
                  "<h1>Stratum founder</h1><p>Release " +
                  call.founder.options().release +
                  ". The API is described at <a href=\"/openapi.json\">/openapi.json</a>; "
                  "<code>stratumctl admin joins list</code> speaks it.</p></html>\n";
    return answer;
}

void gauge(std::string& out, const std::string& name, const std::string& help, std::int64_t value) {
    out += "# HELP " + name + " " + help + "\n# TYPE " + name + " gauge\n" + name + " " +
           std::to_string(value) + "\n";
}

RouteAnswer metrics(const Call& call) {
    const auto status = call.founder.cluster();
    if (!status) return tl::make_unexpected(status.error());
    const auto members = call.founder.members();
    if (!members) return tl::make_unexpected(members.error());
    const auto wrong_codes = call.founder.wrong_join_codes();
    if (!wrong_codes) return tl::make_unexpected(wrong_codes.error());
    const auto substrate = call.founder.compatibility();
    if (!substrate) return tl::make_unexpected(substrate.error());
    std::string out;
    out += "# HELP stratum_wrong_join_codes_total Registrations whose join code did not hold.\n"
           "# TYPE stratum_wrong_join_codes_total counter\nstratum_wrong_join_codes_total " +
           std::to_string(*wrong_codes) + "\n";
    gauge(out, "stratum_generation", "Membership generation.", status->generation);
    gauge(out, "stratum_green", "1 when the cluster is green.", status->green ? 1 : 0);
    gauge(out, "stratum_queue_length", "Joins that are queued or running.",
          static_cast<std::int64_t>(status->queue.size()));
    std::map<std::string, std::int64_t> by_status;
    for (const MemberRecord& member : *members) by_status[member.status] += 1;
    out += "# HELP stratum_members Members by status.\n# TYPE stratum_members gauge\n";
    for (const auto& [word, count] : by_status) {
        out += "stratum_members{status=\"" + word + "\"} " + std::to_string(count) + "\n";
    }
    out += substrate_metrics(*substrate);
    link::ServerAnswer answer;
    answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
    answer.body = std::move(out);
    return answer;
}

constexpr std::array kRoutes = {
    Route{"GET", "/healthz", "", "", health},
    Route{"GET", "/openapi.json", "", "", description},
    Route{"GET", "/", "", "", front_page, "", "text/html"},
    Route{"GET", "/metrics", "ha:GetMetrics", "", metrics, "", "text/plain"},
};

} // namespace

std::span<const Route> public_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
