// Registration: certificate (the listener's), known key, code and proof, release; only then is
// anything made.

#include <algorithm>

#include "common/base/text.hpp"
#include "founder/ids.hpp"
#include "founder/join_codes.hpp"
#include "founder/pairing_desk.hpp"

namespace stratum::founder {
namespace {

using link::ProblemCode;
using Made = Decision<Registered>;

// One registration being judged.
struct Desk {
    Context& context;
    Ledger& ledger;
    const link::Registration& message;
    const JoinerCall& call;
    std::int64_t now;

    [[nodiscard]] Occasion occasion(std::string detail = {}) const {
        return {now, call.caller, std::move(detail)};
    }
};

// One answer for unknown, expired, used up, locked, revoked and wrong: none of them is told apart.
link::Problem code_invalid() {
    return problem(ProblemCode::kJoinCodeInvalid,
                   "this join code is not valid here (wrong, expired or used up); ask for another");
}

link::Problem release_mismatch(const Desk& desk) {
    const std::string& ours = desk.context.options.release;
    link::Problem made =
        problem(ProblemCode::kReleaseMismatch,
                "this machine runs release " + desk.message.release + ", the cluster runs " + ours +
                    ": install release " + ours + " on it, or upgrade the cluster first");
    made.details = Node::object();
    made.details.set("release", desk.message.release).set("clusterRelease", ours);
    return made;
}

link::Problem paused(const Desk& desk, std::int64_t until) {
    link::Problem made = problem(ProblemCode::kTooManyRequests,
                                 "too many pairings have failed in the last hour: the founder "
                                 "takes no new machine until " +
                                     format_time(until) + ", or until an administrator lifts it");
    made.headers.emplace_back("Retry-After",
                              std::to_string(std::max<std::int64_t>(1, until - desk.now)));
    return made;
}

Registered answer_of(const JoinRecord& join, std::int64_t now, bool made) {
    Registered registered;
    registered.made = made;
    link::RegistrationAnswer& answer = registered.answer;
    answer.id = join.id;
    answer.state = std::string(state_name(join.state));
    if (const auto nonce = link::parse_nonce(join.founder_nonce)) answer.founder_nonce = *nonce;
    if (const auto proof = from_hex(join.founder_proof); proof && proof->size() == 32) {
        answer.founder_proof.emplace();
        std::copy(proof->begin(), proof->end(), answer.founder_proof->begin());
    }
    answer.expires_at = join.expires_at;
    answer.server_time = now;
    answer.upgrade = join.upgrade;
    return registered;
}

std::optional<JoinRecord> join_holding(Ledger& ledger, const link::Fingerprint& key) {
    const auto id = ledger.holder(Claim::kJoinKey, key.str());
    return id ? find_join(ledger, *id) : std::nullopt;
}

std::optional<JoinCodeRecord> proved_code(const Desk& desk) {
    if (desk.message.code_id.empty() || !desk.message.code_proof || !desk.message.commitment)
        return std::nullopt;
    return prove_code(
        desk.ledger, desk.context.options.identity,
        {desk.message.code_id, *desk.message.code_proof, desk.call.key, *desk.message.commitment});
}

link::Upgrade upgrade_of(const Desk& desk) {
    const FounderOptions& options = desk.context.options;
    return {desk.message.release, options.release, options.upgrade_source,
            options.upgrade_source.empty() && options.serves_release};
}

JoinRecord fresh_join(const Desk& desk, const JoinCodeRecord& code) {
    JoinRecord join;
    join.id = fresh_id(
        "nj-", [&](const std::string& id) { return find_join(desk.ledger, id).has_value(); });
    const link::Nonce nonce = link::random_nonce();
    Sha256 key{};
    if (const auto bytes = from_hex(code.key); bytes && bytes->size() == key.size())
        std::copy(bytes->begin(), bytes->end(), key.begin());
    const link::PairingTuple tuple{desk.context.options.identity, desk.call.key,
                                   *desk.message.commitment, nonce, join.id};
    join.sequence = desk.ledger.next("join");
    join.code_id = code.id;
    join.key_fingerprint = desk.call.key.str();
    join.commitment = to_hex(*desk.message.commitment);
    join.founder_nonce = to_hex(nonce);
    join.founder_proof = to_hex(link::founder_proof(key, tuple));
    join.reveal_by = desk.now + kRevealSeconds;
    join.release = desk.message.release;
    join.self_upgrade = desk.message.self_upgrade;
    join.address = desk.call.caller.from;
    join.registered_at = join.heard_at = desk.now;
    join.expires_at = code.expires_at + kExpiresAfterCodeSeconds;
    return join;
}

// Makes the join and spends the use, in this one transaction.
Made make_join(const Desk& desk, JoinCodeRecord code, const std::string& replaces) {
    JoinRecord join = fresh_join(desk, code);
    join.replaces = replaces;
    const bool upgrades = judge_release(desk.context.options, join.release, join.self_upgrade) ==
                          ReleaseVerdict::kMayUpgrade;
    if (upgrades) join.upgrade = upgrade_of(desk);
    ++code.uses;
    desk.ledger.put(code.id, code);
    if (!desk.ledger.take(Claim::kJoinKey, join.key_fingerprint, join.id))
        desk.ledger.fault("a key that no join holds cannot be taken");
    if (!enter(desk.ledger, join, upgrades ? JoinEvent::kRegisteredOld : JoinEvent::kRegistered,
               desk.occasion("release " + join.release)))
        desk.ledger.fault("a new join has no way in");
    return kept(answer_of(join, desk.now, true));
}

// The checks of a new run, in the order of the protocol.
std::optional<link::Problem> why_no_new_run(const Desk& desk,
                                            const std::optional<JoinCodeRecord>& code) {
    const std::int64_t until = paused_until(guard_record(desk.ledger), desk.now);
    if (until != 0) return paused(desk, until);
    if (!code || !is_open(*code, desk.now)) return code_invalid();
    if (judge_release(desk.context.options, desk.message.release, desk.message.self_upgrade) ==
        ReleaseVerdict::kRefused)
        return release_mismatch(desk);
    return std::nullopt;
}

Made new_run(const Desk& desk) {
    const auto code = proved_code(desk);
    if (auto why_not = why_no_new_run(desk, code)) return refused<Registered>(std::move(*why_not));
    return make_join(desk, *code, "");
}

// The same key began another pairing: the old join ends, and the new one costs a use.
Made replace_run(const Desk& desk, JoinRecord old) {
    const auto code = proved_code(desk);
    if (!code) return refused<Registered>(code_invalid());
    if (old.state != JoinState::kPending && old.state != JoinState::kNeedsUpgrade)
        return refused<Registered>(
            state_conflict(old, "its key cannot begin another pairing while this join stands"));
    if (auto why_not = why_no_new_run(desk, code)) return refused<Registered>(std::move(*why_not));
    const bool never_revealed = !old.is_revealed();
    old.ended_reason = "the machine began another pairing with the same key";
    if (!enter(desk.ledger, old, JoinEvent::kPairingEnded, desk.occasion(old.ended_reason)))
        desk.ledger.fault("a pending join cannot be ended");
    if (never_revealed) count_failed_reveal(desk.ledger, old.code_id, desk.occasion());
    // The count may have locked this very code.
    const auto after = desk.ledger.get<JoinCodeRecord>(code->id);
    if (!after || !is_open(*after, desk.now)) return refused_but_kept<Registered>(code_invalid());
    return make_join(desk, *after, old.id);
}

// A known key with its own commitment, or none: the same answer as at the first time.
Made same_run(const Desk& desk, JoinRecord join) {
    const bool waits = join.state == JoinState::kPending || join.state == JoinState::kNeedsUpgrade;
    if (!waits) return kept(answer_of(join, desk.now, false));
    const ReleaseVerdict verdict =
        judge_release(desk.context.options, desk.message.release, desk.message.self_upgrade);
    if (verdict == ReleaseVerdict::kRefused) return refused<Registered>(release_mismatch(desk));
    // Its address may be another by now, and is what mgmt defaults to.
    const bool is_changed =
        join.release != desk.message.release || join.address != desk.call.caller.from;
    join.release = desk.message.release;
    join.address = desk.call.caller.from;
    join.self_upgrade = desk.message.self_upgrade;
    if (verdict == ReleaseVerdict::kSame && join.state == JoinState::kNeedsUpgrade) {
        join.upgrade.reset();
        join.steps.clear();
        join.failed_step.clear();
        join.failed_step_title.clear();
        join.failed_error.clear();
        if (!enter(desk.ledger, join, JoinEvent::kUpgraded, desk.occasion()))
            desk.ledger.fault("an upgraded join has no way on");
    } else if (verdict == ReleaseVerdict::kMayUpgrade && join.state == JoinState::kPending) {
        join.upgrade = upgrade_of(desk);
        if (!enter(desk.ledger, join, JoinEvent::kRegisteredOld, desk.occasion()))
            desk.ledger.fault("a join on an older release has no way on");
    } else if (is_changed) {
        touch(desk.ledger, join, desk.now);
    }
    return kept(answer_of(join, desk.now, false));
}

Made come_back(const Desk& desk, const JoinRecord& join) {
    const bool has_code = !desk.message.code_id.empty() || desk.message.code_proof.has_value();
    const bool same =
        !desk.message.commitment || to_hex(*desk.message.commitment) == join.commitment;
    if (!has_code) return same ? same_run(desk, join) : refused<Registered>(code_invalid());
    if (!same) return replace_run(desk, join);
    // Used up by this very join or not: what it proved once it may prove again.
    const auto code = proved_code(desk);
    if (!code || code->id != join.code_id) return refused<Registered>(code_invalid());
    return same_run(desk, join);
}

// Before the code is checked nothing of the cluster is told, but a joiner of another release must
// learn that this is why its message is not understood.
link::Problem undecoded(const Context& context, const link::Registration& message,
                        const Findings& findings) {
    const bool other = !message.release.empty() && judge_release(context.options, message.release,
                                                                 true) == ReleaseVerdict::kRefused;
    if (!other) return link::invalid_input(findings);
    link::Problem made = problem(ProblemCode::kReleaseMismatch,
                                 "release " + message.release +
                                     " is not the cluster's, and its registration was not "
                                     "understood: install the cluster's release on this machine");
    made.details = Node::object();
    made.details.set("release", message.release);
    return made;
}

// Every wrong code is counted against its address, at once: a founder that is killed behind the
// answer has not forgotten it.
void note_refusal(Context& context, const JoinerCall& call, link::Problem& why) {
    const std::int64_t now = context.clock.unix_seconds();
    const bool is_told = context.refusals.admit(call.caller.actor, call.caller.from, now);
    why.is_audited = true;
    bool is_wrong_code = why.code == ProblemCode::kJoinCodeInvalid;
    if (is_wrong_code && !context.rates.may_write(now)) {
        (void)context.rates.take(kMoreWrongCodes, call.caller.from, now);
        ++context.unwritten_wrong_codes;
        is_wrong_code = false;
    }
    if (!is_told && !is_wrong_code) return;
    (void)change<void>(context, [&](Ledger& ledger) {
        if (is_wrong_code)
            count_wrong_code(ledger, call.caller.from, now,
                             context.unwritten_wrong_codes.exchange(0));
        if (!is_told) return kept();
        const std::string code(link::info_of(why.code).name);
        AuditRecord entry = audit_of({now, call.caller, code + ": " + why.detail},
                                     "cluster.join.registered", "key/" + call.key.str());
        entry.result = "refused";
        write_audit(ledger, entry);
        return kept();
    });
}

// In a transaction of its own, so that it holds whatever comes of the registration.
void end_overdue_of(Context& context, const JoinerCall& call) {
    const std::int64_t now = context.clock.unix_seconds();
    const auto overdue = look<bool>(context, [&](Ledger& ledger) -> Answer<bool> {
        const auto join = join_holding(ledger, call.key);
        return join && !join->is_revealed() && now > join->reveal_by;
    });
    if (!overdue || !*overdue) return;
    (void)change<void>(context, [&](Ledger& ledger) {
        if (auto join = join_holding(ledger, call.key))
            end_if_overdue(ledger, *join, {now, {"founder", "", ""}, ""});
        return kept();
    });
}

// Whoever guesses codes, or floods one, waits before any code is looked at: the answer says nothing
// about the code. A key that comes back without one is not held up.
std::optional<link::Problem> why_wait(Context& context, const link::Registration& message,
                                      const JoinerCall& call) {
    if (message.code_id.empty()) return std::nullopt;
    const std::int64_t now = context.clock.unix_seconds();
    const auto wait = look<std::int64_t>(context, [&](Ledger& ledger) -> Answer<std::int64_t> {
        return wrong_code_wait(ledger, call.caller.from, now);
    });
    if (!wait) return wait.error();
    const auto longest =
        std::max(*wait, context.rates.wait(kMoreWrongCodes, call.caller.from, now));
    if (longest != 0)
        return too_often(longest, "too many join codes from " + call.caller.from + " did not hold");
    const std::int64_t of_code = context.rates.take(kCodeRate, message.code_id, now);
    if (of_code != 0) return too_often(of_code, "too many machines register with this join code");
    return std::nullopt;
}

Answer<Registered> judge_key(Context& context, const link::Registration& message,
                             const JoinerCall& call) {
    if (auto why_not = why_wait(context, message, call))
        return tl::make_unexpected(std::move(*why_not));
    return change<Registered>(context, [&](Ledger& ledger) {
        const Desk desk{context, ledger, message, call, context.clock.unix_seconds()};
        const auto known = join_holding(ledger, call.key);
        return known ? come_back(desk, *known) : new_run(desk);
    });
}

} // namespace

Answer<Registered> register_key(Context& context, const Node& body, const JoinerCall& call) {
    Findings findings;
    const link::Registration message = link::read_registration(body, findings);
    if (!findings.empty()) return tl::make_unexpected(undecoded(context, message, findings));
    end_overdue_of(context, call);
    auto answer = judge_key(context, message, call);
    if (!answer && answer.error().code != ProblemCode::kInternal)
        note_refusal(context, call, answer.error());
    return answer;
}

} // namespace stratum::founder
