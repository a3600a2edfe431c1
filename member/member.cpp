#include "member/member.hpp"

#include <algorithm>
#include <optional>

#include "common/base/document.hpp"
#include "common/link/member_file.hpp"
#include "common/link/messages.hpp"
#include "common/link/problem.hpp"

namespace stratum::member {
namespace {

constexpr std::int64_t kCallMs = 10'000;
// At once, but not in a circle with a founder whose generation is ahead of the list it sends.
constexpr std::int64_t kAfterChangeMs = 200;

// Also where the message names the address by itself.
std::string at_address(const HostPort& address, const std::string& message) {
    const std::string where = address.str();
    return message.starts_with(where) ? message : where + ": " + message;
}

class Agent {
public:
    Agent(const MemberOptions& options, MemberSeams& seams, link::MemberFile self,
          link::KeyPair key)
        : options_(options), seams_(seams), self_(std::move(self)), key_(std::move(key)) {
        status_.node_id = self_.node_id;
        status_.name = self_.name;
        std::string complaint;
        membership_ = read_membership(seams_.files, options_.state_folder, complaint);
        if (!complaint.empty()) log(complaint);
        publish();
    }

    // One heartbeat, and how long to wait before the next.
    std::int64_t beat() {
        const auto answer = send();
        if (!answer) {
            if (status_.trouble != answer.error().message) log(answer.error().message);
            status_.trouble = answer.error().message;
            publish();
            return options_.period_ms;
        }
        if (!status_.trouble.empty()) log("the founder answers again");
        status_.trouble.clear();
        status_.last_heard_at = seams_.clock.unix_seconds();
        status_.generation_current = answer->generation;
        const bool changed = apply(*answer);
        publish();
        return changed ? std::min(kAfterChangeMs, options_.period_ms) : options_.period_ms;
    }

private:
    // True where a newer list is stored now. It is applied when it is stored, not before: a
    // confirmation must be true after a power cut, too.
    bool apply(const link::HeartbeatAnswer& answer) {
        if (!answer.members || answer.generation == membership_.generation) return false;
        const Membership next{answer.generation, *answer.members};
        if (const auto stored = write_membership(seams_.files, options_.state_folder, next);
            !stored) {
            status_.trouble = "the member list cannot be stored: " + stored.error().message;
            log(status_.trouble);
            return false;
        }
        membership_ = next;
        log("applied membership generation " + std::to_string(next.generation) + " with " +
            std::to_string(next.members.size()) + " members");
        return true;
    }

    link::HttpRequest request() const {
        link::Heartbeat heartbeat;
        heartbeat.generation_applied = membership_.generation;
        if (seams_.complaints) heartbeat.complaints = seams_.complaints();
        heartbeat.healthy = heartbeat.complaints.empty();
        link::HttpRequest request;
        request.method = "POST";
        request.path = "/v1/members/self/heartbeat";
        request.body = write_json(link::to_node(heartbeat));
        request.timeout_ms = kCallMs;
        return request;
    }

    // To the address that answered last, else to the others in turn.
    Result<link::HeartbeatAnswer> send() {
        std::string reasons;
        for (std::size_t tried = 0; tried < self_.founders.size(); ++tried) {
            const auto answer = send_to(self_.founders[index_]);
            if (answer) return read(*answer);
            client_.reset();
            reasons += (reasons.empty() ? "" : "; ") +
                       at_address(self_.founders[index_], answer.error().message);
            index_ = (index_ + 1) % self_.founders.size();
        }
        return fail(ErrorCode::kUnavailable, "the founder is not reached: " + reasons);
    }

    Result<link::HttpAnswer> send_to(const HostPort& founder) {
        if (!client_) {
            link::ClientOptions options;
            options.server = founder;
            options.pins = {self_.founder_key};
            options.identity = &key_;
            auto made = seams_.make_client(options);
            if (!made) return tl::make_unexpected(made.error());
            client_ = std::move(*made);
        }
        return client_->send(request());
    }

    static Result<link::HeartbeatAnswer> read(const link::HttpAnswer& answer) {
        if (answer.status != 200) {
            const link::ReceivedProblem problem = link::read_problem(answer.status, answer.body);
            return fail(ErrorCode::kDenied,
                        "the founder refuses the heartbeat: " + std::to_string(problem.status) +
                            " " + problem.code + " " + problem.detail);
        }
        const Parsed parsed = parse_json(answer.body);
        Findings findings = parsed.findings;
        if (parsed.root && findings.empty()) {
            link::HeartbeatAnswer heard = link::read_heartbeat_answer(*parsed.root, findings);
            if (findings.empty()) return heard;
        }
        return fail(ErrorCode::kInvalid, "the founder's answer to the heartbeat cannot be read");
    }

    void publish() {
        status_.founder = self_.founders[index_].str();
        status_.generation_applied = membership_.generation;
        status_.members = static_cast<int>(membership_.members.size());
        if (seams_.publish) seams_.publish(status_);
    }
    void log(const std::string& line) const {
        if (seams_.log) seams_.log(line);
    }

    const MemberOptions& options_;
    MemberSeams& seams_;
    const link::MemberFile self_;
    const link::KeyPair key_;
    Membership membership_;
    MemberStatus status_;
    std::size_t index_ = 0;
    std::unique_ptr<link::HttpClient> client_; // to founders[index_]
};

// The key must be there: a member that made itself a new one would be a stranger.
Result<link::KeyPair> load_key(const Files& files, const std::string& state_folder) {
    const std::string path = state_folder + "/" + std::string(link::kClientKeyFileName);
    const auto pem = files.read(path, 1u << 20);
    if (!pem) return fail_in("this member's key " + path, pem.error());
    auto key = link::parse_key(*pem);
    if (!key) return fail_in("this member's key " + path, key.error());
    return key;
}

} // namespace

Status run_member(const MemberOptions& options, MemberSeams& seams) {
    auto self = link::read_member_file(seams.files, options.state_folder);
    if (!self) return tl::make_unexpected(self.error());
    auto key = load_key(seams.files, options.state_folder);
    if (!key) return tl::make_unexpected(key.error());
    Agent agent(options, seams, std::move(*self), std::move(*key));
    while (seams.sleep_ms(agent.beat())) {
    }
    return {};
}

} // namespace stratum::member
