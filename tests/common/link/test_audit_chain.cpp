// The audit's chain: what a check of it sees, and what it must not miss.

#include "common/link/audit_chain.hpp"

#include "common/base/text.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::link {
namespace {

struct Row {
    AuditEntry entry;
    std::string hash;
};

// Entries first … first + count − 1, chained.
std::vector<Row> chain(std::int64_t count, std::int64_t first = 1) {
    std::vector<Row> rows;
    Sha256 before{};
    for (std::int64_t seq = first; seq < first + count; ++seq) {
        AuditEntry entry{seq,
                         "2026-11-30T12:00:00Z",
                         "cluster.join.approved",
                         "tk-1",
                         "10.0.0.1",
                         "join/nj-" + std::to_string(seq),
                         "ok",
                         "as beta",
                         "0123456789abcdef"};
        before = audit_hash(before, entry);
        rows.push_back({entry, to_hex(before)});
    }
    return rows;
}

AuditHead head_of(const std::vector<Row>& rows) {
    return {rows.back().entry.seq, rows.front().entry.seq, rows.back().hash};
}

AuditVerdict check(const AuditHead& head, const std::vector<Row>& rows,
                   std::vector<AuditMark> marks = {}) {
    AuditCheck checking(head, std::move(marks));
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) checking.next(row->entry, row->hash);
    return checking.finish();
}

} // namespace

TEST_GROUP(AuditChain) {
    std::vector<Row> rows = chain(6);
    AuditHead head = head_of(rows);
};

TEST(AuditChain, the_documented_example_holds) {
    const AuditEntry entry{1,
                           "2026-11-30T12:00:00Z",
                           "iam.token.created",
                           "init",
                           "",
                           "token/tk-4m1p8w2k",
                           "ok",
                           "bootstrap-admin",
                           ""};
    // printf 'stratum-audit-v1\0' and so on through sha256sum (docs/protocol.md).
    STRCMP_EQUAL("7a2b36f83bf9d14e73a62dc7860170f6e8e389710cae20e7c06f8989d9a983e5",
                 to_hex(audit_hash({}, entry)).c_str());
}

TEST(AuditChain, a_whole_chain_holds) {
    const AuditVerdict verdict = check(head, rows);
    LONGS_EQUAL(0, verdict.broken_at);
    LONGS_EQUAL(6, verdict.checked);
}

TEST(AuditChain, an_empty_audit_holds_where_nothing_was_ever_written) {
    LONGS_EQUAL(0, check({}, {}).broken_at);
    LONGS_EQUAL(1, check(head, {}).broken_at);
}

TEST(AuditChain, a_change_of_any_field_shows_at_its_entry) {
    for (std::string AuditEntry::*field :
         {&AuditEntry::at, &AuditEntry::action, &AuditEntry::actor, &AuditEntry::from,
          &AuditEntry::object, &AuditEntry::result, &AuditEntry::detail, &AuditEntry::request_id}) {
        auto changed = rows;
        changed[2].entry.*field += "x";
        LONGS_EQUAL(3, check(head, changed).broken_at);
    }
}

TEST(AuditChain, moving_bytes_from_one_field_to_the_next_shows) {
    rows[2].entry.action += "t";
    rows[2].entry.actor = "k-1";
    LONGS_EQUAL(3, check(head, rows).broken_at);
}

TEST(AuditChain, a_changed_entry_with_a_hash_that_fits_shows_at_the_next) {
    rows[2].entry.actor = "tk-2";
    Sha256 before{};
    const auto bytes = from_hex(rows[1].hash);
    std::copy(bytes->begin(), bytes->end(), before.begin());
    rows[2].hash = to_hex(audit_hash(before, rows[2].entry));
    LONGS_EQUAL(4, check(head, rows).broken_at);
}

TEST(AuditChain, a_missing_entry_shows_and_the_first_one_is_named) {
    rows.erase(rows.begin() + 4);
    rows.erase(rows.begin() + 2);
    const AuditVerdict verdict = check(head, rows);
    LONGS_EQUAL(3, verdict.broken_at);
    STRCMP_EQUAL("entry 3 is missing", verdict.why.c_str());
}

TEST(AuditChain, a_missing_beginning_shows) {
    rows.erase(rows.begin(), rows.begin() + 2);
    LONGS_EQUAL(1, check(head, rows).broken_at);
}

TEST(AuditChain, a_missing_end_shows_by_the_head) {
    rows.resize(4);
    const AuditVerdict verdict = check(head, rows);
    LONGS_EQUAL(5, verdict.broken_at);
    STRCMP_EQUAL("entries 5 to 6 are missing", verdict.why.c_str());
}

TEST(AuditChain, an_entry_behind_the_head_and_another_newest_one_show) {
    LONGS_EQUAL(6, check(head_of(chain(5)), rows).broken_at);
    head.hash = rows[0].hash;
    LONGS_EQUAL(6, check(head, rows).broken_at);
}

TEST(AuditChain, an_entry_without_a_hash_shows) {
    rows[3].hash.clear();
    LONGS_EQUAL(4, check(head, rows).broken_at);
}

TEST(AuditChain, swapped_entries_show) {
    std::swap(rows[2], rows[3]);
    CHECK_TRUE(check(head, rows).broken_at != 0);
}

TEST(AuditChain, entries_from_before_the_chain_are_counted_and_not_judged) {
    auto later = chain(3, 4);
    auto all = chain(3);
    for (Row& row : all) row.hash.clear();
    all.insert(all.end(), later.begin(), later.end());
    const AuditVerdict verdict = check(head_of(later), all);
    LONGS_EQUAL(0, verdict.broken_at);
    LONGS_EQUAL(3, verdict.checked);
    LONGS_EQUAL(3, verdict.unchained);
    // One that has a hash was of a chain that is said never to have been.
    all[2].hash = all[4].hash;
    LONGS_EQUAL(3, check(head_of(later), all).broken_at);
}

TEST(AuditChain, a_chain_made_anew_shows_against_a_hash_that_was_written_down) {
    const AuditMark mark{4, rows[3].hash};
    LONGS_EQUAL(0, check(head, rows, {mark}).broken_at);
    auto forged = chain(6);
    Sha256 before{};
    for (Row& row : forged) {
        row.entry.actor = "tk-2";
        before = audit_hash(before, row.entry);
        row.hash = to_hex(before);
    }
    LONGS_EQUAL(0, check(head_of(forged), forged).broken_at);
    LONGS_EQUAL(4, check(head_of(forged), forged, {mark}).broken_at);
    const auto shorter = chain(3);
    LONGS_EQUAL(4, check(head_of(shorter), shorter, {mark}).broken_at);
}

TEST(AuditChain, a_mark_is_a_number_and_a_hash) {
    const auto mark = parse_audit_mark("12:" + std::string(64, 'A'));
    CHECK_TRUE(mark.has_value());
    LONGS_EQUAL(12, mark->seq);
    STRCMP_EQUAL(std::string(64, 'a').c_str(), mark->hash.c_str());
    for (const char* wrong : {"", "12", "12:", ":ab", "0:00", "12:xyz", "-1:00", "12:abcd"})
        CHECK_FALSE(parse_audit_mark(wrong).has_value());
}

TEST(AuditChain, an_entry_is_read_as_the_api_writes_it) {
    const auto parsed = parse_json(R"({"seq": 7, "at": "t", "action": "a", "actor": "b",
        "object": "o", "result": "ok", "hash": "ff"})");
    const AuditEntry entry = read_audit_entry(*parsed.root);
    LONGS_EQUAL(7, entry.seq);
    STRCMP_EQUAL("a", entry.action.c_str());
    STRCMP_EQUAL("", entry.detail.c_str());
    CHECK_FALSE(read_audit_head(*parsed.root).has_value());
}

} // namespace stratum::link
