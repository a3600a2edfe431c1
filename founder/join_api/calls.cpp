#include "founder/join_api/calls.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/link/http_answer.hpp"
#include "common/link/http_values.hpp"

namespace stratum::founder::join_api {
namespace {

constexpr std::int64_t kLongestWaitMs = 30'000;
// Another founder on the same store announces nothing here: so the store is looked at this often.
constexpr std::int64_t kLookAgainMs = 1'000;

std::string etag_of(const link::JoinerView& view) {
    return '"' + std::to_string(view.revision) + '"';
}

using link::json_answer;

link::ServerAnswer view_answer(const link::JoinerView& view) {
    link::ServerAnswer answer = json_answer(link::to_node(view));
    answer.headers.emplace_back("ETag", etag_of(view));
    return answer;
}

CallAnswer view_or_problem(const Answer<link::JoinerView>& view) {
    if (!view) return tl::make_unexpected(view.error());
    return view_answer(*view);
}

link::ServerAnswer not_modified(const link::JoinerView& view) {
    link::ServerAnswer answer = link::empty_answer(304);
    answer.headers.emplace_back("ETag", etag_of(view));
    return answer;
}

CallAnswer file_answer(const Answer<HashedFile>& file, const char* content_type) {
    if (!file) return tl::make_unexpected(file.error());
    link::ServerAnswer answer;
    answer.content_type = content_type;
    answer.body = file->bytes;
    answer.headers.emplace_back("X-Content-SHA256", file->sha256);
    answer.headers.emplace_back("ETag", '"' + file->sha256 + '"');
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

link::Problem bad_wait() {
    Findings findings;
    findings.add(FieldPath().key("wait"), "not a whole number of seconds");
    return link::invalid_input(findings);
}

} // namespace

CallAnswer post_registration(const Call& call) {
    const auto registered = call.founder.register_key(call.body, call.key, call.caller());
    if (!registered) return tl::make_unexpected(registered.error());
    return json_answer(link::to_node(registered->answer), registered->made ? 201 : 200);
}

CallAnswer post_reveal(const Call& call) {
    return view_or_problem(call.founder.reveal(call.id, call.body, call.key, call.caller()));
}

CallAnswer put_inventory(const Call& call) {
    return view_or_problem(call.founder.put_inventory(call.id, call.body, call.key, call.caller()));
}

CallAnswer get_view(const Call& call) {
    const auto wait = call.request.parameter("wait");
    const auto seconds = wait ? parse_decimal(*wait) : std::optional<std::uint64_t>(0);
    if (!seconds) return tl::make_unexpected(bad_wait());
    const auto known = call.request.header("If-None-Match");
    std::int64_t left_ms = std::min<std::int64_t>(
        static_cast<std::int64_t>(std::min<std::uint64_t>(*seconds, 30)) * 1000, kLongestWaitMs);
    const auto watch = call.founder.watch_join(call.id);
    for (;;) {
        const auto view = call.founder.joiner_view(call.id, call.key);
        if (!view) return tl::make_unexpected(view.error());
        if (!known || !link::lists_etag(*known, etag_of(*view))) return view_answer(*view);
        if (left_ms <= 0 || call.founder.is_stopping()) return not_modified(*view);
        // Many wait: this one's connection is wanted by somebody who has none yet.
        if (call.request.is_crowded && call.request.is_crowded()) {
            link::ServerAnswer sooner = not_modified(*view);
            sooner.close = true;
            return sooner;
        }
        const std::int64_t before = call.founder.clock().steady_ms();
        const std::int64_t slice = std::min(left_ms, kLookAgainMs);
        const bool changed = watch->wait(slice);
        // A clock that stands still (a test's) must not hold the call for ever.
        const std::int64_t passed = call.founder.clock().steady_ms() - before;
        left_ms -= changed ? passed : std::max(passed, slice);
    }
}

CallAnswer get_node_yaml(const Call& call) {
    return file_answer(call.founder.node_yaml(call.id, call.key), "application/yaml");
}

CallAnswer get_bundle(const Call& call) {
    return file_answer(call.founder.bundle(call.id, call.key), "application/x-tar");
}

CallAnswer post_progress(const Call& call) {
    const auto last = call.founder.progress(call.id, call.body, call.key, call.caller());
    if (!last) return tl::make_unexpected(last.error());
    Node body = Node::object();
    body.set("lastSeq", Node::integer(*last));
    return json_answer(body);
}

CallAnswer post_heartbeat(const Call& call) {
    const auto answer = call.founder.heartbeat(call.body, call.key);
    if (!answer) return tl::make_unexpected(answer.error());
    return json_answer(link::to_node(*answer));
}

} // namespace stratum::founder::join_api
