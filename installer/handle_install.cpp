// fetching and installing: node.yaml and the bundle are taken only if they are what the founder
// said; the result is told until the founder has acknowledged it, and only then is it true.
#include <algorithm>

#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "installer/driver.hpp"
#include "installer/handlers.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kFolder = "delivered";
constexpr std::string_view kNodeYaml = "delivered/node.yaml";
constexpr std::string_view kBundle = "delivered/bundle.tar";
constexpr std::string_view kJournal = "journal.json";
constexpr std::size_t kMostDelivery = 64u << 20;
constexpr std::int64_t kReportEveryMs = 1000;
constexpr std::int64_t kReachableMs = 5000;
constexpr int kMostRefusedDeliveries = 3;

struct Delivery {
    std::string node_yaml, bundle_tar;
    config::NodeConfig node;
};

std::string hash_of(const std::string& content) {
    return to_hex(sha256(bytes_of(content)));
}

Status require_hash(std::string_view what, const std::string& content, const std::string& due) {
    if (hash_of(content) == due) return {};
    return fail(ErrorCode::kInvalid, std::string(what) + " has SHA-256 " + hash_of(content) +
                                         ", the founder said " + due);
}

// Everything that makes a delivery ours: readable, of this join and attempt, from the one founder.
Result<config::NodeConfig> judge(const Session& session, const std::string& node_yaml) {
    auto checked = config::check_node_yaml(node_yaml);
    if (!checked.config) {
        std::string all = "node.yaml is refused";
        for (const std::string& line : checked.findings.lines()) all += "; " + line;
        return fail(ErrorCode::kInvalid, all.substr(0, 3000));
    }
    const config::NodeConfig& node = *checked.config;
    const JoinRecord& record = session.record();
    if (node.join_id != record.pairing->join_id || node.attempt != record.attempt) {
        return fail(ErrorCode::kInvalid, "node.yaml is of join “" + node.join_id + "”, attempt " +
                                             std::to_string(node.attempt) + "; ours is " +
                                             record.pairing->join_id + ", attempt " +
                                             std::to_string(record.attempt));
    }
    if (!node.founder || node.founder->key != record.founder_key->str()) {
        return fail(ErrorCode::kDenied, "node.yaml names another founder's key than the one this "
                                        "machine registered with");
    }
    return std::move(*checked.config);
}

Result<Delivery> read_delivery(Session& session) {
    const JoinRecord& record = session.record();
    Files& files = session.seams().files;
    auto yaml = files.read(session.file(kNodeYaml), kMostDelivery);
    if (!yaml) return tl::make_unexpected(yaml.error());
    if (auto same = require_hash("node.yaml", *yaml, record.node_yaml_sha256); !same) {
        return tl::make_unexpected(same.error());
    }
    std::string bundle;
    if (!record.bundle_sha256.empty()) {
        auto read = files.read(session.file(kBundle), kMostDelivery);
        if (!read) return tl::make_unexpected(read.error());
        if (auto same = require_hash("the bundle", *read, record.bundle_sha256); !same) {
            return tl::make_unexpected(same.error());
        }
        bundle = std::move(*read);
    }
    auto node = judge(session, *yaml);
    if (!node) return tl::make_unexpected(node.error());
    return Delivery{std::move(*yaml), std::move(bundle), std::move(*node)};
}

// The fault of no one step: the delivery was refused.
link::Step delivery_step(Session& session, const std::string& why) {
    link::Step step;
    step.name = "join";
    step.title = "Taking what the founder delivered";
    step.status = link::StepStatus::kFailed;
    step.error = why;
    step.started_at = step.finished_at = session.seams().clock.unix_seconds();
    return step;
}

// After a restart nothing but the journal knows how far the steps came; what was told then may have
// been lost on the way.
void recall_steps(Session& session) {
    const JoinRecord& record = session.record();
    const auto journal = Journal::open(session.seams().files, session.file(kJournal));
    std::vector<link::Step> steps;
    if (journal && journal->state().join_id == record.pairing->join_id &&
        journal->state().attempt == record.attempt) {
        for (const auto& [name, step] : journal->state().steps) steps.push_back(step);
    }
    std::ranges::stable_sort(steps, {}, [](const link::Step& step) {
        return std::pair(step.started_at.value_or(INT64_MAX), step.finished_at.value_or(INT64_MAX));
    });
    const bool is_told = std::ranges::any_of(
        steps, [](const link::Step& step) { return step.status == link::StepStatus::kFailed; });
    if (record.result == "failed" && !is_told)
        steps.push_back(delivery_step(session, record.error));
    for (const link::Step& step : steps) session.reporter->set_step(step);
}

// Its own connection: reports go out from another thread than the session's calls.
void make_reporter(Session& session) {
    if (session.reporter) return;
    const JoinRecord& record = session.record();
    const auto wire = std::make_shared<FounderWire>(session.seams().make_client, &session.key());
    wire->set_founder(record.founders, record.founder_key);
    session.reporter = std::make_unique<Reporter>(
        record.attempt, session.seams().clock,
        [wire, id = record.pairing->join_id](const link::Progress& progress) {
            return post_progress(*wire, id, progress);
        });
    recall_steps(session);
}

void show_steps(Session& session) {
    session.shown().steps = session.reporter->steps();
    session.publish();
}

// The result stands in the record before it is told; told again and again until it is known.
Next tell_result(Session& session) {
    const JoinRecord& record = session.record();
    make_reporter(session);
    session.reporter->set_result(record.result);
    Reporter& reporter = *session.reporter;
    const auto told = session.during([&] { return reporter.flush(true); });
    if (!told && session.reporter->is_refused()) {
        session.reporter.reset();
        return look_again(session);
    }
    if (!told) return session.retry(told.error());
    session.answered();
    session.reporter.reset();
    JoinRecord next = record;
    next.result.clear();
    if (record.result == "joined") {
        (void)session.seams().files.remove(session.file(kBundle)); // it holds secrets
        return session.enter(JoinEvent::kAllDone, std::move(next),
                             {"It is now " + record.name + " (" + record.node_id + ").", "", ""});
    }
    const std::string id = record.pairing->join_id;
    return session.enter(JoinEvent::kStepFailed, std::move(next),
                         {record.message, record.error,
                          "On the founder: stratumctl admin joins retry " + id + " (or reject)"});
}

// Stores how the attempt ended, with the words for the console; the next run tells the founder.
Next end_attempt(Session& session, const std::string& result, const Words& words) {
    JoinRecord next = session.record();
    next.result = result;
    next.message = words.message;
    next.error = words.error;
    if (const auto kept = session.keep(std::move(next)); !kept) {
        return session.retry({"This machine's state cannot be stored.", kept.error().message, ""});
    }
    return {};
}

Next refuse_delivery(Session& session, const std::string& why) {
    make_reporter(session);
    session.reporter->set_step(delivery_step(session, why));
    session.reporter->log("the delivery is refused: " + why);
    show_steps(session);
    return end_attempt(session, "failed", {"What the founder delivered is refused.", why, ""});
}

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

bool is_founder_reachable(Session& session, const std::vector<HostPort>& founders) {
    FounderWire wire(session.seams().make_client, &session.key());
    wire.set_founder(founders, session.record().founder_key);
    link::HttpRequest request;
    request.path = "/v1/join/registrations/" + session.record().pairing->join_id;
    request.timeout_ms = kReachableMs;
    const auto answer = wire.send(request);
    // Any answer over the pinned key counts: it is the way there that is asked about.
    return answer || answer.error().kind == Refusal::Kind::kProblem;
}

DriveResult run_attempt(Session& session, Journal& journal, const Delivery& delivery) {
    make_reporter(session);
    const std::vector<HostPort> founders = session.record().founders;
    DriveInput input{session.options(),
                     session.seams(),
                     journal,
                     *session.reporter,
                     delivery.node,
                     delivery.node_yaml,
                     delivery.bundle_tar,
                     {},
                     {},
                     {},
                     {},
                     {}};
    input.look = [&] { return session.look(); };
    input.founder_reachable = [&] { return is_founder_reachable(session, founders); };
    input.show = [&] { show_steps(session); };
    input.say = [&](const std::string& line) { session.say(line); };
    input.sleep_ms = [&](std::int64_t wait_ms) { return !session.seams().wait(wait_ms).stop; };
    std::unique_ptr<Background> background;
    if (session.seams().start_background) {
        background = session.seams().start_background(
            [reporter = session.reporter.get()] { (void)reporter->flush(false); }, kReportEveryMs);
    }
    return drive(input);
}

// After a restart the founder may know better: rejected, retried, already told of a failure.
std::optional<Next> resume(Session& session) {
    if (!session.resumed) return std::nullopt;
    session.resumed = false;
    session.say("goes on after a restart");
    FounderWire& wire = session.wire();
    const std::string id = session.record().pairing->join_id;
    const auto answer = session.during([&] { return get_view(wire, id, "", 0); });
    if (!answer) return std::nullopt; // the network may be what the next phase repairs
    session.answered();
    const auto event = event_of_view(answer->view->state);
    const bool is_same =
        event == JoinEvent::kSeenDelivering && answer->view->attempt == session.record().attempt;
    if (is_same) return std::nullopt;
    return take_view(session, *answer->view);
}

} // namespace

Next fetch(Session& session) {
    if (!session.record().result.empty()) return tell_result(session);
    const JoinRecord& record = session.record();
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
    const auto ours = judge(session, *yaml);
    if (!ours) return refuse_delivery(session, ours.error().message);
    session.deliveries_refused = 0;
    Files& files = session.seams().files;
    Status stored = files.make_folder(session.file(kFolder), 0700);
    if (stored) stored = files.write(session.file(kNodeYaml), *yaml, 0600);
    if (stored) stored = files.write(session.file(kBundle), tar, 0600);
    if (!stored) {
        return session.retry({"What the founder delivered cannot be stored.",
                              stored.error().message, "Look at the disk of this machine's state."});
    }
    // The plan may move this machine to another network: there the founder has other addresses. The
    // key stays.
    JoinRecord next = record;
    for (const std::string& text : ours->founder->addresses) {
        const auto address = HostPort::parse(text);
        if (address && std::ranges::find(next.founders, *address) == next.founders.end()) {
            next.founders.push_back(*address);
        }
    }
    return session.enter(
        JoinEvent::kDelivered, std::move(next),
        {"Works through its steps; the founder's console shows them too.", "", ""});
}

Next install(Session& session) {
    if (!session.record().result.empty()) return tell_result(session);
    if (auto next = resume(session)) return *next;
    const JoinRecord& record = session.record();
    const auto delivery = read_delivery(session);
    if (!delivery) {
        session.say("what was delivered is fetched again: " + delivery.error().message);
        return session.enter(JoinEvent::kSeenDelivering, record, {});
    }
    auto journal = Journal::open(session.seams().files, session.file(kJournal));
    if (!journal) return refuse_delivery(session, journal.error().message);
    const auto begun =
        journal->begin(record.pairing->join_id, record.attempt, record.node_yaml_sha256);
    if (!begun) return session.retry({"The journal cannot be stored.", begun.error().message, ""});
    const DriveResult result = run_attempt(session, *journal, *delivery);
    switch (result.kind) {
    case DriveResult::Kind::kDone:
        return end_attempt(session, "joined", {"Everything is done; tells the founder.", "", ""});
    case DriveResult::Kind::kFailed:
        return end_attempt(session, "failed", {"Failed at: " + result.title, result.error, ""});
    case DriveResult::Kind::kRefused: {
        session.reporter.reset();
        const Next next = look_again(session);
        return next.kind == Next::Kind::kNow ? Next{Next::Kind::kWait, 1000} : next;
    }
    case DriveResult::Kind::kStopped:
        break;
    }
    return {Next::Kind::kStop, 0};
}

} // namespace stratum::installer
