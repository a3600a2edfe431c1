#include "founder/join_codes.hpp"

#include <algorithm>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "common/link/join_code.hpp"

namespace stratum::founder {
namespace {

constexpr std::uint16_t kDefaultJoinPort = 8444;

// Stands in for a code that is not there, so that looking for one takes the same work as finding
// it. Nothing is ever admitted by it, whatever is proved.
constexpr std::string_view kNobodysId = "00000000";
constexpr std::string_view kNobodysRecord =
    R"({"id":"00000000","key":"00000000000000000000000000000000)"
    R"(00000000000000000000000000000000","madeBy":"nobody","madeAt":1796040000,)"
    R"("expiresAt":1796043600,"maxUses":1,"uses":0,"failedReveals":0,"revokedAt":0})";

bool is_code_id(std::string_view text) {
    return text.size() == 8 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void forget_old(GuardRecord& guard, std::int64_t now) {
    std::erase_if(guard.failed_at,
                  [&](std::int64_t at) { return at <= now - kPauseWindowSeconds; });
}

} // namespace

std::int64_t paused_until(const GuardRecord& guard, std::int64_t now) {
    GuardRecord recent = guard;
    forget_old(recent, now);
    if (recent.failed_at.size() < kFailedRevealsPause) return 0;
    return recent.failed_at.at(recent.failed_at.size() - kFailedRevealsPause) + kPauseWindowSeconds;
}

bool is_open(const JoinCodeRecord& code, std::int64_t now) {
    return now < code.expires_at && code.uses < code.max_uses && code.locked_reason.empty() &&
           code.revoked_at == 0;
}

std::optional<JoinCodeRecord> prove_code(Ledger& ledger, const link::Fingerprint& founder,
                                         const CodeClaim& claim) {
    const std::string id = is_code_id(claim.code_id) ? claim.code_id : std::string(kNobodysId);
    const auto found = ledger.text(Kind::kJoinCode, id);
    JoinCodeRecord code;
    const Status read = decode(found ? *found : std::string(kNobodysRecord), code);
    if (!read) ledger.fault("a join code's record is damaged");
    Sha256 key{};
    if (const auto bytes = from_hex(code.key); bytes && bytes->size() == key.size())
        std::copy(bytes->begin(), bytes->end(), key.begin());
    const Sha256 wanted = link::code_proof(key, founder, claim.joiner, claim.commitment);
    const bool holds = equal_constant_time(wanted, claim.proof);
    if (!holds || !found) return std::nullopt;
    return code;
}

void count_failed_reveal(Ledger& ledger, const std::string& code_id, const Occasion& occasion) {
    GuardRecord guard = guard_record(ledger);
    forget_old(guard, occasion.now);
    guard.failed_at.push_back(occasion.now);
    // More than the limit tells nothing more, and the record must not grow.
    if (guard.failed_at.size() > 2 * kFailedRevealsPause)
        guard.failed_at.erase(guard.failed_at.begin());
    ledger.put(kOnly, guard);

    auto code = ledger.get<JoinCodeRecord>(code_id);
    if (!code) return;
    ++code->failed_reveals;
    if (code->failed_reveals >= kFailedRevealsLockCode && code->locked_reason.empty()) {
        code->locked_reason = std::to_string(code->failed_reveals) +
                              " pairings with this code failed or were not finished: it may have "
                              "leaked; make another";
        Occasion locked = occasion;
        locked.detail = code->locked_reason;
        write_audit(ledger, audit_of(locked, "cluster.join-code.locked", "join-code/" + code_id));
    }
    ledger.put(code_id, *code);
}

GuardRecord guard_record(Ledger& ledger) {
    return ledger.get<GuardRecord>(kOnly).value_or(GuardRecord{});
}

Answer<JoinCodeRequest> read_join_code_request(const Node& body) {
    Findings findings;
    JoinCodeRequest request;
    ObjectReader reader(body, {}, findings);
    request.expires_in_seconds =
        reader.optional_int("expiresInSeconds", 60, 30 * 24 * 3600).value_or(3600);
    request.max_uses = reader.optional_int("maxUses", 1, 100).value_or(1);
    request.note = reader.optional_string("note").value_or("");
    if (request.note.size() > 200) reader.add("note", "longer than 200 bytes");
    reader.finish();
    if (!findings.empty()) return tl::make_unexpected(link::invalid_input(findings));
    return request;
}

Answer<MadeJoinCode> create_join_code(Context& context, const JoinCodeRequest& request,
                                      const Caller& caller) {
    const std::int64_t now = context.clock.unix_seconds();
    return change<MadeJoinCode>(context, [&](Ledger& ledger) {
        link::JoinCode code = link::JoinCode::generate();
        // Two codes with one id could not be told apart; 32 bits do meet.
        while (code.id() == kNobodysId || ledger.get<JoinCodeRecord>(code.id()))
            code = link::JoinCode::generate();
        MadeJoinCode made;
        made.record.id = code.id();
        made.record.key = to_hex(code.key());
        made.record.note = request.note;
        made.record.made_by = caller.actor;
        made.record.made_at = now;
        made.record.expires_at = now + request.expires_in_seconds;
        made.record.max_uses = request.max_uses;
        ledger.put(made.record.id, made.record);
        made.code = code.grouped();
        made.uri = link::JoinUri{advertised(context, cluster_record(ledger)), code,
                                 context.options.identity}
                       .str();
        if (request.max_uses > 1)
            made.warning = "this code serves " + std::to_string(request.max_uses) +
                           " machines; three of them that fail to pair lock it for all";
        const Occasion occasion{now, caller,
                                std::to_string(request.max_uses) + " uses, until " +
                                    format_time(made.record.expires_at)};
        write_audit(ledger,
                    audit_of(occasion, "cluster.join-code.created", "join-code/" + made.record.id));
        return kept(std::move(made));
    });
}

Answer<std::vector<JoinCodeRecord>> list_join_codes(Context& context) {
    return look<std::vector<JoinCodeRecord>>(
        context, [&](Ledger& ledger) -> Answer<std::vector<JoinCodeRecord>> {
            auto codes = ledger.list<JoinCodeRecord>();
            std::stable_sort(codes.begin(), codes.end(),
                             [](const JoinCodeRecord& a, const JoinCodeRecord& b) {
                                 return a.made_at > b.made_at;
                             });
            return codes;
        });
}

Answer<void> revoke_join_code(Context& context, const std::string& id, const Caller& caller) {
    return change<void>(context, [&](Ledger& ledger) {
        auto code = is_code_id(id) ? ledger.get<JoinCodeRecord>(id) : std::nullopt;
        if (!code)
            return refused<void>(problem(link::ProblemCode::kNotFound, "no join code " + id));
        if (code->revoked_at != 0) return kept();
        code->revoked_at = context.clock.unix_seconds();
        ledger.put(id, *code);
        write_audit(ledger, audit_of({code->revoked_at, caller, ""}, "cluster.join-code.revoked",
                                     "join-code/" + id));
        return kept();
    });
}

Answer<void> lift_pause(Context& context, const Caller& caller) {
    return change<void>(context, [&](Ledger& ledger) {
        const std::int64_t now = context.clock.unix_seconds();
        if (paused_until(guard_record(ledger), now) == 0) return kept();
        ledger.put(kOnly, GuardRecord{});
        write_audit(ledger, audit_of({now, caller, "registration goes on"},
                                     "cluster.join-code.pause-lifted", "join-code/pause"));
        return kept();
    });
}

std::vector<HostPort> advertised(const Context& context, const ClusterRecord& cluster) {
    std::vector<HostPort> all = context.options.advertise;
    if (all.empty()) {
        for (const std::string& text : cluster.advertise)
            if (const auto read = HostPort::parse(text)) all.push_back(*read);
    }
    const std::uint16_t port = context.join_port.load();
    for (HostPort& each : all)
        if (each.port == 0) each.port = port != 0 ? port : kDefaultJoinPort;
    return all;
}

} // namespace stratum::founder
