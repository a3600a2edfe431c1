// What every part of the founder stands on, and the two ways to the store: `change` and `look`. A
// part is a set of functions over a Context and a Ledger; it keeps nothing of its own.
#pragma once

#include <atomic>
#include <optional>
#include <utility>

#include "common/config/node_config.hpp"
#include "common/health/board.hpp"
#include "founder/answer_cache.hpp"
#include "founder/changes.hpp"
#include "founder/founder.hpp"
#include "founder/rates.hpp"
#include "founder/refusals.hpp"
#include "founder/sample_desk.hpp"
#include "founder/store/ledger.hpp"

namespace stratum::founder {

struct Context {
    Store& store;
    Clock& clock;
    Files& files;
    FounderOptions options;
    config::NodeConfig config; // the first node's own, as init was given it
    Changes changes{};
    AnswerCache answers{};
    VersionCache<TokenRecord> known_tokens{64}; // by hash
    SampleDesk samples{};
    health::Board health{}; // the configured checks; whoever serves keeps it up to date
    std::atomic<std::uint16_t> join_port{0};
    Refusals refusals{};
    std::atomic<std::int64_t> unwritten_wrong_codes{0};
    Rates rates{};
    std::atomic<std::int64_t> rates_written_at{0}; // see housekeeping.hpp
    std::atomic<std::int64_t> forgot_at{0};
};

// What a change decided: its answer, and whether what it wrote is kept. A refusal can keep (a
// failed reveal ends the join), a value can be dropped (a dry run).
template<class T>
struct Decision {
    Answer<T> answer;
    Ending ending;
};

template<class T>
Decision<T> kept(T value) {
    return {std::move(value), Ending::kCommit};
}
inline Decision<void> kept() {
    return {Answer<void>(), Ending::kCommit};
}
template<class T>
Decision<T> dropped(T value) {
    return {std::move(value), Ending::kRollBack};
}
template<class T>
Decision<T> refused(link::Problem problem) {
    return {tl::make_unexpected(std::move(problem)), Ending::kRollBack};
}
template<class T>
Decision<T> refused_but_kept(link::Problem problem) {
    return {tl::make_unexpected(std::move(problem)), Ending::kCommit};
}

link::Problem problem(link::ProblemCode code, std::string detail);
// A fault of the store: told to the log, and answered as 500.
link::Problem store_problem(const Context& context, const Error& error);

// One change of the store: `work` is Ledger& -> Decision<T>.
template<class T, class Work>
Answer<T> change(Context& context, const Work& work) {
    std::optional<Decision<T>> decision;
    std::vector<std::string> joins;
    const Status done = context.store.write([&](Transaction& tx) -> Result<Ending> {
        Ledger ledger(tx);
        decision.emplace(work(ledger));
        joins = ledger.changed_joins();
        if (!ledger.status()) return tl::make_unexpected(ledger.status().error());
        return decision->ending;
    });
    if (!done) return tl::make_unexpected(store_problem(context, done.error()));
    if (decision->ending == Ending::kCommit) context.changes.announce(joins);
    return std::move(decision->answer);
}

// One look at the store: `work` is Ledger& -> Answer<T>.
template<class T, class Work>
Answer<T> look(Context& context, const Work& work) {
    std::optional<Answer<T>> answer;
    const Status done = context.store.read([&](Transaction& tx) -> Status {
        Ledger ledger(tx);
        answer.emplace(work(ledger));
        return ledger.status();
    });
    if (!done) return tl::make_unexpected(store_problem(context, done.error()));
    return std::move(*answer);
}

} // namespace stratum::founder
