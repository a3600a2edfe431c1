// The reveal and the inventory: from here on the pairing code stands, on both sides.

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "common/base/net.hpp"
#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "founder/cluster_view.hpp"
#include "founder/join_codes.hpp"
#include "founder/pairing_desk.hpp"

namespace stratum::founder {
namespace {

using link::ProblemCode;
using Seen = Decision<link::JoinerView>;

// How often a sign of life is written down; a finer one would cost a write for each poll.
constexpr std::int64_t kHeardEverySeconds = 60;

struct Desk {
    Context& context;
    Ledger& ledger;
    const JoinerCall& call;
    std::int64_t now;

    [[nodiscard]] Occasion occasion(std::string detail = {}) const {
        return {now, call.caller, std::move(detail)};
    }
};

bool is_before_approval(const JoinRecord& join) {
    return join.state == JoinState::kPending || join.state == JoinState::kNeedsUpgrade;
}

link::Problem key_in_use() {
    return problem(ProblemCode::kJoinKeyInUse,
                   "this key is another machine's: the disk or image it lies on was cloned. "
                   "Remove the joiner's state folder on this machine and start again");
}

link::Problem pairing_failed(const std::string& detail) {
    return problem(ProblemCode::kPairingFailed, detail);
}

bool same_bytes(const std::string& hex, std::span<const std::uint8_t> bytes) {
    const auto kept_bytes = from_hex(hex);
    return kept_bytes && equal_constant_time(*kept_bytes, bytes);
}

// True where it is another than before.
bool store_inventory(Ledger& ledger, JoinRecord& join, const facts::Inventory& inventory) {
    std::string text = write_json(facts::to_node(inventory));
    if (ledger.text(Kind::kInventory, join.id) == text) return false;
    ledger.put_text(Kind::kInventory, join.id, text);
    join.hostname = inventory.hostname;
    return true;
}

// Ends the join over its pairing; where it is a guess that failed, its code pays for it.
Seen end_pairing(const Desk& desk, JoinRecord join, link::Problem why, bool counts) {
    join.ended_reason = why.detail;
    if (!enter(desk.ledger, join, JoinEvent::kPairingEnded, desk.occasion(why.detail)))
        return refused<link::JoinerView>(std::move(why)); // approved already: the join stands
    if (counts) count_failed_reveal(desk.ledger, join.code_id, desk.occasion());
    why.is_audited = true; // the join's end is
    return refused_but_kept<link::JoinerView>(std::move(why));
}

std::string code_of(const Desk& desk, const JoinRecord& join, const link::Nonce& nonce) {
    const auto founder_nonce = link::parse_nonce(join.founder_nonce);
    if (!founder_nonce) {
        desk.ledger.fault("a join's nonce is damaged");
        return {};
    }
    const link::PairingTuple tuple{desk.context.options.identity, desk.call.key,
                                   link::commitment(nonce, desk.call.key), *founder_nonce, join.id};
    return link::pairing_code(tuple, nonce);
}

Seen first_reveal(const Desk& desk, JoinRecord join, const link::Nonce& nonce,
                  const facts::Inventory& inventory) {
    if (!join.replaces.empty()) {
        const auto before = inventory_of(desk.ledger, join.replaces);
        if (before && is_other_machine(*before, inventory))
            return end_pairing(desk, std::move(join), key_in_use(), false);
    }
    const std::string code = code_of(desk, join, nonce);
    if (!desk.ledger.take(Claim::kPairingCode, code, join.id))
        return end_pairing(desk, std::move(join),
                           pairing_failed("another waiting machine shows the same pairing code; "
                                          "start again on this one"),
                           false);
    join.joiner_nonce = to_hex(nonce);
    join.pairing_code = code;
    store_inventory(desk.ledger, join, inventory);
    join.heard_at = desk.now;
    touch(desk.ledger, join, desk.now);
    return kept(view_of(join, desk.now));
}

Seen new_inventory(const Desk& desk, JoinRecord join, const facts::Inventory& inventory) {
    const auto before = inventory_of(desk.ledger, join.id);
    if (before && is_other_machine(*before, inventory))
        return refused<link::JoinerView>(key_in_use());
    if (is_before_approval(join) && store_inventory(desk.ledger, join, inventory))
        touch(desk.ledger, join, desk.now);
    return kept(view_of(join, desk.now));
}

Seen judge_reveal(const Desk& desk, const JoinRecord& join, const link::Nonce& nonce,
                  const facts::Inventory& inventory) {
    if (!info_of(join.state).holds_key) {
        const std::string why = join.ended_reason.empty() ? "it is over" : join.ended_reason;
        if (!join.is_revealed()) return refused<link::JoinerView>(pairing_failed(why));
        return refused<link::JoinerView>(state_conflict(join, "start again with a join code"));
    }
    const bool fits = join.is_revealed()
                          ? same_bytes(join.joiner_nonce, nonce)
                          : same_bytes(join.commitment, link::commitment(nonce, desk.call.key));
    if (!fits)
        return end_pairing(desk, join,
                           pairing_failed("the revealed nonce does not fit the commitment; this "
                                          "pairing is over"),
                           true);
    return join.is_revealed() ? new_inventory(desk, join, inventory)
                              : first_reveal(desk, join, nonce, inventory);
}

void end_overdue(Context& context, const std::string& id) {
    const std::int64_t now = context.clock.unix_seconds();
    const auto overdue = look<bool>(context, [&](Ledger& ledger) -> Answer<bool> {
        const auto join = find_join(ledger, id);
        return join && !join->is_revealed() && now > join->reveal_by;
    });
    if (!overdue || !*overdue) return;
    (void)change<void>(context, [&](Ledger& ledger) {
        if (auto join = find_join(ledger, id))
            end_if_overdue(ledger, *join, {now, {"founder", "", ""}, ""});
        return kept();
    });
}

void note_sign_of_life(Context& context, const std::string& id, std::int64_t now) {
    (void)change<void>(context, [&](Ledger& ledger) {
        auto join = find_join(ledger, id);
        if (!join) return kept();
        join->heard_at = now;
        if (join->stalled) {
            join->stalled = false;
            touch(ledger, *join, now);
        } else {
            store_quietly(ledger, *join);
        }
        return kept();
    });
}

bool disjoint(const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::none_of(a.begin(), a.end(), [&](const std::string& x) { return b.contains(x); });
}

std::set<std::string> permanent_macs(const facts::Inventory& inventory) {
    std::set<std::string> macs;
    for (const facts::Nic& nic : inventory.nics) {
        const auto mac = MacAddress::parse(nic.permanent_mac);
        if (mac && mac->is_plausible()) macs.insert(mac->str());
    }
    return macs;
}

std::set<std::string> known(const std::string& identity) {
    if (identity.empty() || facts::is_placeholder_identity(identity)) return {};
    return {lower(identity)};
}

} // namespace

bool is_other_machine(const facts::Inventory& a, const facts::Inventory& b) {
    const std::array pairs = {
        std::pair{known(a.machine.uuid), known(b.machine.uuid)},
        std::pair{known(a.machine.serial), known(b.machine.serial)},
        std::pair{permanent_macs(a), permanent_macs(b)},
    };
    int compared = 0;
    for (const auto& [ours, theirs] : pairs) {
        if (ours.empty() || theirs.empty()) continue;
        ++compared;
        if (!disjoint(ours, theirs)) return false;
    }
    return compared > 0;
}

Answer<JoinRecord> join_of_key(Ledger& ledger, const std::string& id,
                               const link::Fingerprint& key) {
    auto join = find_join(ledger, id);
    if (!join) return tl::make_unexpected(problem(ProblemCode::kNotFound, "no such join"));
    if (join->key_fingerprint != key.str())
        return tl::make_unexpected(problem(ProblemCode::kJoinKeyMismatch,
                                           "this join is another key's: a join is pinned to the "
                                           "key that registered it"));
    return std::move(*join);
}

link::JoinerView view_of(const JoinRecord& join, std::int64_t now) {
    link::JoinerView view;
    view.id = join.id;
    view.state = std::string(state_name(join.state));
    view.revision = join.revision;
    view.attempt = static_cast<int>(join.attempt);
    view.wait_reason = join.wait_reason;
    view.upgrade = join.upgrade;
    view.expires_at = join.expires_at;
    view.server_time = now;
    view.node_id = join.node_id;
    view.name = join.name;
    view.node_yaml_sha256 = join.node_yaml_sha256;
    view.bundle_sha256 = join.bundle_sha256;
    view.failed_step = join.failed_step;
    view.failed_step_title = join.failed_step_title;
    view.failed_error = join.failed_error;
    view.ended_reason = join.ended_reason;
    view.revealed = join.is_revealed();
    return view;
}

bool end_if_overdue(Ledger& ledger, JoinRecord& join, const Occasion& occasion) {
    if (join.is_revealed() || occasion.now <= join.reveal_by || !is_before_approval(join))
        return false;
    Occasion told = occasion;
    told.detail = join.ended_reason =
        "the pairing was not finished within " + std::to_string(kRevealSeconds) + " seconds";
    if (!enter(ledger, join, JoinEvent::kPairingEnded, told)) return false;
    count_failed_reveal(ledger, join.code_id, occasion);
    return true;
}

Answer<link::JoinerView> reveal(Context& context, const std::string& id, const Node& body,
                                const JoinerCall& call) {
    Findings findings;
    const link::Reveal message = link::read_reveal(body, findings);
    facts::Inventory inventory;
    if (message.inventory.is_object())
        inventory =
            facts::read_inventory(message.inventory, FieldPath().key("inventory"), findings);
    end_overdue(context, id);
    return change<link::JoinerView>(context, [&](Ledger& ledger) {
        const Desk desk{context, ledger, call, context.clock.unix_seconds()};
        auto join = join_of_key(ledger, id, call.key);
        if (!join) return refused<link::JoinerView>(std::move(join.error()));
        if (!findings.empty()) return refused<link::JoinerView>(link::invalid_input(findings));
        return judge_reveal(desk, *join, message.nonce, inventory);
    });
}

Answer<link::JoinerView> put_inventory(Context& context, const std::string& id, const Node& body,
                                       const JoinerCall& call) {
    Findings findings;
    const facts::Inventory inventory = facts::read_inventory(body, {}, findings);
    end_overdue(context, id);
    return change<link::JoinerView>(context, [&](Ledger& ledger) {
        const Desk desk{context, ledger, call, context.clock.unix_seconds()};
        auto join = join_of_key(ledger, id, call.key);
        if (!join) return refused<link::JoinerView>(std::move(join.error()));
        if (!findings.empty()) return refused<link::JoinerView>(link::invalid_input(findings));
        if (!join->is_revealed())
            return refused<link::JoinerView>(
                state_conflict(*join, "the inventory comes with the reveal"));
        Seen seen = new_inventory(desk, *join, inventory);
        if (seen.answer && !is_before_approval(*join))
            return refused<link::JoinerView>(state_conflict(
                *join, "an inventory can only be replaced before the approval; the plan stands "
                       "and is checked again at the disk"));
        return seen;
    });
}

Answer<link::JoinerView> joiner_view(Context& context, const std::string& id,
                                     const link::Fingerprint& key) {
    end_overdue(context, id);
    const std::int64_t now = context.clock.unix_seconds();
    bool note = false;
    auto view = look<link::JoinerView>(context, [&](Ledger& ledger) -> Answer<link::JoinerView> {
        auto join = join_of_key(ledger, id, key);
        if (!join) return tl::make_unexpected(std::move(join.error()));
        note = info_of(join->state).is_running &&
               (join->stalled || now - join->heard_at >= kHeardEverySeconds);
        return view_of(*join, now);
    });
    if (view && note) note_sign_of_life(context, id, now);
    return view;
}

} // namespace stratum::founder
