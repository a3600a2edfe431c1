#include "member/member.hpp"

#include <algorithm>
#include <optional>

#include "common/base/document.hpp"
#include "common/link/member_file.hpp"
#include "common/link/messages.hpp"
#include "common/link/problem.hpp"
#include "member/leaving.hpp"
#include "member/sampler.hpp"

namespace stratum::member {
namespace {

constexpr std::int64_t kCallMs = 10'000;
// At once, but not in a circle with a founder whose generation is ahead of the list it sends.
constexpr std::int64_t kAfterChangeMs = 200;
// A cluster's services need clocks that agree far better than that.
constexpr std::int64_t kClockToleranceSeconds = 30;

// Also where the message names the address by itself.
std::string at_address(const HostPort& address, const std::string& message) {
    const std::string where = address.str();
    return message.starts_with(where) ? message : where + ": " + message;
}

// What an answered heartbeat told.
struct Heard {
    link::HeartbeatAnswer answer;
    bool was_removed = false; // the founder: this node was removed; there is no answer then
};

class Agent {
public:
    Agent(const MemberOptions& options, MemberSeams& seams, link::MemberFile self,
          link::KeyPair key)
        : options_(options), seams_(seams), self_(std::move(self)), key_(std::move(key)),
          leaving_(read_leaving(seams.files, options.state_folder)) {
        if (leaving_ && leaving_->node_id != self_.node_id) leaving_.reset(); // an earlier life's
        status_.node_id = self_.node_id;
        status_.name = self_.name;
        std::string complaint;
        membership_ = read_membership(seams_.files, options_.state_folder, complaint);
        if (!complaint.empty()) log(complaint);
        publish();
    }

    // The founder has heard that this machine left.
    [[nodiscard]] bool has_left() const { return leaving_ && leaving_->is_confirmed; }

    // One heartbeat, and how long to wait before the next.
    std::int64_t beat() {
        if (seams_.last_look && !leaving_) log(sampler_.look(seams_.last_look()));
        const auto heard = send();
        if (!heard) return in_trouble(heard.error().message);
        log(sampler_.answered(heard->answer.sample_refused));
        status_.last_heard_at = seams_.clock.unix_seconds();
        if (heard->was_removed || heard->answer.removal == link::Removal::kDone) return leave(true);
        if (leaving_) return in_trouble(kNobodyRemoves);
        if (!status_.trouble.empty()) log("the founder answers again");
        status_.trouble.clear();
        status_.generation_current = heard->answer.generation;
        look_at_clock(heard->answer.server_time);
        if (heard->answer.removal == link::Removal::kLeave) return leave(false);
        const bool changed = apply(heard->answer);
        publish();
        return changed ? std::min(kAfterChangeMs, options_.period_ms) : options_.period_ms;
    }

private:
    static constexpr const char* kNobodyRemoves =
        "this machine has left the cluster as it was told, and the founder does not know of it any "
        "more: somebody must remove this node there";

    std::int64_t in_trouble(const std::string& why) {
        if (status_.trouble != why) log(why);
        status_.trouble = why;
        publish();
        return options_.period_ms;
    }

    // The note is what makes it true: from here on this machine is no member, whatever is cut off.
    std::int64_t leave(bool is_confirmed) {
        Leaving next = leaving_.value_or(
            Leaving{self_.node_id, self_.name, seams_.clock.unix_seconds(), false});
        next.is_confirmed = is_confirmed;
        if (const auto stored = write_leaving(seams_.files, options_.state_folder, next); !stored) {
            complaint_ = "this machine cannot leave the cluster: " + stored.error().message;
            return in_trouble(complaint_);
        }
        leaving_ = next;
        log(is_confirmed ? "node " + self_.name + " was removed: this machine is no member any more"
                         : "node " + self_.name + " is being removed: this machine leaves");
        return std::min(kAfterChangeMs, options_.period_ms);
    }

    // No number: a complaint that changes each time would wake everybody who waits.
    void look_at_clock(std::int64_t founders) {
        const std::int64_t off = seams_.clock.unix_seconds() - founders;
        clock_complaint_ = founders > 0 && std::abs(off) > kClockToleranceSeconds
                               ? "its clock is more than " +
                                     std::to_string(kClockToleranceSeconds) + " s off the founder's"
                               : "";
    }

    [[nodiscard]] std::vector<std::string> complaints() const {
        std::vector<std::string> all;
        if (seams_.complaints) all = seams_.complaints();
        for (const std::string& own : {complaint_, clock_complaint_})
            if (!own.empty()) all.push_back(own);
        return all;
    }

    // True where a newer list is stored now. It is applied when it is stored, not before: a
    // confirmation must be true after a power cut, too.
    bool apply(const link::HeartbeatAnswer& answer) {
        if (!answer.members || answer.generation == membership_.generation) return false;
        const Membership next{answer.generation, *answer.members};
        if (const auto stored = write_membership(seams_.files, options_.state_folder, next);
            !stored) {
            complaint_ = "the member list cannot be stored: " + stored.error().message;
            status_.trouble = complaint_;
            log(status_.trouble);
            return false;
        }
        complaint_.clear();
        membership_ = next;
        log("applied membership generation " + std::to_string(next.generation) + " with " +
            std::to_string(next.members.size()) + " members");
        return true;
    }

    link::HttpRequest request() const {
        link::Heartbeat heartbeat;
        heartbeat.generation_applied = membership_.generation;
        heartbeat.complaints = complaints();
        heartbeat.left = leaving_.has_value();
        heartbeat.healthy = heartbeat.complaints.empty();
        if (!leaving_) heartbeat.compatibility = sampler_.due();
        link::HttpRequest request;
        request.method = "POST";
        request.path = "/v1/members/self/heartbeat";
        request.body = write_json(link::to_node(heartbeat));
        request.timeout_ms = kCallMs;
        return request;
    }

    // To the address that answered last, else to the others in turn.
    Result<Heard> send() {
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

    [[nodiscard]] Result<Heard> read(const link::HttpAnswer& answer) const {
        if (answer.status != 200) {
            const link::ReceivedProblem problem = link::read_problem(answer.status, answer.body);
            if (says_removed(problem)) return Heard{{}, true};
            return fail(ErrorCode::kDenied,
                        "the founder refuses the heartbeat: " + std::to_string(problem.status) +
                            " " + problem.code + " " + problem.detail);
        }
        const Parsed parsed = parse_json(answer.body);
        Findings findings = parsed.findings;
        if (parsed.root && findings.empty()) {
            link::HeartbeatAnswer heard = link::read_heartbeat_answer(*parsed.root, findings);
            if (findings.empty()) return Heard{std::move(heard), false};
        }
        return fail(ErrorCode::kInvalid, "the founder's answer to the heartbeat cannot be read");
    }

    // Only the founder's plain word about this very node counts: any other refusal changes nothing.
    [[nodiscard]] bool says_removed(const link::ReceivedProblem& problem) const {
        const Node* removed = problem.details.find("removed");
        const Node* node_id = problem.details.find("nodeId");
        return problem.status == 403 && problem.code == "FORBIDDEN" && removed != nullptr &&
               removed->kind() == Node::Kind::kBool && removed->as_bool() && node_id != nullptr &&
               node_id->as_string() == self_.node_id;
    }

    void publish() {
        status_.founder = self_.founders[index_].str();
        status_.generation_applied = membership_.generation;
        status_.members = static_cast<int>(membership_.members.size());
        if (seams_.publish) seams_.publish(status_);
    }
    void log(const std::string& line) const {
        if (seams_.log && !line.empty()) seams_.log(line);
    }

    const MemberOptions& options_;
    MemberSeams& seams_;
    const link::MemberFile self_;
    const link::KeyPair key_;
    std::optional<Leaving> leaving_; // there: this machine is no member any more
    Membership membership_;
    Sampler sampler_;
    MemberStatus status_;
    std::string complaint_;       // what of its own it cannot do
    std::string clock_complaint_; // as of the last answer
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

Result<MemberEnd> run_member(const MemberOptions& options, MemberSeams& seams) {
    auto self = link::read_member_file(seams.files, options.state_folder);
    if (!self) return tl::make_unexpected(self.error());
    const auto leaving = read_leaving(seams.files, options.state_folder);
    const bool has_left =
        leaving && leaving->is_confirmed && leaving->node_id == self->node_id; // no key is needed
    if (!has_left) {
        auto key = load_key(seams.files, options.state_folder);
        if (!key) return tl::make_unexpected(key.error());
        Agent agent(options, seams, std::move(*self), std::move(*key));
        while (!agent.has_left()) {
            const std::int64_t wait_ms = agent.beat();
            if (agent.has_left()) break;
            if (!seams.sleep_ms(wait_ms)) return MemberEnd::kStopped;
        }
    }
    const auto gone = put_credentials_away(seams.files, options.state_folder);
    if (!gone) return fail_in("this node was removed; what made it a member stays", gone.error());
    return MemberEnd::kRemoved;
}

} // namespace stratum::member
