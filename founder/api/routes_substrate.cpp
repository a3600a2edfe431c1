// The substrate: may this node, and this cluster, be trusted to run together.
#include <algorithm>
#include <array>

#include "common/compat/doctor.hpp"
#include "founder/api/route.hpp"
#include "founder/documents.hpp"

namespace stratum::founder::api {
namespace {

// Its Age is that of the report on top; each of `nodes` has its own sampledAt. The head says how
// many members have none.
RouteAnswer compatibility(const Call& call) {
    const auto refresh = flag_parameter(call.request, "refresh");
    if (!refresh) return tl::make_unexpected(refresh.error());
    const auto found = call.founder.compatibility(*refresh);
    if (!found) return tl::make_unexpected(found.error());
    link::ServerAnswer answer;
    answer.body = compatibility_json(*found);
    const std::int64_t age = std::max<std::int64_t>(found->now - found->own.probed_at, 0);
    answer.headers.emplace_back("Age", std::to_string(age));
    answer.headers.emplace_back(compat::kUnreportedHeader, std::to_string(found->unreported));
    return answer;
}

constexpr std::array kRoutes = {
    Route{"GET", "/v1/admin/substrate/compatibility", "substrate:GetCompatibility", "",
          compatibility, "refresh"},
};

} // namespace

std::span<const Route> substrate_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
