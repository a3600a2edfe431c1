// fetching: node.yaml and the bundle are taken only if they are what the founder said.
#include <algorithm>

#include "installer/attempt_report.hpp"
#include "installer/delivery.hpp"
#include "installer/handlers.hpp"

namespace stratum::installer {
namespace {

constexpr int kMostRefusedDeliveries = 3;

// The delivery may be made anew at this very moment: asks again before it is called wrong.
Next wrong_delivery(Session& session, const Error& error) {
    if (++session.deliveries_refused >= kMostRefusedDeliveries) {
        session.deliveries_refused = 0;
        return refuse_delivery(session, error.message);
    }
    session.say(error.message + "; asking again");
    const Next next = look_again(session);
    return next.kind == Next::Kind::kNow ? Next{Next::Kind::kWait, 1000} : next;
}

Next undelivered(Session& session, const Refusal& refusal) {
    if (refusal.code == "JOIN_STATE_CONFLICT" || refusal.code == "NOT_FOUND") {
        const Next next = look_again(session);
        return next.kind == Next::Kind::kNow ? Next{Next::Kind::kWait, 1000} : next;
    }
    return take_refusal(session, refusal);
}

} // namespace

Next fetch(Session& session) {
    if (!session.record().result.empty()) return tell_result(session);
    const JoinerRecord& record = session.record();
    const std::string id = record.pairing->join_id;
    FounderWire& wire = session.wire();
    const auto yaml = session.during([&] { return get_delivery(wire, id, "node.yaml"); });
    if (!yaml) return undelivered(session, yaml.error());
    if (auto same = require_hash("node.yaml", *yaml, record.node_yaml_sha256); !same) {
        return wrong_delivery(session, same.error());
    }
    std::string tar;
    if (!record.bundle_sha256.empty()) {
        auto bundle = session.during([&] { return get_delivery(wire, id, "bundle"); });
        if (!bundle) return undelivered(session, bundle.error());
        tar = std::move(*bundle);
        if (auto same = require_hash("the bundle", tar, record.bundle_sha256); !same) {
            return wrong_delivery(session, same.error());
        }
    }
    session.answered();
    const auto ours = judge_node_yaml(session, *yaml);
    if (!ours) return refuse_delivery(session, ours.error().message);
    session.deliveries_refused = 0;
    const Status stored = store_delivery(session, *yaml, tar);
    if (!stored) {
        return session.retry({"What the founder delivered cannot be stored.",
                              stored.error().message, "Look at the disk of this machine's state."});
    }
    // The plan may move this machine to another network: there the founder has other addresses. The
    // key stays.
    JoinerRecord next = record;
    for (const std::string& text : ours->founder->addresses) {
        const auto address = HostPort::parse(text);
        if (address && std::ranges::find(next.founders, *address) == next.founders.end()) {
            next.founders.push_back(*address);
        }
    }
    return session.enter(
        JoinerEvent::kDelivered, std::move(next),
        {"Works through its steps; the founder's console shows them too.", "", ""});
}

} // namespace stratum::installer
