// The audit's chain checked over pages.

#include "ctl/audit.hpp"

#include "common/base/command_line.hpp"
#include "common/base/text.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::ctl {

TEST_GROUP(AuditVerify) {
    std::vector<Node> entries; // newest first
    Node head = Node::object();

    void setup() override {
        Sha256 before{};
        for (std::int64_t seq = 1; seq <= 7; ++seq) {
            Node entry = Node::object();
            entry.set("seq", Node::integer(seq)).set("at", "2026-11-30T12:00:00Z");
            entry.set("action", "cluster.join.approved").set("actor", "tk-1");
            entry.set("object", "join/nj-8w2k4m1p").set("result", "ok");
            before = link::audit_hash(before, link::read_audit_entry(entry));
            entry.set("hash", to_hex(before));
            entries.insert(entries.begin(), std::move(entry));
        }
        head.set("seq", Node::integer(7)).set("first", Node::integer(1));
        head.set("hash", to_hex(before));
    }
    // Three to a page.
    tl::expected<Node, int> page(const std::string& cursor) const {
        const std::size_t from = cursor.empty() ? 0 : std::stoul(cursor);
        Node list = Node::array();
        for (std::size_t i = from; i < entries.size() && i < from + 3; ++i) list.push(entries[i]);
        Node answer = Node::object();
        answer.set("entries", std::move(list)).set("head", head);
        if (from + 3 < entries.size()) answer.set("nextCursor", std::to_string(from + 3));
        return answer;
    }
    CheckedAudit checked(std::vector<link::AuditMark> marks = {}) const {
        return *check_audit([this](const std::string& cursor) { return page(cursor); },
                            std::move(marks));
    }
};

TEST(AuditVerify, a_whole_audit_holds_over_its_pages) {
    const CheckedAudit all = checked();
    LONGS_EQUAL(0, all.verdict.broken_at);
    LONGS_EQUAL(7, all.verdict.checked);
    CHECK_TRUE(audit_verdict_text(all).starts_with("the audit holds: 7 entries"));
    CHECK_TRUE(audit_verdict_text(all).find("newest  7:") != std::string::npos);
    CHECK_TRUE(audit_verdict_document(all).find("holds")->as_bool());
}

TEST(AuditVerify, a_changed_entry_is_named_wherever_its_page_ends) {
    for (std::size_t at = 0; at < 7; ++at) {
        const Node kept = entries[at];
        entries[at].set("actor", "tk-2");
        LONGS_EQUAL(7 - static_cast<long>(at), checked().verdict.broken_at);
        entries[at] = kept;
    }
}

TEST(AuditVerify, a_missing_entry_is_named_wherever_its_page_ends) {
    for (std::size_t at = 0; at < 7; ++at) {
        const Node kept = entries[at];
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at));
        LONGS_EQUAL(7 - static_cast<long>(at), checked().verdict.broken_at);
        const Node told = audit_verdict_document(checked());
        CHECK_FALSE(told.find("holds")->as_bool());
        CHECK_TRUE(told.find("why")->as_string().find("missing") != std::string::npos);
        entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(at), kept);
    }
}

TEST(AuditVerify, a_founder_without_a_chain_is_not_taken_for_one_that_holds) {
    const auto old = check_audit(
        [](const std::string&) -> tl::expected<Node, int> {
            return *parse_json(R"({"entries": [{"id": 1, "action": "a"}]})").root;
        },
        {});
    CHECK_FALSE(old.has_value());
    LONGS_EQUAL(kExitFailed, old.error());
}

TEST(AuditVerify, an_empty_audit_holds_and_a_page_that_did_not_come_does_not) {
    entries.clear();
    const auto empty = check_audit(
        [](const std::string&) -> tl::expected<Node, int> {
            return *parse_json(R"({"entries": []})").root;
        },
        {});
    LONGS_EQUAL(0, empty->verdict.broken_at);
    const auto cut = check_audit(
        [](const std::string&) -> tl::expected<Node, int> { return tl::make_unexpected(3); }, {});
    LONGS_EQUAL(3, cut.error());
}

} // namespace stratum::ctl
