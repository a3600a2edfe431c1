#include "common/link/audit_chain.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"

namespace stratum::link {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLabel = "stratum-audit-v1\0"sv;

void add_field(Sha256Stream& stream, std::string_view text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    const std::array<std::uint8_t, 4> length{
        static_cast<std::uint8_t>(size >> 24), static_cast<std::uint8_t>(size >> 16),
        static_cast<std::uint8_t>(size >> 8), static_cast<std::uint8_t>(size)};
    stream.update(length);
    stream.update(bytes_of(text));
}

std::string text_of(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

std::int64_t number_of(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member != nullptr && member->kind() == Node::Kind::kInt ? member->as_int() : 0;
}

std::optional<Sha256> parse_hash(std::string_view hex) {
    const auto bytes = from_hex(hex);
    Sha256 hash{};
    if (!bytes || bytes->size() != hash.size()) return std::nullopt;
    std::copy(bytes->begin(), bytes->end(), hash.begin());
    return hash;
}

std::string entries(std::int64_t from, std::int64_t to) {
    if (from == to) return "entry " + std::to_string(from) + " is missing";
    return "entries " + std::to_string(from) + " to " + std::to_string(to) + " are missing";
}

} // namespace

AuditEntry read_audit_entry(const Node& node) {
    return {number_of(node, "seq"),  text_of(node, "at"),     text_of(node, "action"),
            text_of(node, "actor"),  text_of(node, "from"),   text_of(node, "object"),
            text_of(node, "result"), text_of(node, "detail"), text_of(node, "requestId")};
}

Sha256 audit_hash(const Sha256& before, const AuditEntry& entry) {
    Sha256Stream stream;
    stream.update(bytes_of(kLabel));
    stream.update(before);
    add_field(stream, std::to_string(entry.seq));
    for (const std::string* field :
         {&entry.at, &entry.action, &entry.actor, &entry.from, &entry.object, &entry.result,
          &entry.detail, &entry.request_id})
        add_field(stream, *field);
    return stream.finish();
}

Result<AuditHead> read_audit_head(const Node& answer) {
    const Node* head = answer.find("head");
    if (head == nullptr || !head->is_object())
        return fail(ErrorCode::kInvalid, "the founder's answer does not say where its audit ends: "
                                         "it is of an older release, whose audit has no chain");
    return AuditHead{number_of(*head, "seq"), number_of(*head, "first"), text_of(*head, "hash")};
}

Result<AuditMark> parse_audit_mark(std::string_view text) {
    const auto colon = text.find(':');
    const auto seq = parse_decimal(text.substr(0, std::min(colon, text.size())));
    const bool holds = colon != std::string_view::npos && seq && *seq > 0 && *seq < (1ull << 53) &&
                       parse_hash(text.substr(colon + 1)).has_value();
    if (!holds)
        return fail(ErrorCode::kInvalid, "'" + to_valid_utf8(text) +
                                             "' is not SEQ:HASH, as an earlier check printed it");
    return AuditMark{static_cast<std::int64_t>(*seq), lower(text.substr(colon + 1))};
}

AuditCheck::AuditCheck(AuditHead head, std::vector<AuditMark> marks)
    : head_(std::move(head)), marks_(std::move(marks)) {}

// What is read later is older: the last word is the first entry that is broken.
void AuditCheck::broken(std::int64_t at, std::string why) {
    if (verdict_.broken_at != 0 && verdict_.broken_at <= at) return;
    verdict_.broken_at = at;
    verdict_.why = std::move(why);
}

// The entry read last, now that the hash of the one before it is known.
void AuditCheck::join_with(std::int64_t older_seq, const Sha256& older_hash) {
    const std::int64_t seq = newer_->entry.seq;
    if (older_seq + 1 != seq) {
        if (older_seq + 1 < seq)
            broken(older_seq + 1, entries(older_seq + 1, seq - 1));
        else
            broken(seq, "the entries do not stand in the order of their numbers");
        return;
    }
    if (to_hex(audit_hash(older_hash, newer_->entry)) != newer_->hash)
        broken(seq, "entry " + std::to_string(seq) +
                        " does not have the hash of its content and the entry before it");
}

void AuditCheck::next(const AuditEntry& entry, const std::string& hash) {
    for (AuditMark& mark : marks_) {
        if (mark.seq != entry.seq) continue;
        if (mark.hash != hash)
            broken(entry.seq, "entry " + std::to_string(entry.seq) +
                                  " has another hash than the one that was written down");
        mark.seq = 0;
    }
    if (entry.seq < head_.first) {
        if (hash.empty()) {
            ++verdict_.unchained;
            return;
        }
        broken(entry.seq, "entry " + std::to_string(entry.seq) +
                              " stands before the one with which the chain is said to begin");
    }
    if (!newer_ && verdict_.checked == 0) {
        if (entry.seq < head_.seq) broken(entry.seq + 1, entries(entry.seq + 1, head_.seq));
        if (entry.seq > head_.seq)
            broken(head_.seq + 1, "there are entries behind the one that is kept as the newest");
        if (entry.seq == head_.seq && hash != head_.hash)
            broken(entry.seq, "the newest entry has another hash than the one that is kept");
    }
    const auto bytes = parse_hash(hash);
    if (!bytes) broken(entry.seq, "entry " + std::to_string(entry.seq) + " has no hash");
    if (newer_) join_with(entry.seq, bytes.value_or(Sha256{}));
    newer_ = Pending{entry, hash};
    ++verdict_.checked;
}

AuditVerdict AuditCheck::finish() {
    if (newer_) {
        join_with(head_.first - 1, Sha256{});
    } else if (head_.seq != 0) {
        broken(head_.first, entries(head_.first, head_.seq));
    }
    for (const AuditMark& mark : marks_) {
        if (mark.seq != 0)
            broken(mark.seq, "entry " + std::to_string(mark.seq) +
                                 ", whose hash was written down, is not there");
    }
    return verdict_;
}

} // namespace stratum::link
