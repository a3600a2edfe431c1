// The audit: who did what to what, when, from where, with what result. Rows are only ever added,
// each chained to the one before (common/link/audit_chain.hpp), in the transaction that does what
// they tell; a refusal is told in one of its own. No secret stands in a row: what reads like a
// token or a code is taken out.
#pragma once

#include <string>

#include "founder/context.hpp"

namespace stratum::founder {

// When, by whom and why something happens.
struct Occasion {
    std::int64_t now = 0;
    Caller caller{"founder", "", ""};
    std::string detail; // for the audit
};

AuditRecord audit_of(const Occasion& occasion, const std::string& action,
                     const std::string& object);
// Numbers it, chains it and adds it.
void write_audit(Ledger& ledger, AuditRecord entry);
// A refusal, stamped with the present time and "refused"; or counted, where its actor has had its
// entries (refusals.hpp).
void audit_refusal(Context& context, const AuditRecord& entry);
// The same for a problem that is answered, once: its code and detail are the entry's. What failed
// inside (500) is no refusal.
void audit_refusal(Context& context, AuditRecord entry, link::Problem& why);
// Tells the counts of refusals without an entry that are due, or `all`. True where it wrote.
bool tell_refusal_counts(Context& context, Ledger& ledger, bool all);

// One page, newest first, and where the audit ends.
Answer<AuditPage> list_audit(Context& context, const AuditQuery& query);

// The row as the API writes it and as its hash is taken over it.
link::AuditEntry entry_of(const AuditRecord& record);

} // namespace stratum::founder
