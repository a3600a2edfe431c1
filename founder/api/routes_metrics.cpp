// What a monitoring system scrapes. Another metric is some lines here.
#include <array>
#include <map>

#include "founder/api/metric_text.hpp"
#include "founder/api/route.hpp"
#include "founder/api/substrate_metrics.hpp"

namespace stratum::founder::api {
namespace {

std::string cluster_metrics(const ClusterStatus& status) {
    Metric generation("stratum_generation", "Membership generation.");
    generation.add(status.generation);
    Metric green("stratum_green", "1 when the cluster is green.");
    green.add(status.green ? 1 : 0);
    Metric queue("stratum_queue_length", "Joins that are queued or running.");
    queue.add(static_cast<std::int64_t>(status.queue.size()));
    return generation.text() + green.text() + queue.text();
}

std::string member_metrics(const std::vector<MemberRecord>& members) {
    std::map<std::string, std::int64_t> by_status;
    for (const MemberRecord& member : members) by_status[member.status] += 1;
    Metric metric("stratum_members", "Members by status.");
    for (const auto& [word, count] : by_status) metric.add(label("status", word), count);
    return metric.text();
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
    Metric wrong("stratum_wrong_join_codes_total", "Registrations whose join code did not hold.",
                 "counter");
    wrong.add(*wrong_codes);
    link::ServerAnswer answer;
    answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
    answer.body = wrong.text() + cluster_metrics(*status) + member_metrics(*members) +
                  substrate_metrics(*substrate);
    return answer;
}

constexpr std::array kRoutes = {
    Route{"GET", "/metrics", "ha:GetMetrics", "", metrics, "", "text/plain"},
};

} // namespace

std::span<const Route> metrics_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
