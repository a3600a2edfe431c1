// Joins as a person looks at them: pages, one whole, its log.
#pragma once

#include "founder/context.hpp"

namespace stratum::founder {

inline constexpr std::int64_t kLogLinesKept = 2000; // of each join

Answer<JoinPage> list_joins(Context& context, const JoinQuery& query);
// The API's JSON of the same; kept while the store stays as it is.
Answer<std::string> listed_joins(Context& context, const JoinQuery& query);
Answer<JoinDetail> show_join(Context& context, const std::string& id);
Answer<std::vector<link::LogLine>> log_after(Context& context, const std::string& id,
                                             std::int64_t after);
Answer<ChangedJoins> changed_joins(Context& context, std::int64_t after, std::size_t limit);
Answer<HashedFile> shown_node_yaml(Context& context, const std::string& id);

// An inventory as it was sent, by the join's id or a founder's node id; nothing where there is
// none.
std::optional<Node> stored_inventory(Ledger& ledger, const std::string& id);
// The whole join inside a transaction.
JoinDetail detail_of(Ledger& ledger, const JoinRecord& join);
JoinDetail detail_of(Ledger& ledger, const JoinRecord& join, std::optional<Node> inventory);
std::string log_line_id(const std::string& join_id, std::int64_t number);

} // namespace stratum::founder
