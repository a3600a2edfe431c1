// The accessors of requests and answers, and the refusals that every client makes by itself.
#include "common/link/http_client.hpp"
#include "common/link/http_server.hpp"
#include "common/link/http_values.hpp"

namespace stratum::link {

std::optional<std::string> ServerRequest::header(std::string_view name) const {
    return find_header(headers, name);
}

std::optional<std::string> ServerRequest::parameter(std::string_view name) const {
    return query_parameter(query, name);
}

std::optional<std::string> HttpAnswer::header(std::string_view name) const {
    return find_header(headers, name);
}

} // namespace stratum::link
