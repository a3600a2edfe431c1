#include "tests/fakes/fake_founder.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "common/base/document.hpp"
#include "common/base/text.hpp"

namespace stratum::fakes {
namespace {

using link::HttpAnswer;
using link::ProblemCode;

constexpr std::string_view kRegistrations = "/v1/join/registrations";
constexpr std::int64_t kRevealWithinMs = 60'000;

HttpAnswer json(int status, const Node& node) {
    return {status, {{"Content-Type", "application/json"}}, write_json(node)};
}

bool has_ended(const FakeJoin& join) {
    return join.state == "rejected" || join.state == "expired";
}

} // namespace

HttpAnswer problem_answer(ProblemCode code, const std::string& detail,
                          std::vector<std::pair<std::string, std::string>> headers) {
    link::Problem problem;
    problem.code = code;
    problem.detail = detail;
    headers.emplace_back("Content-Type", "application/problem+json");
    return {link::info_of(code).status, std::move(headers),
            write_json(link::to_node(problem, "0123456789abcdef", "/"))};
}

class FakeClient final : public link::HttpClient {
public:
    FakeClient(FakeFounder& founder, const link::ClientOptions& options)
        : founder_(founder), server_(options.server), pins_(options.pins),
          client_(options.identity->fingerprint) {}

    Result<HttpAnswer> send(const link::HttpRequest& request) override {
        if (founder_.before) founder_.before(request.method, request.path);
        const bool is_other = founder_.others.contains(server_.str());
        if (!is_other && (founder_.is_down || server_ != founder_.address)) {
            return fail(ErrorCode::kUnavailable, "connection refused");
        }
        if (is_other || std::ranges::find(pins_, founder_.key) == pins_.end()) {
            return fail(ErrorCode::kDenied, "the key there is not the pinned one");
        }
        if (founder_.hold_views && request.method == "GET") {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return stopped_; });
            return fail(ErrorCode::kUnavailable, "stopped");
        }
        HttpAnswer answer = founder_.serve(request, client_);
        if (founder_.after) founder_.after(request.method, request.path);
        if (founder_.lose_answers > 0) {
            --founder_.lose_answers;
            return fail(ErrorCode::kUnavailable, "connection reset");
        }
        return answer;
    }
    Result<HttpAnswer> stream(const link::HttpRequest& /*request*/,
                              const std::function<bool(std::string_view)>& /*on_data*/) override {
        return fail(ErrorCode::kInternal, "the fake does not stream");
    }
    void stop() override {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        wake_.notify_all();
    }

private:
    FakeFounder& founder_;
    HostPort server_;
    std::vector<link::Fingerprint> pins_;
    link::Fingerprint client_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopped_ = false;
};

FakeFounder::FakeFounder(FakeClock& its_clock)
    : clock(its_clock), key(sha256(bytes_of("the founder's key"))) {}

link::JoinCode FakeFounder::make_code(int uses) {
    link::JoinCode code = link::JoinCode::generate();
    codes[code.id()] = {code.id(), code.key(), uses};
    return code;
}

std::string FakeFounder::uri(const link::JoinCode& code) const {
    return link::JoinUri{{address}, code, key}.str();
}

FakeJoin& FakeFounder::join() {
    if (joins.empty()) throw std::logic_error("nobody has registered");
    return joins.back();
}

void FakeFounder::set_state(const std::string& state) {
    join().state = state;
    ++join().revision;
}

void FakeFounder::approve() {
    join().wait_reason = "It waits for its turn";
    set_state("approved");
}

void FakeFounder::deliver() {
    join().wait_reason.clear();
    if (render) node_yaml = render(join());
    set_state("delivering");
}

void FakeFounder::retry() {
    ++join().attempt;
    join().steps.clear();
    join().log.clear();
    join().result.clear();
    join().failed_step.clear();
    approve();
}

Result<std::unique_ptr<link::HttpClient>>
FakeFounder::make_client(const link::ClientOptions& options) {
    if (options.pins.empty()) return fail(ErrorCode::kInvalid, "no founder key");
    return std::make_unique<FakeClient>(*this, options);
}

Result<link::Fingerprint> FakeFounder::ask_key(const HostPort& server) {
    if (others.contains(server.str())) return link::Fingerprint(sha256(bytes_of("another key")));
    if (is_down || server != address) return fail(ErrorCode::kUnavailable, "connection refused");
    return key;
}

int FakeFounder::count(const std::string& method, const std::string& path_part) const {
    return static_cast<int>(std::ranges::count_if(seen, [&](const Seen& one) {
        return one.method == method && one.path.find(path_part) != std::string::npos;
    }));
}

HttpAnswer FakeFounder::serve(const link::HttpRequest& request, const link::Fingerprint& client) {
    seen.push_back({request.method, request.path, request.body.value_or(""), client.str()});
    if (!instead.empty()) {
        HttpAnswer answer = instead.front();
        instead.pop_front();
        return answer;
    }
    const Parsed body = parse_json(request.body.value_or("null"));
    const std::string path = request.path.substr(0, request.path.find('?'));
    if (path == kRegistrations) return register_key(*body.root, client);
    const std::string rest = path.substr(kRegistrations.size() + 1);
    const std::string id = rest.substr(0, rest.find('/'));
    const std::string what = rest.size() > id.size() ? rest.substr(id.size() + 1) : "";
    const auto found = std::ranges::find(joins, id, &FakeJoin::id);
    if (found == joins.end()) return problem_answer(ProblemCode::kNotFound, "no such join");
    if (found->joiner_key != client.str()) {
        return problem_answer(ProblemCode::kJoinKeyMismatch, "another key");
    }
    end_overdue(*found);
    if (what == "reveal") return reveal(*found, *body.root, client);
    if (what == "progress") return progress(*found, *body.root);
    if (what == "inventory") {
        if (found->state != "pending") {
            return problem_answer(ProblemCode::kJoinStateConflict, "approved already");
        }
        found->inventory = *body.root;
        ++found->revision;
        return json(200, view_node(*found));
    }
    const bool delivers = found->state == "delivering" || found->state == "installing";
    if ((what == "node.yaml" || what == "bundle") && !delivers) {
        return problem_answer(ProblemCode::kJoinStateConflict, "nothing to deliver");
    }
    if (what == "node.yaml") return {200, {}, node_yaml};
    if (what == "bundle") return {200, {}, bundle};
    return view(*found, request);
}

void FakeFounder::end_overdue(FakeJoin& join) {
    if (join.joiner_nonce || has_ended(join)) return;
    if (clock.steady_ms() - join.made_at_ms <= kRevealWithinMs) return;
    join.state = "rejected";
    join.ended_reason = "the reveal did not come within 60 seconds";
    ++join.revision;
}

HttpAnswer FakeFounder::register_key(const Node& body, const link::Fingerprint& client) {
    Findings findings;
    const link::Registration message = link::read_registration(body, findings);
    if (!findings.empty()) {
        return problem_answer(ProblemCode::kInvalidInput, findings.lines().front());
    }
    const auto code = codes.find(message.code_id);
    const bool proved =
        code != codes.end() && message.code_proof && message.commitment &&
        *message.code_proof == link::code_proof(code->second.key, key, client, *message.commitment);
    for (FakeJoin& join : joins) {
        if (join.joiner_key != client.str() || has_ended(join)) continue;
        end_overdue(join);
        if (has_ended(join)) continue;
        const bool same = !message.commitment || *message.commitment == join.commitment;
        if (message.code_id.empty() && !same) {
            return problem_answer(ProblemCode::kJoinCodeInvalid, "the code does not hold");
        }
        if (same && (message.code_id.empty() || proved)) {
            join.release = message.release;
            if (join.state == "needs-upgrade" && message.release == release) {
                join.state = "pending";
                ++join.revision;
            }
            return registration_answer(join, 200);
        }
        if (join.state != "pending" && join.state != "needs-upgrade") {
            return problem_answer(ProblemCode::kJoinStateConflict, "the join is approved");
        }
        join.state = "rejected";
        join.ended_reason = "the machine began another pairing";
    }
    if (!proved || code->second.uses_left < 1) {
        return problem_answer(ProblemCode::kJoinCodeInvalid, "the code does not hold");
    }
    const bool upgrades = message.self_upgrade && message.release != release;
    if (message.release != release && !upgrades) {
        return problem_answer(ProblemCode::kReleaseMismatch,
                              "yours is " + message.release + ", the cluster's is " + release);
    }
    --code->second.uses_left;
    return new_join(message, code->second, client);
}

HttpAnswer FakeFounder::new_join(const link::Registration& message, const FakeCode& code,
                                 const link::Fingerprint& client) {
    FakeJoin join;
    join.id = "nj-" + random_text(8, "abcdefghijklmnopqrstuvwxyz0123456789");
    join.founder_nonce = link::random_nonce();
    join.commitment = *message.commitment;
    join.code_key = code.key;
    join.joiner_key = client.str();
    join.made_at_ms = clock.steady_ms();
    join.release = message.release;
    if (message.release != release) join.state = "needs-upgrade";
    joins.push_back(join);
    return registration_answer(joins.back(), 201);
}

HttpAnswer FakeFounder::registration_answer(const FakeJoin& join, int status) {
    link::RegistrationAnswer answer;
    answer.id = change_id ? "nj-aaaaaaaa" : join.id;
    answer.state = join.state;
    answer.founder_nonce = change_nonce ? link::random_nonce() : join.founder_nonce;
    const auto client = link::Fingerprint::parse(join.joiner_key);
    const link::PairingTuple tuple{key, *client, join.commitment, answer.founder_nonce, answer.id};
    answer.founder_proof = link::founder_proof(join.code_key, tuple);
    if (forge_proof) (*answer.founder_proof)[0] ^= 1;
    if (leave_out_proof) answer.founder_proof.reset();
    answer.expires_at = clock.unix_seconds() + 86'400;
    answer.server_time = clock.unix_seconds();
    return json(status, link::to_node(answer));
}

HttpAnswer FakeFounder::reveal(FakeJoin& join, const Node& body, const link::Fingerprint& client) {
    Findings findings;
    const link::Reveal message = link::read_reveal(body, findings);
    if (!findings.empty()) {
        return problem_answer(ProblemCode::kInvalidInput, findings.lines().front());
    }
    const bool fits = link::commitment(message.nonce, client) == join.commitment;
    if (!refuse_reveal.empty() || !fits || has_ended(join)) {
        join.state = "rejected";
        if (refuse_reveal == "JOIN_KEY_IN_USE") {
            return problem_answer(ProblemCode::kJoinKeyInUse, "a cloned image");
        }
        return problem_answer(ProblemCode::kPairingFailed,
                              join.ended_reason.empty() ? "it is over" : join.ended_reason);
    }
    join.joiner_nonce = message.nonce;
    join.inventory = message.inventory;
    join.pairing_code = link::pairing_code(
        {key, client, join.commitment, join.founder_nonce, join.id}, message.nonce);
    ++join.revision;
    return json(200, view_node(join));
}

Node FakeFounder::view_node(const FakeJoin& join) const {
    link::JoinerView view;
    view.id = join.id;
    view.state = join.state;
    view.revision = join.revision;
    view.attempt = join.attempt;
    view.wait_reason = join.wait_reason;
    view.expires_at = clock.unix_seconds() + 86'400;
    view.server_time = clock.unix_seconds();
    view.failed_step = join.failed_step;
    view.failed_error = join.failed_error;
    view.ended_reason = join.ended_reason;
    view.revealed = join.joiner_nonce.has_value();
    if (join.state == "needs-upgrade")
        view.upgrade = link::Upgrade{join.release, release, "", true};
    if (join.state != "pending" && join.state != "needs-upgrade") {
        view.node_id = "n-2";
        view.name = "node-2";
        view.node_yaml_sha256 = said_node_yaml_sha256.empty() ? to_hex(sha256(bytes_of(node_yaml)))
                                                              : said_node_yaml_sha256;
        if (!bundle.empty()) view.bundle_sha256 = to_hex(sha256(bytes_of(bundle)));
    }
    return link::to_node(view);
}

HttpAnswer FakeFounder::view(FakeJoin& join, const link::HttpRequest& request) {
    const std::string etag = "\"" + std::to_string(join.revision) + "\"";
    for (const auto& [name, value] : request.headers) {
        if (name != "If-None-Match" || value != etag) continue;
        const auto wait = request.path.find("?wait=");
        if (wait != std::string::npos)
            clock.advance_ms(1000LL * std::stoi(request.path.substr(wait + 6)));
        return {304, {{"ETag", etag}}, ""};
    }
    HttpAnswer answer = json(200, view_node(join));
    answer.headers.emplace_back("ETag", etag);
    return answer;
}

HttpAnswer FakeFounder::progress(FakeJoin& join, const Node& body) {
    Findings findings;
    const link::Progress report = link::read_progress(body, findings);
    if (!findings.empty()) {
        return problem_answer(ProblemCode::kInvalidInput, findings.lines().front());
    }
    const bool takes = join.state == "delivering" || join.state == "installing" ||
                       (join.state == report.result && report.attempt == join.attempt);
    if (report.attempt == join.attempt && !takes) {
        return problem_answer(ProblemCode::kJoinStateConflict, "the join is " + join.state);
    }
    if (report.attempt == join.attempt && join.result.empty()) {
        if (join.state == "delivering") set_state("installing");
        for (const link::Step& step : report.steps) {
            const auto at = std::ranges::find(join.steps, step.name, &link::Step::name);
            if (at != join.steps.end()) {
                *at = step;
            } else {
                join.steps.push_back(step);
            }
        }
        for (const link::LogLine& line : report.log) {
            if (join.log.empty() || line.seq > join.log.back().seq) join.log.push_back(line);
        }
        join.result = report.result;
        if (!report.result.empty()) set_state(report.result);
        for (const link::Step& step : join.steps) {
            if (step.status != link::StepStatus::kFailed) continue;
            join.failed_step = step.name;
            join.failed_error = step.error;
        }
    }
    Node answer = Node::object();
    answer.set("lastSeq", Node::integer(join.log.empty() ? 0 : join.log.back().seq));
    return json(200, answer);
}

} // namespace stratum::fakes
