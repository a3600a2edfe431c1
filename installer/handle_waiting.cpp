// waiting, needs-upgrade, queued, failed: asks how the join stands, and tells what has changed
// here.
#include "common/base/text.hpp"
#include "installer/handlers.hpp"
#include "installer/hardware_hash.hpp"

namespace stratum::installer {
namespace {

constexpr int kHeldSeconds = 30;
// A founder with many waiting joiners answers sooner than asked; then this paces them.
constexpr std::int64_t kQuickAnswerMs = 5000;

Words words_of(const link::JoinerView& view, const JoinerRecord& record) {
    using State = JoinerState;
    const auto event = event_of_view(view.state);
    const State to = next_state(record.state, *event).value_or(record.state);
    const std::string ctl = "stratumctl admin joins ";
    switch (to) {
    case State::kWaiting:
        return {"An admin compares this code with the founder's and approves.", "",
                "On the founder: " + ctl + "show " + view.id};
    case State::kNeedsUpgrade: {
        Words words{"The cluster runs another release than this machine.", view.failed_error, ""};
        if (view.upgrade) {
            words.message = "This machine has release " + view.upgrade->from +
                            ", the cluster runs " + view.upgrade->to + ".";
            words.next_step = "Boot this machine with release " + view.upgrade->to + ".";
        }
        return words;
    }
    case State::kQueued:
        return {view.wait_reason.empty() ? "It is this machine's turn soon." : view.wait_reason, "",
                ""};
    case State::kFetching:
        return {"The founder delivers node.yaml and the bundle.", "", ""};
    case State::kFailed: {
        const std::string& title =
            view.failed_step_title.empty() ? view.failed_step : view.failed_step_title;
        return {"Failed at: " + (title.empty() ? "the installation" : title), view.failed_error,
                "On the founder: " + ctl + "retry " + view.id + " (or reject)"};
    }
    case State::kEnded:
        return {"The founder says: " + view.state +
                    (view.ended_reason.empty() ? "." : ", " + view.ended_reason),
                "", "Press Enter to start again; it needs a join code."};
    default:
        return {};
    }
}

// Of the attempt we are at or were at: what the founder still says of it, not news.
bool is_old_news(JoinerState state, const link::JoinerView& view, const JoinerRecord& record) {
    const auto event = event_of_view(view.state);
    const bool goes_on =
        event == JoinerEvent::kSeenApproved || event == JoinerEvent::kSeenDelivering;
    const bool was_at_it = state == JoinerState::kFailed || state == JoinerState::kInstalling;
    return was_at_it && goes_on && view.attempt <= record.attempt;
}

// Sends the hardware again where it has changed since the founder saw it. A view of an answered
// call follows anyway, so a conflict (just approved) needs no handling of its own.
std::optional<Next> tell_changes(Session& session) {
    constexpr std::int64_t kSoonMs = 1000;
    const auto due_in_ms = session.look_due_in_ms();
    if (due_in_ms.value_or(kSoonMs + 1) > kSoonMs) return std::nullopt;
    // Not worth a call that would be cut short.
    if (*due_in_ms > 0) return Next{Next::Kind::kWait, *due_in_ms};
    const auto inventory = session.look();
    if (!inventory) {
        session.say("the hardware cannot be read: " + inventory.error().message);
        return std::nullopt;
    }
    const Node document = facts::to_node(*inventory);
    JoinerRecord next = session.record();
    next.inventory_sha256 = hardware_sha256(*inventory);
    if (next.inventory_sha256 == session.record().inventory_sha256) return std::nullopt;
    FounderWire& wire = session.wire();
    const auto sent =
        session.during([&] { return put_inventory(wire, next.pairing->join_id, document); });
    if (!sent && sent.error().code == "JOIN_STATE_CONFLICT") return std::nullopt;
    if (!sent) {
        session.looked_at_ms.reset();
        return take_refusal(session, sent.error());
    }
    session.say("told the founder about changed hardware");
    if (const auto kept = session.keep(std::move(next)); !kept) session.say(kept.error().message);
    return std::nullopt;
}

} // namespace

Next take_refusal(Session& session, const Refusal& refusal) {
    const RefusalRow& row = row_of(refusal);
    const Words words{std::string(row.message), refusal.message, std::string(row.next_step)};
    JoinerRecord next = session.record();
    if (row.remedy == Remedy::kEnded) {
        return session.enter(JoinerEvent::kSeenEnded, std::move(next), words);
    }
    if (row.remedy == Remedy::kNewKey) next.new_key_wanted = true;
    if (row.remedy == Remedy::kNewKey || row.remedy == Remedy::kStop) {
        return session.enter(JoinerEvent::kRefused, std::move(next), words);
    }
    return session.retry(refusal);
}

Next take_view(Session& session, const link::JoinerView& view) {
    session.heard_time(view.server_time);
    const JoinerRecord& record = session.record();
    const auto event = event_of_view(view.state);
    if (!event) {
        return session.retry({"The founder's answer is not understood.",
                              "it calls this join “" + view.state + "”",
                              "Compare the releases of both."});
    }
    if (event == JoinerEvent::kSeenJoined && !next_state(record.state, *event)) {
        return session.enter(JoinerEvent::kRefused, record,
                             {"The founder says that this machine has joined, but it did not.",
                              "nothing here says that the installation was finished",
                              "Remove that member on the founder, then press Enter."});
    }
    if (is_old_news(record.state, view, record)) return {Next::Kind::kWait, 1000};
    JoinerRecord next = record;
    next.node_id = view.node_id;
    next.name = view.name;
    if (next_state(record.state, *event) == JoinerState::kFetching) {
        next.attempt = view.attempt;
        next.node_yaml_sha256 = lower(view.node_yaml_sha256);
        next.bundle_sha256 = lower(view.bundle_sha256);
        next.result.clear();
        session.reporter.reset();
    }
    return session.enter(*event, std::move(next), words_of(view, record));
}

Next look_again(Session& session) {
    FounderWire& wire = session.wire();
    const std::string id = session.record().pairing->join_id;
    const auto answer = session.during([&] { return get_view(wire, id, "", 0); });
    if (!answer) return take_refusal(session, answer.error());
    session.answered();
    session.etag = answer->etag;
    return take_view(session, *answer->view);
}

Next poll(Session& session) {
    const JoinerRecord& record = session.record();
    const JoinerState before = record.state;
    const bool may_change =
        record.state == JoinerState::kWaiting || record.state == JoinerState::kNeedsUpgrade;
    if (may_change && record.release != session.options().release) {
        return session.enter(JoinerEvent::kReleaseChanged, record,
                             {"This program is another release now; it registers again.", "", ""});
    }
    if (record.state == JoinerState::kWaiting) {
        if (const auto trouble = tell_changes(session)) return *trouble;
    }
    const std::int64_t asked_at = session.seams().clock.steady_ms();
    FounderWire& wire = session.wire();
    const std::string id = record.pairing->join_id;
    const auto held = [&wire, id, etag = session.etag] {
        return get_view(wire, id, etag, kHeldSeconds);
    };
    // Only what waits for its approval has anything to tell meanwhile.
    const auto said = before == JoinerState::kWaiting ? session.while_nothing_changes(held)
                                                      : std::optional(session.during(held));
    if (!said) return {};
    const auto& answer = *said;
    if (!answer) return take_refusal(session, answer.error());
    session.answered();
    session.etag = answer->etag;
    Next next;
    if (answer->view) next = take_view(session, *answer->view);
    const bool was_quick = session.seams().clock.steady_ms() - asked_at < kQuickAnswerMs;
    if (was_quick && session.state() == before && next.kind == Next::Kind::kNow) {
        return {Next::Kind::kWait, 500 + session.seams().random_below(1000)};
    }
    return next;
}

} // namespace stratum::installer
