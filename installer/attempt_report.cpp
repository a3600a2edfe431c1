#include "installer/attempt_report.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "installer/delivery.hpp"
#include "installer/handlers.hpp"
#include "installer/journal.hpp"

namespace stratum::installer {
namespace {

// The fault of no one step: the delivery was refused.
link::Step delivery_step(Session& session, const std::string& why) {
    link::Step step;
    step.name = "join";
    step.title = "Taking what the founder delivered";
    step.status = link::StepStatus::kFailed;
    step.error = why;
    step.started_at = step.finished_at = session.seams().clock.unix_seconds();
    return step;
}

// Where a step stands in the order of an installation; the bundle's steps are one place together.
std::size_t place_of(const InstallSteps& all, const std::string& name) {
    const auto before = std::ranges::find(all.before_join, name, &Phase::name);
    if (before != all.before_join.end()) {
        return static_cast<std::size_t>(before - all.before_join.begin());
    }
    const auto after = std::ranges::find(all.after_join, name, &Phase::name);
    const std::size_t behind = after == all.after_join.end()
                                   ? 0
                                   : static_cast<std::size_t>(after - all.after_join.begin()) + 1;
    return all.before_join.size() + behind;
}

// After a restart nothing but the journal knows how far the steps came; what was told then may have
// been lost on the way.
void recall_steps(Session& session) {
    const JoinerRecord& record = session.record();
    const auto journal = Journal::open(session.seams().files, session.file(kJournalFile));
    std::vector<link::Step> steps;
    if (journal && journal->state().join_id == record.pairing->join_id &&
        journal->state().attempt == record.attempt) {
        for (const auto& [name, step] : journal->state().steps) steps.push_back(step);
    }
    std::ranges::stable_sort(steps, {}, [&](const link::Step& step) {
        return std::pair(place_of(session.seams().steps, step.name),
                         step.started_at.value_or(INT64_MAX));
    });
    const bool is_told = std::ranges::any_of(
        steps, [](const link::Step& step) { return step.status == link::StepStatus::kFailed; });
    if (record.result == "failed" && !is_told)
        steps.push_back(delivery_step(session, record.error));
    for (const link::Step& step : steps) session.reporter->set_step(step);
}

} // namespace

// Its own connection: reports go out from another thread than the session's calls.
void make_reporter(Session& session) {
    if (session.reporter) return;
    const JoinerRecord& record = session.record();
    const auto wire = std::make_shared<FounderWire>(session.seams().make_client, &session.key());
    wire->set_founder(record.founders, record.founder_key);
    session.reporter = std::make_unique<Reporter>(
        record.attempt, session.seams().clock,
        [wire, id = record.pairing->join_id](const link::Progress& progress) {
            return post_progress(*wire, id, progress);
        });
    recall_steps(session);
}

void show_steps(Session& session) {
    session.shown().steps = session.reporter->steps();
    session.publish();
}

// The result stands in the record before it is told; told again and again until it is known.
Next tell_result(Session& session) {
    const JoinerRecord& record = session.record();
    make_reporter(session);
    session.reporter->set_result(record.result);
    Reporter& reporter = *session.reporter;
    const auto told = session.during([&] { return reporter.flush(true); });
    if (!told && session.reporter->is_refused()) {
        session.reporter.reset();
        return look_again(session);
    }
    if (!told) return session.retry(told.error());
    session.answered();
    session.reporter.reset();
    JoinerRecord next = record;
    next.result.clear();
    if (record.result == "joined") {
        forget_bundle(session); // it holds secrets
        return session.enter(JoinerEvent::kAllDone, std::move(next),
                             {"It is now " + record.name + " (" + record.node_id + ").", "", ""});
    }
    const std::string id = record.pairing->join_id;
    return session.enter(JoinerEvent::kStepFailed, std::move(next),
                         {record.message, record.error,
                          "On the founder: stratumctl admin joins retry " + id + " (or reject)"});
}

// Stores how the attempt ended, with the words for the console; the next run tells the founder.
Next end_attempt(Session& session, const std::string& result, const Words& words) {
    JoinerRecord next = session.record();
    next.result = result;
    next.message = words.message;
    next.error = words.error;
    if (const auto kept = session.keep(std::move(next)); !kept) {
        return session.retry({"This machine's state cannot be stored.", kept.error().message, ""});
    }
    return {};
}

Next refuse_delivery(Session& session, const std::string& why) {
    make_reporter(session);
    session.reporter->set_step(delivery_step(session, why));
    session.reporter->log("the delivery is refused: " + why);
    show_steps(session);
    return end_attempt(session, "failed", {"What the founder delivered is refused.", why, ""});
}

} // namespace stratum::installer
