#include "installer/join.hpp"

#include <algorithm>

#include "installer/handlers.hpp"

namespace stratum::installer {
namespace {

constexpr std::int64_t kTickMs = 1000;

struct Handler {
    JoinerState state;
    Next (*run)(Session&);
};

constexpr Handler kHandlers[] = {
    {JoinerState::kNeedsCode, need_code},
    {JoinerState::kConnecting, connect},
    {JoinerState::kRegistering, register_machine},
    {JoinerState::kRevealing, reveal},
    {JoinerState::kWaiting, poll},
    {JoinerState::kNeedsUpgrade, poll},
    {JoinerState::kQueued, poll},
    {JoinerState::kFetching, fetch},
    {JoinerState::kInstalling, install},
    {JoinerState::kFailed, poll},
    {JoinerState::kEnded, wait_for_key_press},
    {JoinerState::kStopped, wait_for_key_press},
};

// Waits as `next` says, in ticks, so that a countdown moves on the console. False: the program
// should end.
bool wait_for(Session& session, const Next& next) {
    const Clock& clock = session.seams().clock;
    const std::int64_t until = clock.steady_ms() + next.wait_ms;
    while (!session.seams().stopping || !session.seams().stopping()) {
        const bool asks = next.kind == Next::Kind::kAsk;
        const std::int64_t left = asks ? kTickMs : until - clock.steady_ms();
        if (left <= 0) return true;
        if (session.shown().retry && !asks) {
            session.shown().retry->seconds_left = (left + kTickMs - 1) / kTickMs;
            session.publish();
        }
        Waited waited;
        waited.line = session.take_typed();
        if (!waited.line) waited = session.seams().wait(std::min(left, kTickMs));
        if (waited.stop) return false;
        if (!waited.line) continue;
        const Next after = take_line(session, *waited.line);
        if (after.kind == Next::Kind::kNow) return true;
        if (after.kind == Next::Kind::kWait) return wait_for(session, after);
    }
    return false;
}

} // namespace

Next run_state(Session& session) {
    const auto* row = std::ranges::find(kHandlers, session.state(), &Handler::state);
    return row->run(session);
}

Result<JoinOutcome> run_join(const JoinOptions& options, JoinSeams& seams) {
    Session session(options, seams);
    if (const auto opened = session.open(); !opened) return tl::make_unexpected(opened.error());
    while (true) {
        if (row_of(session.state()).is_final) return JoinOutcome::kJoined;
        if (seams.stopping && seams.stopping()) return JoinOutcome::kStopped;
        const Next next = run_state(session);
        if (next.kind == Next::Kind::kStop) return JoinOutcome::kStopped;
        if (next.kind != Next::Kind::kNow && !wait_for(session, next)) return JoinOutcome::kStopped;
    }
}

} // namespace stratum::installer
