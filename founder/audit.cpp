#include "founder/audit.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "founder/cursor.hpp"
#include "founder/secret_words.hpp"

namespace stratum::founder {
namespace {

// Details quote what strangers sent; the audit must not grow by their will.
constexpr std::size_t kLongestDetail = 1000;

// What goes out through JSON must come back as the same bytes, or no hash would hold.
void make_plain(AuditRecord& entry) {
    entry.object = without_secrets(entry.object);
    entry.detail = without_secrets(entry.detail);
    for (std::string* field : {&entry.action, &entry.actor, &entry.from, &entry.object,
                               &entry.result, &entry.detail, &entry.request_id}) {
        const bool is_long = field->size() > kLongestDetail;
        *field = to_valid_utf8(std::string_view(*field).substr(0, kLongestDetail));
        if (is_long) *field += "…";
    }
}

Sha256 hash_before(const AuditHeadRecord& head) {
    Sha256 hash{};
    const auto bytes = from_hex(head.hash);
    if (bytes && bytes->size() == hash.size())
        std::copy(bytes->begin(), bytes->end(), hash.begin());
    return hash;
}

} // namespace

link::AuditEntry entry_of(const AuditRecord& record) {
    return {record.sequence, format_time(record.at), record.action, record.actor,     record.from,
            record.object,   record.result,          record.detail, record.request_id};
}

AuditRecord audit_of(const Occasion& occasion, const std::string& action,
                     const std::string& object) {
    AuditRecord entry;
    entry.at = occasion.now;
    entry.action = action;
    entry.actor = occasion.caller.actor;
    entry.from = occasion.caller.from;
    entry.request_id = occasion.caller.request_id;
    entry.object = object;
    entry.result = "ok";
    entry.detail = occasion.detail;
    return entry;
}

void write_audit(Ledger& ledger, AuditRecord entry) {
    make_plain(entry);
    entry.sequence = ledger.next("audit");
    AuditHeadRecord head = ledger.get<AuditHeadRecord>(kOnly).value_or(AuditHeadRecord{});
    if (head.sequence == 0) head.first = entry.sequence;
    entry.hash = to_hex(link::audit_hash(hash_before(head), entry_of(entry)));
    ledger.put(sequence_id(entry.sequence), entry);
    head.sequence = entry.sequence;
    head.hash = entry.hash;
    ledger.put(kOnly, head);
}

void audit_refusal(Context& context, const AuditRecord& entry) {
    const std::int64_t now = context.clock.unix_seconds();
    if (!context.refusals.admit(entry.actor, entry.from, now)) return;
    const auto written = change<void>(context, [&](Ledger& ledger) {
        AuditRecord stamped = entry;
        stamped.at = now;
        stamped.result = "refused";
        write_audit(ledger, stamped);
        return kept();
    });
    if (!written) context.refusals.leave_out(entry.actor, entry.from, now);
}

void audit_refusal(Context& context, AuditRecord entry, link::Problem& why) {
    if (why.is_audited || why.code == link::ProblemCode::kInternal) return;
    why.is_audited = true;
    entry.detail = std::string(link::info_of(why.code).name) + ": " + why.detail;
    audit_refusal(context, entry);
}

bool tell_refusal_counts(Context& context, Ledger& ledger, bool all) {
    const std::int64_t now = context.clock.unix_seconds();
    const auto counts = context.refusals.due(now, all);
    for (const RefusalCount& one : counts) {
        AuditRecord entry =
            audit_of({now, {"founder", "", ""}, ""}, "audit.refusals-counted",
                     one.actor.starts_with("tk-") ? "token/" + one.actor : one.actor);
        entry.result = "refused";
        entry.detail = std::to_string(one.count) + " more refused since " + format_time(one.since) +
                       ", without entries of their own; from ";
        std::int64_t others = one.count;
        for (const auto& [address, count] : one.addresses) {
            entry.detail += address + " (" + std::to_string(count) + ") ";
            others -= count;
        }
        if (others > 0) entry.detail += "and others (" + std::to_string(others) + ")";
        entry.detail = std::string(trim(entry.detail));
        write_audit(ledger, entry);
    }
    return !counts.empty();
}

Answer<AuditPage> list_audit(Context& context, const AuditQuery& query) {
    const auto after = read_cursor("audit", query.cursor);
    if (!after) return tl::make_unexpected(after.error());
    return look<AuditPage>(context, [&](Ledger& ledger) -> Answer<AuditPage> {
        ListOptions options;
        options.descending = true;
        const std::size_t limit = std::max<std::size_t>(query.limit, 1);
        options.limit = limit + 1;
        options.after = *after;
        AuditPage page;
        page.entries = ledger.list<AuditRecord>(options);
        if (page.entries.size() > limit) {
            page.entries.resize(limit);
            page.next_cursor = make_cursor("audit", sequence_id(page.entries.back().sequence));
        }
        const auto head = ledger.get<AuditHeadRecord>(kOnly).value_or(AuditHeadRecord{});
        page.head = {head.sequence, head.first, head.hash};
        return page;
    });
}

} // namespace stratum::founder
