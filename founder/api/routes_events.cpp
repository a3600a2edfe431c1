// Server-Sent Events (the HTML standard, section 9.2): what happens to one join, or to all, as it
// happens. Events are `join` (the summary with steps, whenever its revision moves) and, for one
// join, `log` (one line).
#include <array>
#include <map>

#include "founder/api/route.hpp"
#include "founder/documents.hpp"

namespace stratum::founder::api {
namespace {

// A comment this often keeps proxies and clients from taking the stream for dead.
constexpr std::int64_t kBeatMs = 15'000;
constexpr std::size_t kWatchedJoins = 200;

std::string event(std::string_view name, const Node& data) {
    return "event: " + std::string(name) + "\ndata: " + write_json(data) + "\n\n";
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

bool tell_log(const Stream& to, const std::string& id, std::int64_t& last) {
    const auto lines = to.founder.log_after(id, last);
    if (!lines) return false;
    for (const link::LogLine& line : *lines) {
        last += 1;
        const Node document = log_document({line});
        if (!to.write(event("log", document.items().front()))) return false;
    }
    return true;
}

void follow_one(const Stream& to, const std::string& id) {
    std::int64_t revision = -1;
    const auto first = to.founder.join(id);
    if (!first) return;
    // The lines of before are in the join itself; from here on each comes as an event.
    std::int64_t last_line = first->record.log_lines;
    follow(to, [&] {
        const auto now = to.founder.join(id);
        if (!now) return false;
        if (now->record.revision != revision) {
            revision = now->record.revision;
            if (!to.write(event("join", join_event(now->record)))) return false;
        }
        if (!tell_log(to, id, last_line)) return false;
        return !info_of(now->record.state).is_terminal;
    });
}

void follow_all(const Stream& to) {
    std::map<std::string, std::int64_t> revisions;
    follow(to, [&] {
        const auto page = to.founder.joins({{}, kWatchedJoins, ""});
        if (!page) return false;
        for (auto join = page->joins.rbegin(); join != page->joins.rend(); ++join) {
            auto [at, is_new] = revisions.try_emplace(join->id, -1);
            if (at->second == join->revision) continue;
            at->second = join->revision;
            if (!to.write(event("join", join_event(*join)))) return false;
        }
        return true;
    });
}

RouteAnswer one(const Call& call) {
    const auto there = call.founder.join(call.id());
    if (!there) return tl::make_unexpected(there.error());
    return event_stream([founder = &call.founder, bearer = bearer_of(call.request).value_or(""),
                         id = call.id()](const link::StreamWriter& write) {
        follow_one({*founder, bearer, write}, id);
    });
}

RouteAnswer all(const Call& call) {
    return event_stream([founder = &call.founder, bearer = bearer_of(call.request).value_or("")](
                            const link::StreamWriter& write) {
        follow_all({*founder, bearer, write});
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
