// What both listeners' tables have in common: a path against a pattern, and what is answered where
// a path has other methods.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/link/http_server.hpp"
#include "common/link/problem.hpp"

namespace stratum::founder {

// The ids of a path that fits the pattern (/a/{id}/b), in order; nothing where it does not fit.
std::optional<std::vector<std::string>> match_path(std::string_view pattern,
                                                   const std::string& path);

template<class Row>
struct FoundRoute {
    const Row* row = nullptr;
    std::vector<std::string> ids;
    std::set<std::string> methods; // that this path has; empty: there is no such path
};

// HEAD asks as GET. A pattern with an id gives way to one that spells the word out
// (…/join-codes/pause). The path "*" (OPTIONS of the whole server) has every method there is.
template<class Rows>
auto find_route(const Rows& table, const std::string& method, const std::string& path) {
    using Row = std::remove_cvref_t<decltype(*std::begin(table))>;
    FoundRoute<Row> found;
    const std::string wanted = method == "HEAD" ? "GET" : method;
    for (const Row& row : table) {
        const auto ids = match_path(row.pattern, path);
        if (ids || path == "*") found.methods.insert(std::string(row.method));
        if (!ids) continue;
        if (row.method != wanted) continue;
        if (found.row != nullptr && found.ids.size() <= ids->size()) continue;
        found.row = &row;
        found.ids = *ids;
    }
    if (found.methods.contains("GET")) found.methods.insert("HEAD");
    if (!found.methods.empty()) found.methods.insert("OPTIONS");
    return found;
}

// 404, 405 with Allow, 406, or the 204 to OPTIONS; nothing where the row itself is to answer, a row
// of this type (empty: it answers nothing, and Accept has no say).
struct RouteAsked {
    const std::set<std::string>& methods;
    bool has_row = false;
    std::string_view type;
};
std::optional<link::ServerAnswer> answer_without_row(const link::ServerRequest& request,
                                                     const RouteAsked& asked);

} // namespace stratum::founder
