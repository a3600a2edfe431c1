#include "ctl/audit.hpp"

#include <iostream>

#include "common/base/command_line.hpp"

namespace stratum::ctl {
namespace {

std::string text_of(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

bool is_empty(const Node& page) {
    const Node* entries = page.find("entries");
    return entries == nullptr || entries->items().empty();
}

std::string mark_of(const link::AuditHead& head) {
    return std::to_string(head.seq) + ":" + head.hash;
}

} // namespace

tl::expected<CheckedAudit, int> check_audit(const AuditPages& pages,
                                            std::vector<link::AuditMark> marks) {
    auto page = pages("");
    if (!page) return tl::make_unexpected(page.error());
    CheckedAudit checked;
    if (page->find("head") != nullptr || !is_empty(*page)) {
        auto head = link::read_audit_head(*page);
        if (!head) {
            std::cerr << "stratumctl: " << head.error().message << "\n";
            return tl::make_unexpected(kExitFailed);
        }
        checked.head = std::move(*head);
    }
    link::AuditCheck check(checked.head, std::move(marks));
    while (true) {
        if (const Node* entries = page->find("entries")) {
            for (const Node& one : entries->items())
                check.next(link::read_audit_entry(one), text_of(one, "hash"));
        }
        const std::string cursor = text_of(*page, "nextCursor");
        if (cursor.empty()) break;
        page = pages(cursor);
        if (!page) return tl::make_unexpected(page.error());
    }
    checked.verdict = check.finish();
    return checked;
}

std::string audit_verdict_text(const CheckedAudit& checked) {
    const link::AuditVerdict& verdict = checked.verdict;
    std::string out;
    if (verdict.broken_at != 0) {
        out = "the audit does not hold: the first entry in question is " +
              std::to_string(verdict.broken_at) + "\n  " + verdict.why + "\n";
    } else {
        out = "the audit holds: " + std::to_string(verdict.checked) +
              " entries, each chained to "
              "the one before\n";
    }
    if (verdict.unchained != 0)
        out += std::to_string(verdict.unchained) + " older entries are from before the chain\n";
    if (verdict.broken_at == 0 && checked.head.seq != 0)
        out += "newest  " + mark_of(checked.head) +
               "\nKeep that line elsewhere: a later check takes it as --mark and then sees a chain "
               "that was made anew.\n";
    return out;
}

Node audit_verdict_document(const CheckedAudit& checked) {
    const link::AuditVerdict& verdict = checked.verdict;
    Node out = Node::object();
    out.set("holds", Node::boolean(verdict.broken_at == 0));
    out.set("checked", Node::integer(verdict.checked));
    out.set("unchained", Node::integer(verdict.unchained));
    if (verdict.broken_at != 0) {
        out.set("brokenAt", Node::integer(verdict.broken_at));
        out.set("why", verdict.why);
    }
    if (checked.head.seq != 0) out.set("newest", mark_of(checked.head));
    return out;
}

} // namespace stratum::ctl
