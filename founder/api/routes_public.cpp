// Liveness, the description of the API, and the page that says where the API is.
#include <array>

#include "founder/api/openapi.hpp"
#include "founder/api/route.hpp"

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

constexpr std::array kRoutes = {
    Route{"GET", "/healthz", "", "", health},
    Route{"GET", "/openapi.json", "", "", description},
    Route{"GET", "/", "", "", front_page, "", "text/html"},
};

} // namespace

std::span<const Route> public_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
