// needs-code, connecting, ended, stopped; and what somebody types.
#include "installer/handlers.hpp"

#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kPrompt =
    "Join code (a short one with the founder's address beside it):";
constexpr std::string_view kTypeCode =
    "Make a join code on the founder (stratumctl admin join-codes create) and type it here.";

Next begin(Session& session, const GivenCode& code) {
    session.try_used_code = false;
    session.deliveries_refused = 0;
    session.pairing_since_ms.reset();
    session.reporter.reset();
    session.shown().steps.clear();
    JoinerRecord next = begin_with(session.record(), code);
    if (next.new_key_wanted) {
        if (const auto made = session.replace_key(); !made) {
            return session.retry({"No new key can be made.", made.error().message, ""});
        }
        next.new_key_wanted = false;
    }
    return session.enter(JoinerEvent::kCodeGiven, std::move(next),
                         {"The join code comes from " + code.origin + ".", "", ""});
}

// Who stands before the console sees which machine this is, whatever becomes of the founder.
void show_machine(Session& session) {
    if (!session.shown().machine.empty()) return;
    if (const auto seen = session.look(); !seen) session.say(seen.error().message);
}

Next ask(Session& session, const std::string& why_not) {
    JoinProgress& shown = session.shown();
    shown.prompt = kPrompt;
    if (shown.next_step.empty()) shown.next_step = kTypeCode;
    if (shown.message.empty()) shown.message = "This machine has no join code yet.";
    if (!why_not.empty()) shown.error = why_not;
    session.publish();
    return {Next::Kind::kAsk, 0};
}

// A typed code of whatever the state is; the reason where it is none.
Next begin_typed(Session& session, const std::string& line) {
    std::string founder = session.options().code.founder;
    const auto& known = session.record().founders;
    if (founder.empty() && !known.empty()) founder = known.front().str();
    const auto code = parse_code_line(line, founder);
    if (code) return begin(session, *code);
    return ask(session, code.error().message);
}

} // namespace

Next need_code(Session& session) {
    const CodeSearch search = find_code(session.options().code);
    for (const std::string& complaint : search.complaints) session.say(complaint);
    if (search.code && (session.try_used_code || is_untried(session.record(), search.code->code))) {
        return begin(session, *search.code);
    }
    session.try_used_code = false;
    show_machine(session);
    return ask(session, search.complaints.empty() ? "" : search.complaints.front());
}

Next connect(Session& session) {
    show_machine(session);
    JoinerRecord next = session.record();
    next.nonce = link::random_nonce();
    if (next.founder_key) {
        return session.enter(JoinerEvent::kFounderFound, std::move(next),
                             {"The founder's key came with the join code.", "", ""});
    }
    std::string reasons;
    for (const HostPort& founder : session.record().founders) {
        const auto key = session.during([&] { return session.seams().ask_key(founder); });
        if (key) {
            next.founder_key = *key;
            next.founders = {founder};
            return session.enter(JoinerEvent::kFounderFound, std::move(next),
                                 {"Somebody answers at " + founder.str() +
                                      " and must now prove that it knows the join code.",
                                  "", ""});
        }
        reasons += (reasons.empty() ? "" : "; ") + at_address(founder, key.error().message);
    }
    return session.retry({"The founder is not reached.", reasons,
                          "Check the cable, the founder's address, and that it runs; or type a "
                          "code with another address."});
}

// A code that was not tried yet (a new kernel command line, a new file) needs nobody.
Next wait_for_key_press(Session& session) {
    const CodeSearch search = find_code(session.options().code);
    if (search.code && is_untried(session.record(), search.code->code) &&
        !session.record().new_key_wanted) {
        return session.enter(JoinerEvent::kStartAgain, session.record(), {});
    }
    if (session.shown().prompt.empty()) {
        session.shown().prompt = "Enter starts again, with a code typed here or the one at hand:";
        session.publish();
    }
    return {Next::Kind::kAsk, 0};
}

Next take_line(Session& session, const std::string& line) {
    const bool is_empty = trim(line).empty();
    const bool has_ended =
        session.state() == JoinerState::kEnded || session.state() == JoinerState::kStopped;
    if (has_ended) {
        session.try_used_code = true;
        const Next next = session.enter(JoinerEvent::kStartAgain, session.record(), {});
        if (session.state() != JoinerState::kNeedsCode || is_empty) return next;
    } else if (is_empty) {
        session.try_used_code = session.state() == JoinerState::kNeedsCode;
        return {};
    }
    // In the middle of a join a code begins another one: only in trouble, and only where the table
    // has that arrow. Anything else that is typed there is not ours.
    const bool is_asked = session.state() == JoinerState::kNeedsCode || session.shown().retry;
    if (!is_asked || !next_state(session.state(), JoinerEvent::kCodeGiven)) {
        return {Next::Kind::kAsk, 0};
    }
    return begin_typed(session, line);
}

} // namespace stratum::installer
