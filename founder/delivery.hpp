// What time does to joins: ends, marks, starts. A start writes the member row (a new generation)
// and makes node.yaml and the bundle ready, in one transaction with the state.
#pragma once

#include "common/link/fingerprint.hpp"
#include "founder/context.hpp"
#include "founder/queue.hpp"

namespace stratum::founder {

inline constexpr std::int64_t kStalledAfterSeconds = 600;

Status run_due(Context& context);

QueueFacts queue_facts(Context& context, Ledger& ledger);

// The queued join becomes delivering. Where its node.yaml or bundle cannot be made nothing is
// written, and the error says why.
Status start_delivery(Context& context, Ledger& ledger, JoinRecord& join);

// What was delivered, for the join's own key; 409 before delivering.
Answer<HashedFile> delivered_node_yaml(Context& context, const std::string& id,
                                       const link::Fingerprint& key);
Answer<HashedFile> delivered_bundle(Context& context, const std::string& id,
                                    const link::Fingerprint& key);

} // namespace stratum::founder
