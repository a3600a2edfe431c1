// What a person decides about a join: approve, reject, retry. Each is one transaction; a dry run of
// an approval is the same code without the commit.
#pragma once

#include "founder/context.hpp"

namespace stratum::founder {

Answer<Approval> approve(Context& context, const std::string& id, const Node& body,
                         const ApproveOptions& options);
Answer<JoinDetail> reject(Context& context, const std::string& id, const RejectOptions& options);
Answer<JoinDetail> retry(Context& context, const std::string& id, const Caller& caller);

// Does an If-Match header let this join pass: absent, *, or its ETag among those listed.
bool matches(const std::optional<std::string>& if_match, const JoinRecord& join);

// Keeps "refused" in the audit, in a transaction of its own.
void audit_refusal(Context& context, const AuditRecord& entry);

} // namespace stratum::founder
