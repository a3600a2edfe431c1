// The admin listener's routes over a founder: who calls is found out, what the call's token may do
// is judged, the body is decoded strictly, and the founder is asked. One table holds every route.
#pragma once

#include <cstddef>
#include <string>

#include "common/link/http_server.hpp"
#include "founder/founder.hpp"

namespace stratum::founder::api {

// The founder must outlive the handler.
link::Handler make_admin_handler(Founder& founder);
// The most bytes a body of this route may have.
std::size_t admin_body_limit(const std::string& method, const std::string& path);

} // namespace stratum::founder::api
