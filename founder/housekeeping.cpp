#include "founder/housekeeping.hpp"

#include "founder/audit.hpp"
#include "founder/given.hpp"

namespace stratum::founder {
namespace {

// A clock that was put back must not stop it for as long.
bool is_due(std::atomic<std::int64_t>& last, std::int64_t now, std::int64_t every) {
    const std::int64_t before = last.load();
    if (before <= now && now - before < every) return false;
    last = now;
    return true;
}

} // namespace

Status take_up_rates(Context& context) {
    return context.store.read([&](Transaction& tx) -> Status {
        Ledger ledger(tx);
        context.rates.restore(ledger);
        return ledger.status();
    });
}

Status keep_house(Context& context, bool last) {
    const std::int64_t now = context.clock.unix_seconds();
    const bool rates = is_due(context.rates_written_at, now, kWriteRatesEverySeconds) || last;
    const bool forget = is_due(context.forgot_at, now, kForgetEverySeconds);
    if (!rates && !forget) return {};
    return context.store.write([&](Transaction& tx) -> Result<Ending> {
        Ledger ledger(tx);
        bool changed = rates && context.rates.write_down(ledger, now);
        changed |= tell_refusal_counts(context, ledger, last);
        if (forget) {
            changed |= forget_given(ledger, now);
            changed |= forget_full_buckets(ledger, now);
        }
        if (!ledger.status()) return tl::make_unexpected(ledger.status().error());
        return changed ? Ending::kCommit : Ending::kRollBack;
    });
}

} // namespace stratum::founder
