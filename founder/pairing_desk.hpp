// The pairing desk: a machine's registration, its reveal and its inventory, in the order of checks
// that docs/protocol.md fixes. One run of a code is one guess: what is made at 201 never changes.
#pragma once

#include <string>

#include "common/facts/inventory.hpp"
#include "founder/context.hpp"
#include "founder/lifecycle.hpp"

namespace stratum::founder {

// A call on the join listener: whose key, from where.
struct JoinerCall {
    link::Fingerprint key;
    Caller caller;
};

Answer<Registered> register_key(Context& context, const Node& body, const JoinerCall& call);
Answer<link::JoinerView> reveal(Context& context, const std::string& id, const Node& body,
                                const JoinerCall& call);
Answer<link::JoinerView> put_inventory(Context& context, const std::string& id, const Node& body,
                                       const JoinerCall& call);
Answer<link::JoinerView> joiner_view(Context& context, const std::string& id,
                                     const link::Fingerprint& key);

// The join, if it is there and this key's: else 404, 403 JOIN_KEY_MISMATCH.
Answer<JoinRecord> join_of_key(Ledger& ledger, const std::string& id, const link::Fingerprint& key);
link::JoinerView view_of(const JoinRecord& join, std::int64_t now);

// Ends a join whose reveal did not come in time, counted against its code. True where it did.
bool end_if_overdue(Ledger& ledger, JoinRecord& join, const Occasion& occasion);

// Pure: is this known to be another machine: of uuid, serial and permanent MACs every value known
// on both sides differs, and there is at least one.
bool is_other_machine(const facts::Inventory& a, const facts::Inventory& b);

// Pure: what a release may do.
enum class ReleaseVerdict { kSame, kMayUpgrade, kRefused };
ReleaseVerdict judge_release(const FounderOptions& options, const std::string& release,
                             bool self_upgrade);

} // namespace stratum::founder
