// The audit, read page by page, for people and for a check of its chain.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "common/base/document.hpp"
#include "common/link/audit_chain.hpp"

namespace stratum::ctl {

// Gives the page behind a cursor (empty: the first), or the exit code of why not.
using AuditPages = std::function<tl::expected<Node, int>(const std::string& cursor)>;

struct CheckedAudit {
    link::AuditVerdict verdict;
    link::AuditHead head; // as the first page says it; seq 0: the audit is empty
};
// Reads every page and checks the chain. kExitFailed where an answer has no chain at all.
tl::expected<CheckedAudit, int> check_audit(const AuditPages& pages,
                                            std::vector<link::AuditMark> marks);

// What it found, for a person and as JSON. Pure.
std::string audit_verdict_text(const CheckedAudit& checked);
Node audit_verdict_document(const CheckedAudit& checked);

} // namespace stratum::ctl
