#include "founder/progress.hpp"

#include <algorithm>

#include "common/link/step_titles.hpp"
#include "founder/join_list.hpp"
#include "founder/lifecycle.hpp"

namespace stratum::founder {
namespace {

using Taken = Decision<std::int64_t>;

// True where at least one line is new.
bool keep_lines(Ledger& ledger, JoinRecord& join, const std::vector<link::LogLine>& lines) {
    const std::int64_t before = join.last_seq;
    for (link::LogLine line : lines) {
        if (line.seq <= join.last_seq) continue;
        join.last_seq = line.seq;
        line.seq = ++join.log_lines; // kept under its number in the whole join, attempts included
        ledger.put(log_line_id(join.id, line.seq), line);
        if (line.seq > kLogLinesKept)
            ledger.erase(Kind::kLogLine, log_line_id(join.id, line.seq - kLogLinesKept));
    }
    return join.last_seq != before;
}

bool keep_steps(JoinRecord& join, const std::vector<link::Step>& steps) {
    if (steps.empty() || steps == join.steps) return false;
    join.steps = steps;
    return true;
}

// Which step is to blame; where no step says it failed it is the join as a whole.
void set_failure(JoinRecord& join) {
    const auto failed =
        std::find_if(join.steps.begin(), join.steps.end(), [](const link::Step& step) {
            return step.status == link::StepStatus::kFailed;
        });
    const bool known = failed != join.steps.end();
    join.failed_step = known ? failed->name : "join";
    join.failed_step_title = link::step_title(join.failed_step, known ? failed->title : "");
    join.failed_error =
        known && !failed->error.empty() ? failed->error : "the machine said no more than that";
}

void make_member_joined(Ledger& ledger, const JoinRecord& join) {
    auto member = ledger.get<MemberRecord>(join.node_id);
    if (!member) {
        ledger.fault("a running join has no member row");
        return;
    }
    member->status = "joined";
    ledger.put(member->node_id, *member);
}

void finish(Ledger& ledger, JoinRecord& join, const std::string& result, const Occasion& occasion) {
    Occasion told = occasion;
    if (result == "joined") {
        make_member_joined(ledger, join);
    } else {
        set_failure(join);
        told.detail = join.failed_step + ": " + join.failed_error;
    }
    if (!enter(ledger, join, result == "joined" ? JoinEvent::kSucceeded : JoinEvent::kBroke, told))
        ledger.fault("a running join cannot end");
}

Taken of_running(Ledger& ledger, JoinRecord join, const link::Progress& report,
                 const Occasion& occasion) {
    const bool was_stalled = join.stalled;
    bool changed = keep_lines(ledger, join, report.log);
    changed |= keep_steps(join, report.steps);
    join.stalled = false;
    join.heard_at = occasion.now;
    if (join.state == JoinState::kDelivering && report.result != "failed") {
        if (!enter(ledger, join, JoinEvent::kReported, occasion))
            ledger.fault("a delivered join cannot report");
    } else if (changed || was_stalled) {
        touch(ledger, join, occasion.now);
    } else {
        store_quietly(ledger, join);
    }
    if (!report.result.empty()) finish(ledger, join, report.result, occasion);
    return kept(join.last_seq);
}

// An upgrade may fail and try again by itself; the join stays what it is.
Taken of_upgrade(Ledger& ledger, JoinRecord join, const link::Progress& report,
                 const Occasion& occasion) {
    const JoinRecord before = join;
    keep_lines(ledger, join, report.log);
    keep_steps(join, report.steps);
    if (report.result == "failed") set_failure(join);
    if (join == before) return kept(join.last_seq);
    join.heard_at = occasion.now;
    touch(ledger, join, occasion.now);
    return kept(join.last_seq);
}

// The run is over, its last lines may still be on their way.
Taken of_over(Ledger& ledger, JoinRecord join, const link::Progress& report,
              const Occasion& occasion) {
    if (keep_lines(ledger, join, report.log)) touch(ledger, join, occasion.now);
    return kept(join.last_seq);
}

Taken take(Ledger& ledger, const JoinRecord& join, const link::Progress& report,
           const Occasion& occasion) {
    const bool ended = !info_of(join.state).holds_key;
    if (ended)
        return refused<std::int64_t>(state_conflict(join, "this join is over on the founder"));
    if (report.attempt < join.attempt) return kept(std::int64_t{0});
    if (report.attempt > join.attempt)
        return refused<std::int64_t>(
            state_conflict(join, "it is at attempt " + std::to_string(join.attempt)));
    switch (join.state) {
    case JoinState::kDelivering:
    case JoinState::kInstalling:
        return of_running(ledger, join, report, occasion);
    case JoinState::kNeedsUpgrade:
        return of_upgrade(ledger, join, report, occasion);
    case JoinState::kJoined:
    case JoinState::kFailed:
        return of_over(ledger, join, report, occasion);
    default:
        return refused<std::int64_t>(
            state_conflict(join, "there is nothing to report before it is delivering"));
    }
}

} // namespace

Answer<std::int64_t> take_progress(Context& context, const std::string& id, const Node& body,
                                   const JoinerCall& call) {
    Findings findings;
    const link::Progress report = link::read_progress(body, findings);
    return change<std::int64_t>(context, [&](Ledger& ledger) {
        const auto join = join_of_key(ledger, id, call.key);
        if (!join) return refused<std::int64_t>(join.error());
        if (!findings.empty()) return refused<std::int64_t>(link::invalid_input(findings));
        return take(ledger, *join, report, {context.clock.unix_seconds(), call.caller, ""});
    });
}

} // namespace stratum::founder
