// The founder's answers as the admin API writes them, camelCase; what is not known is left out.
#pragma once

#include "common/base/document.hpp"
#include "founder/founder.hpp"

namespace stratum::founder {

Node summary_document(const JoinRecord& join);    // no inventory, no log
Node join_document(const JoinDetail& join);       // whole, with the last log lines
Node approval_document(const Approval& approval); // a dry run: the join, nodeYaml, wipes
Node step_document(const link::Step& step);       // title always there
Node log_document(const std::vector<link::LogLine>& lines);
Node join_code_document(const JoinCodeRecord& code); // without the code
Node join_code_document(const MadeJoinCode& code);   // with it, once
Node member_document(const MemberRecord& member);
Node networks_document(const Networks& networks);
Node cluster_document(const ClusterStatus& status);
Node token_document(const TokenRecord& token); // without token and hash
Node audit_document(const AuditRecord& entry);
// The same text as that of compat::fleet_node, without taking hundreds of kept reports apart.
std::string compatibility_json(const Compatibility& found);

} // namespace stratum::founder
