// registering and revealing: the one run of pairing. The order is the protection: stored, then
// sent; proved, then trusted.
#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "installer/handlers.hpp"
#include "installer/hardware_hash.hpp"

namespace stratum::installer {
namespace {

// The founder ends a pairing whose reveal has not come by then.
constexpr std::int64_t kRevealWithinMs = 60'000;
constexpr int kMostFreshPairings = 5;

link::PairingTuple tuple_of(const Session& session, const KeptPairing& pairing) {
    const link::Fingerprint& ours = session.key().fingerprint;
    return {pairing.founder_key, ours, link::commitment(*session.record().nonce, ours),
            pairing.founder_nonce, pairing.join_id};
}

link::Registration registration_of(const Session& session) {
    const JoinerRecord& record = session.record();
    const link::Fingerprint& ours = session.key().fingerprint;
    link::Registration message;
    message.release = session.options().release;
    message.self_upgrade = session.options().self_upgrade;
    message.commitment = link::commitment(*record.nonce, ours);
    if (record.code && !record.pairing) {
        message.code_id = record.code->id;
        message.code_proof =
            link::code_proof(record.code->key, *record.founder_key, ours, *message.commitment);
    }
    return message;
}

// Whoever answers has not proved the code: nothing more is sent to it.
Next unproved(Session& session) {
    JoinerRecord next = session.record();
    mark_used(next);
    next.code.reset();
    next.founder_key.reset();
    next.nonce.reset();
    return session.enter(
        JoinerEvent::kCodeRefused, std::move(next),
        {"Whoever answers at " + session.wire().address() +
             " did not prove that it knows the join code.",
         "somebody stands between this machine and the founder, or the address is wrong; nothing "
         "more was sent",
         "Check the address and the network, then type a new join code."});
}

Next registered(Session& session, const link::RegistrationAnswer& answer) {
    if (!answer.founder_proof) return unproved(session);
    const KeptPairing pairing{*session.record().founder_key, answer.founder_nonce, answer.id,
                              *answer.founder_proof};
    const Sha256 due = link::founder_proof(session.record().code->key, tuple_of(session, pairing));
    if (!equal_constant_time(due, *answer.founder_proof)) return unproved(session);
    session.heard_time(answer.server_time);
    JoinerRecord next = session.record();
    next.pairing = pairing;
    next.release = session.options().release;
    mark_used(next);
    return session.enter(JoinerEvent::kRegistered, std::move(next),
                         {"The founder proved that it knows the join code.", "", ""});
}

// Registered again without a code, after this program became another release: the tuple we hold is
// the only one that counts.
Next known_again(Session& session, const link::RegistrationAnswer& answer) {
    const KeptPairing& held = *session.record().pairing;
    if (answer.id != held.join_id || answer.founder_nonce != held.founder_nonce) {
        return session.enter(JoinerEvent::kRefused, session.record(),
                             {"The founder gave another answer than when this machine registered.",
                              "its nonce or the join's id changed in the middle of the join",
                              "Look at the founder. Press Enter to start again with a join code."});
    }
    session.heard_time(answer.server_time);
    JoinerRecord next = session.record();
    next.release = session.options().release;
    return session.enter(
        JoinerEvent::kKnownAgain, std::move(next),
        {"Registered again on release " + session.options().release + ".", "", ""});
}

Next refused_registration(Session& session, const Refusal& refusal) {
    const RefusalRow& row = row_of(refusal);
    const Words words{std::string(row.message), refusal.message, std::string(row.next_step)};
    JoinerRecord next = session.record();
    switch (row.remedy) {
    case Remedy::kAskCode:
        mark_used(next);
        next.code.reset();
        next.nonce.reset();
        next.pairing.reset();
        return session.enter(JoinerEvent::kCodeRefused, std::move(next), words);
    case Remedy::kNewKey:
        mark_used(next);
        next.new_key_wanted = true;
        return session.enter(JoinerEvent::kRefused, std::move(next), words);
    case Remedy::kStop:
        mark_used(next); // not by itself: somebody must look first
        return session.enter(JoinerEvent::kRefused, std::move(next), words);
    case Remedy::kRetry:
    case Remedy::kPairing:
    case Remedy::kEnded:
        break;
    }
    return session.retry(refusal);
}

// This run of pairing is over before it stood. Within its minute it is nobody's fault, and a fresh
// one may follow; after that the code's use is gone.
Next pairing_over(Session& session, const std::string& why) {
    JoinerRecord next = session.record();
    next.pairing.reset();
    const auto& since = session.pairing_since_ms;
    const bool in_time =
        since && session.seams().clock.steady_ms() - *since < kRevealWithinMs && next.code;
    if (!in_time) {
        next.code.reset();
        next.nonce.reset();
        return session.enter(
            JoinerEvent::kPairingLost, std::move(next),
            {"The pairing was not finished within 60 seconds, and the join code's use is gone.",
             why, "Make another join code on the founder and type it here."});
    }
    if (next.fresh_pairings >= kMostFreshPairings) {
        next.code.reset();
        next.nonce.reset();
        return session.enter(JoinerEvent::kRefused, std::move(next),
                             {"Pairing failed several times in a row.", why,
                              "Look at the founder, then press Enter to start again."});
    }
    ++next.fresh_pairings;
    next.nonce = link::random_nonce();
    session.pairing_since_ms.reset();
    return session.enter(JoinerEvent::kPairAgain, std::move(next),
                         {"The pairing ended (" + why + "); a fresh one is made.", "", ""});
}

Next revealed(Session& session, const link::JoinerView& view, const std::string& inventory_hash) {
    const KeptPairing& held = *session.record().pairing;
    if (view.id != held.join_id) {
        return session.retry({"The founder's answer is not understood.",
                              "it is about join " + view.id + ", ours is " + held.join_id, ""});
    }
    if (event_of_view(view.state) == JoinerEvent::kSeenEnded) {
        return pairing_over(session, view.ended_reason.empty() ? "the join is " + view.state
                                                               : view.ended_reason);
    }
    session.heard_time(view.server_time);
    JoinerRecord next = session.record();
    next.code.reset();
    next.inventory_sha256 = inventory_hash;
    return session.enter(JoinerEvent::kRevealed, std::move(next),
                         {"An admin compares this code with the founder's and approves.", "",
                          "On the founder: stratumctl admin joins show " + held.join_id});
}

} // namespace

Next register_machine(Session& session) {
    if (!session.pairing_since_ms && !session.resumed) {
        session.pairing_since_ms = session.seams().clock.steady_ms();
    }
    FounderWire& wire = session.wire();
    const auto answer = session.during(
        [&wire, message = registration_of(session)] { return post_registration(wire, message); });
    if (!answer) return refused_registration(session, answer.error());
    session.answered();
    if (session.record().pairing) return known_again(session, *answer);
    return registered(session, *answer);
}

Next reveal(Session& session) {
    const auto inventory = session.look();
    if (!inventory) {
        return session.retry({"This machine's hardware cannot be read.", inventory.error().message,
                              "Look at this machine's log."});
    }
    link::Reveal message;
    message.nonce = *session.record().nonce;
    message.inventory = facts::to_node(*inventory);
    const std::string hash = hardware_sha256(*inventory);
    const std::string join_id = session.record().pairing->join_id;
    FounderWire& wire = session.wire();
    const auto view = session.during([&] { return post_reveal(wire, join_id, message); });
    if (view) {
        session.answered();
        return revealed(session, *view, hash);
    }
    const Refusal& refusal = view.error();
    const bool over = refusal.code == "PAIRING_FAILED" || refusal.code == "NOT_FOUND" ||
                      refusal.code == "JOIN_STATE_CONFLICT";
    if (over) return pairing_over(session, refusal.message);
    return refused_registration(session, refusal);
}

} // namespace stratum::installer
