// What a person decides about a join: approve, reject, retry. Each is one transaction; a dry run of
// an approval is the same code without the commit.
#pragma once

#include "founder/audit.hpp"

namespace stratum::founder {

Answer<Approval> approve(Context& context, const std::string& id, const Node& body,
                         const ApproveOptions& options);
Answer<JoinDetail> reject(Context& context, const std::string& id, const RejectOptions& options);
Answer<JoinDetail> retry(Context& context, const std::string& id, const RetryOptions& options);

// Does an If-Match header let this join pass: absent, *, or its ETag among those listed.
bool matches(const std::optional<std::string>& if_match, const JoinRecord& join);

} // namespace stratum::founder
