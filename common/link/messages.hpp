// The bodies of the join protocol, both directions, as values with a reader and a writer each. The
// founder's readers ignore unknown members (a newer joiner must get RELEASE_MISMATCH, not a 400).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/findings.hpp"
#include "common/base/reader.hpp"
#include "common/facts/member.hpp"
#include "common/link/pairing.hpp"

namespace stratum::link {

// POST /v1/join/registrations. codeId and codeProof are absent when a known key comes back.
struct Registration {
    std::string code_id;
    std::optional<Sha256> code_proof;
    std::string release;
    bool self_upgrade = false;
    std::optional<Sha256> commitment;
};
Node to_node(const Registration& message);
Registration read_registration(const Node& node, Findings& findings);

struct Upgrade {
    std::string from;
    std::string to;
    std::string source;
    bool served_by_founder = false;
    friend bool operator==(const Upgrade&, const Upgrade&) = default;
};
Node to_node(const Upgrade& upgrade);
// The member `upgrade` of the object that `parent` reads; nothing where it is absent.
std::optional<Upgrade> read_upgrade(ObjectReader& parent, Findings& findings);

// 201 (made) or 200 (known). The proof is absent for a key that came back without a code.
struct RegistrationAnswer {
    std::string id;
    std::string state;
    Nonce founder_nonce{};
    std::optional<Sha256> founder_proof;
    std::int64_t expires_at = 0;  // unix seconds
    std::int64_t server_time = 0; // unix seconds
    std::optional<Upgrade> upgrade;
};
Node to_node(const RegistrationAnswer& message);
RegistrationAnswer read_registration_answer(const Node& node, Findings& findings);

// POST …/reveal: the nonce, and the inventory as its document.
struct Reveal {
    Nonce nonce{};
    Node inventory;
};
Node to_node(const Reveal& message);
Reveal read_reveal(const Node& node, Findings& findings);

// The joiner's view of its join: nothing of other joins, never the pairing code.
struct JoinerView {
    std::string id;
    std::string state;
    std::int64_t revision = 0;
    int attempt = 1;
    std::string wait_reason;
    std::optional<Upgrade> upgrade;
    std::int64_t expires_at = 0;
    std::int64_t server_time = 0;
    std::string node_id;
    std::string name;
    std::string node_yaml_sha256;
    std::string bundle_sha256;
    std::string failed_step;
    std::string failed_step_title;
    std::string failed_error;
    std::string ended_reason;
    bool revealed = false; // the reveal has come and holds
};
Node to_node(const JoinerView& view);
JoinerView read_joiner_view(const Node& node, Findings& findings);

enum class StepStatus { kPending, kRunning, kDone, kFailed };
std::string_view step_status_name(StepStatus status);

struct Step {
    std::string name;  // storage, join/patroni, upgrade/verify
    std::string title; // empty: the founder's table gives one
    StepStatus status = StepStatus::kPending;
    std::optional<int> percent; // 0 to 100
    std::optional<std::int64_t> started_at;
    std::optional<std::int64_t> finished_at;
    std::string error;
    friend bool operator==(const Step&, const Step&) = default;
};

struct LogLine {
    std::int64_t seq = 0; // from 1, per join and attempt without gaps
    std::int64_t at = 0;  // unix seconds
    std::string line;
    friend bool operator==(const LogLine&, const LogLine&) = default;
};

// POST …/progress. At most 200 steps and 1,000 log lines of at most 4,096 bytes in one report.
struct Progress {
    int attempt = 1;
    std::vector<Step> steps;
    std::vector<LogLine> log;
    std::string result; // "", joined, failed
};
Node to_node(const Progress& message);
Progress read_progress(const Node& node, Findings& findings);
Node to_node(const Step& step);

// A member's report of its substrate, as JSON, is at most this long: a larger one is not sent, and
// not taken.
inline constexpr std::size_t kMostSampleBytes = 64u << 10;

// POST /v1/members/self/heartbeat and its answer.
struct Heartbeat {
    std::int64_t generation_applied = 0;
    bool healthy = true;
    std::vector<std::string> complaints; // why not healthy
    bool left = false;                   // this machine has stopped being a member, as it was told
    // The sender's substrate (common/compat reads it), with some heartbeats; whatever it is, it
    // does not make the heartbeat wrong.
    std::optional<Node> compatibility = {};
};
Node to_node(const Heartbeat& message);
Heartbeat read_heartbeat(const Node& node, Findings& findings);

// What the founder says of a member's removal: kLeave: stop being a member, then say so (`left`);
// kDone: that was heard, the row is gone.
enum class Removal { kNone, kLeave, kDone };

struct HeartbeatAnswer {
    std::int64_t generation = 0;
    std::int64_t server_time = 0;
    std::optional<std::vector<facts::Member>>
        members; // there when the sender's generation is older
    Removal removal = Removal::kNone;
    std::string sample_refused =
        {}; // why the report that came with it was not taken; empty: it was
};
Node to_node(const HeartbeatAnswer& message);
HeartbeatAnswer read_heartbeat_answer(const Node& node, Findings& findings);

} // namespace stratum::link
