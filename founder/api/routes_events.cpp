// Server-Sent Events (the HTML standard, section 9.2): what happens to one join, or to all, as it
// happens. Events are `join` (the summary with steps, whenever its revision moves) and, for one
// join, `log` (one line). Each has an id; whoever comes again with it as Last-Event-ID gets what
// came after it. Of several changes of one join in between, the last is told.
#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "founder/api/route.hpp"
#include "founder/documents.hpp"

namespace stratum::founder::api {
namespace {

// A comment this often keeps proxies and clients from taking the stream for dead.
constexpr std::int64_t kBeatMs = 15'000;
constexpr std::size_t kPiece = 100; // joins read at once

std::string event(std::string_view name, const std::string& id, const Node& data) {
    return "event: " + std::string(name) + "\nid: " + id + "\ndata: " + write_json(data) + "\n\n";
}

// Two numbers of an id "7.12"; nothing of what is none of ours, which begins anew.
struct Place {
    std::int64_t first = -1;
    std::int64_t second = -1;
};
std::optional<std::int64_t> small_number(std::string_view text) {
    const auto number = parse_decimal(text);
    if (!number || *number > 9'999'999'999'999'999u) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}
std::optional<Place> place_of(const link::ServerRequest& request) {
    const std::string id = request.header("Last-Event-ID").value_or("");
    const auto dot = id.find('.');
    const auto first = small_number(std::string_view(id).substr(0, std::min(dot, id.size())));
    if (!first) return std::nullopt;
    if (dot == std::string::npos) return Place{*first, -1};
    const auto second = small_number(std::string_view(id).substr(dot + 1));
    if (!second) return std::nullopt;
    return Place{*first, *second};
}

Node join_event(const JoinRecord& join) {
    Node data = summary_document(join);
    Node steps = Node::array();
    for (const link::Step& step : join.steps) steps.push(step_document(step));
    return data.set("steps", std::move(steps));
}

link::ServerAnswer event_stream(std::function<void(const link::StreamWriter&)> stream) {
    link::ServerAnswer answer;
    answer.content_type = "text/event-stream";
    answer.stream = std::move(stream);
    answer.close = true;
    return answer;
}

// A stream on its way: whose it is, and where it goes.
struct Stream {
    Founder& founder;
    const std::string& bearer;
    const link::StreamWriter& write;
};

// Calls `tell` now and after each change, until the peer goes, `tell` says false, or a stop. A
// token that is revoked hears nothing more.
void follow(const Stream& to, const std::function<bool()>& tell) {
    while (!to.founder.is_stopping()) {
        const std::uint64_t seen = to.founder.change_number();
        if (!to.founder.authenticate(to.bearer) || !tell()) return;
        if (!to.founder.wait_for_change(seen, kBeatMs) && !to.write(": still here\n\n")) return;
    }
}

std::string id_of(const Place& place) {
    return std::to_string(place.first) + "." + std::to_string(place.second);
}

// `at`: the revision and the log line told last.
bool tell_log(const Stream& to, const std::string& id, Place& at) {
    const auto lines = to.founder.log_after(id, at.second);
    if (!lines) return false;
    for (const link::LogLine& line : *lines) {
        at.second = line.seq;
        const Node document = log_document({line});
        if (!to.write(event("log", id_of(at), document.items().front()))) return false;
    }
    return true;
}

void follow_one(const Stream& to, const std::string& id, const std::optional<Place>& since) {
    const auto first = to.founder.join(id);
    if (!first) return;
    // The lines of before are in the join itself; from here on each comes as an event.
    Place at{-1, first->record.log_lines};
    const bool is_ours = since && since->first <= first->record.revision && since->second >= 0 &&
                         since->second <= first->record.log_lines;
    if (is_ours) at = *since;
    follow(to, [&] {
        const auto now = to.founder.join(id);
        if (!now) return false;
        if (now->record.revision != at.first) {
            at.first = now->record.revision;
            if (!to.write(event("join", id_of(at), join_event(now->record)))) return false;
        }
        if (!tell_log(to, id, at)) return false;
        return !info_of(now->record.state).is_terminal;
    });
}

void follow_all(const Stream& to, std::int64_t since) {
    follow(to, [&] {
        while (true) {
            const auto changed = to.founder.changed_joins(since, kPiece);
            if (!changed) return false;
            for (const JoinRecord& join : changed->joins) {
                since = join.change;
                if (!to.write(event("join", std::to_string(since), join_event(join)))) return false;
            }
            if (changed->is_end) return true;
        }
    });
}

RouteAnswer one(const Call& call) {
    const auto there = call.founder.join(call.id());
    if (!there) return tl::make_unexpected(there.error());
    return event_stream([founder = &call.founder, bearer = bearer_of(call.request).value_or(""),
                         id = call.id(),
                         since = place_of(call.request)](const link::StreamWriter& write) {
        follow_one({*founder, bearer, write}, id, since);
    });
}

RouteAnswer all(const Call& call) {
    const auto place = place_of(call.request).value_or(Place{});
    return event_stream(
        [founder = &call.founder, bearer = bearer_of(call.request).value_or(""),
         since = std::max<std::int64_t>(place.first, 0)](const link::StreamWriter& write) {
            follow_all({*founder, bearer, write}, since);
        });
}

constexpr std::array kRoutes = {
    Route{"GET", "/v1/admin/cluster/joins/{joinId}/events", "ha:GetNodeJoin", "", one, "",
          "text/event-stream"},
    Route{"GET", "/v1/admin/cluster/events", "ha:ListNodeJoins", "", all, "", "text/event-stream"},
};

} // namespace

std::span<const Route> event_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
