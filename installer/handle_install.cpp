// installing: one attempt, from what was delivered to its result.
#include "installer/attempt_report.hpp"
#include "installer/delivery.hpp"
#include "installer/driver.hpp"
#include "installer/handlers.hpp"

namespace stratum::installer {
namespace {

constexpr std::int64_t kReportEveryMs = 1000;
constexpr std::int64_t kReachableMs = 5000;

bool is_founder_reachable(Session& session, const std::vector<HostPort>& founders) {
    FounderWire wire(session.seams().make_client, &session.key());
    wire.set_founder(founders, session.record().founder_key);
    link::HttpRequest request;
    request.path = "/v1/join/registrations/" + session.record().pairing->join_id;
    request.timeout_ms = kReachableMs;
    const auto answer = wire.send(request);
    // Any answer over the pinned key counts: it is the way there that is asked about.
    return answer || answer.error().kind == Refusal::Kind::kProblem;
}

DriveResult run_attempt(Session& session, Journal& journal, const Delivery& delivery) {
    make_reporter(session);
    const std::vector<HostPort> founders = session.record().founders;
    DriveInput input{session.options(),
                     session.seams(),
                     journal,
                     *session.reporter,
                     delivery.node,
                     delivery.node_yaml,
                     delivery.bundle_tar,
                     {},
                     {},
                     {},
                     {},
                     {}};
    input.look = [&] { return session.look(); };
    input.founder_reachable = [&] { return is_founder_reachable(session, founders); };
    input.show = [&] { show_steps(session); };
    input.say = [&](const std::string& line) { session.say(line); };
    input.sleep_ms = [&](std::int64_t wait_ms) { return !session.seams().wait(wait_ms).stop; };
    std::unique_ptr<Background> background;
    if (session.seams().start_background) {
        background = session.seams().start_background(
            [reporter = session.reporter.get()] { (void)reporter->flush(false); }, kReportEveryMs);
    }
    return drive(input);
}

// After a restart the founder may know better: rejected, retried, already told of a failure.
std::optional<Next> resume(Session& session) {
    if (!session.resumed) return std::nullopt;
    session.resumed = false;
    session.say("goes on after a restart");
    FounderWire& wire = session.wire();
    const std::string id = session.record().pairing->join_id;
    const auto answer = session.during([&] { return get_view(wire, id, "", 0); });
    if (!answer) return std::nullopt; // the network may be what the next phase repairs
    session.answered();
    const auto event = event_of_view(answer->view->state);
    const bool is_same =
        event == JoinerEvent::kSeenDelivering && answer->view->attempt == session.record().attempt;
    if (is_same) return std::nullopt;
    return take_view(session, *answer->view);
}

} // namespace

Next install(Session& session) {
    if (!session.record().result.empty()) return tell_result(session);
    if (auto next = resume(session)) return *next;
    const JoinerRecord& record = session.record();
    const auto delivery = read_delivery(session);
    if (!delivery) {
        session.say("what was delivered is fetched again: " + delivery.error().message);
        return session.enter(JoinerEvent::kSeenDelivering, record, {});
    }
    auto journal = Journal::open(session.seams().files, session.file(kJournalFile));
    if (!journal) return refuse_delivery(session, journal.error().message);
    const auto begun = journal->begin(record.pairing->join_id, record.attempt,
                                      record.node_yaml_sha256, record.bundle_sha256);
    if (!begun) return session.retry({"The journal cannot be stored.", begun.error().message, ""});
    const DriveResult result = run_attempt(session, *journal, *delivery);
    switch (result.kind) {
    case DriveResult::Kind::kDone:
        return end_attempt(session, "joined", {"Everything is done; tells the founder.", "", ""});
    case DriveResult::Kind::kFailed:
        return end_attempt(session, "failed", {"Failed at: " + result.title, result.error, ""});
    case DriveResult::Kind::kRefused: {
        session.reporter.reset();
        const Next next = look_again(session);
        return next.kind == Next::Kind::kNow ? Next{Next::Kind::kWait, 1000} : next;
    }
    case DriveResult::Kind::kStopped:
        break;
    }
    return {Next::Kind::kStop, 0};
}

} // namespace stratum::installer
