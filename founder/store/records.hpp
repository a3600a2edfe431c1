// What the founder remembers, as plain values. Times are unix seconds; 0 and empty mean "not".
// Secrets appear only as what they were turned into: a join code as K, a token as its SHA-256.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/link/messages.hpp"
#include "founder/states.hpp"

namespace stratum::founder {

struct ClusterRecord {
    std::string founder_yaml;           // the node.yaml that init was given, as it was
    std::string founder_node_id;        // the first node
    std::int64_t generation = 0;        // of the member list; each change of it is one more
    std::vector<std::string> advertise; // HOST:PORT for join codes; port 0: the join listener's
    std::int64_t made_at = 0;
    friend bool operator==(const ClusterRecord&, const ClusterRecord&) = default;
};

// Reveals that failed or never came, founder-wide.
struct GuardRecord {
    std::vector<std::int64_t> failed_at; // of the last hour, oldest first
    friend bool operator==(const GuardRecord&, const GuardRecord&) = default;
};

struct JoinCodeRecord {
    std::string id;  // codeId
    std::string key; // K, hex; a secret
    std::string note;
    std::string made_by;
    std::int64_t made_at = 0;
    std::int64_t expires_at = 0;
    std::int64_t max_uses = 1;
    std::int64_t uses = 0;
    std::int64_t failed_reveals = 0;
    std::string locked_reason; // empty: not locked
    std::int64_t revoked_at = 0;
    friend bool operator==(const JoinCodeRecord&, const JoinCodeRecord&) = default;
};

struct JoinRecord {
    std::string id; // nj-[a-z0-9]{8}
    JoinState state = JoinState::kPending;
    std::int64_t sequence = 0; // order of registration, unique
    std::int64_t revision = 0; // one more with each change; the ETag
    std::int64_t change = 0;   // founder-wide order of changes, unique; what event streams follow
    std::int64_t attempt = 1;

    // One run of pairing; never changes once made.
    std::string code_id;
    std::string key_fingerprint;
    std::string commitment;    // hex
    std::string founder_nonce; // hex
    std::string founder_proof; // hex
    std::int64_t reveal_by = 0;
    // Set by the reveal.
    std::string joiner_nonce; // hex; empty: not revealed
    std::string pairing_code;

    std::string release;
    bool self_upgrade = false;
    std::optional<link::Upgrade> upgrade;
    std::string address;  // it registered from there
    std::string hostname; // from the inventory
    std::string replaces; // the join of the same key that this one ended

    std::int64_t registered_at = 0;
    std::int64_t approved_at = 0;
    std::int64_t expires_at = 0;
    std::int64_t changed_at = 0;
    std::int64_t heard_at = 0; // the joiner's last sign of life
    bool stalled = false;

    // Set by the approval.
    std::optional<Node> assignment; // config::to_node(Assignment)
    std::string node_id;
    std::string name;
    std::vector<std::string> addresses; // claimed: every address of its plan, without prefix
    std::vector<std::string> disk_keys; // claimed: the WWNs of its plan
    std::int64_t queue_order = 0;
    std::string wait_reason;
    // Set by the delivery.
    std::string node_yaml_sha256;
    std::string bundle_sha256;

    std::vector<link::Step> steps;
    std::int64_t last_seq = 0;  // of this attempt's log lines
    std::int64_t log_lines = 0; // ever kept; the next line's number is one more
    std::string failed_step;
    std::string failed_step_title;
    std::string failed_error;
    std::string ended_reason;

    [[nodiscard]] bool is_revealed() const { return !joiner_nonce.empty(); }
    friend bool operator==(const JoinRecord&, const JoinRecord&) = default;
};

struct MemberRecord {
    std::string node_id;
    std::string name;
    std::string role;
    std::string status;  // joining, joined, removing
    std::string join_id; // empty: the founder's own
    std::string key_fingerprint;
    std::string mgmt_address;           // without prefix
    std::vector<std::string> addresses; // storage and overlay, CIDR
    std::vector<std::string> disk_keys; // WWNs of its data disks
    std::int64_t generation_applied = 0;
    std::int64_t heard_at = 0; // 0: never
    bool healthy = true;
    std::vector<std::string> complaints;
    std::int64_t sampled_at = 0; // its last report of its substrate came then; 0: none has
    // A removal that somebody asked for; the status is "removing" then.
    std::int64_t removal_order = 0; // its place in the queue of removals; 0: none was asked for
    std::int64_t removal_asked_at = 0;
    std::string removal_asked_by;        // a token's id
    std::string removal_asked_from;      // the address it came from
    bool removal_forced = false;         // the member's own word is not waited for
    std::int64_t removal_started_at = 0; // 0: it waits for its turn
    std::string removal_waits_for;       // one sentence
    friend bool operator==(const MemberRecord&, const MemberRecord&) = default;
};

// A member that was removed, so that its machine can be told when it speaks again.
struct RemovedRecord {
    std::string node_id;
    std::string name;
    std::string join_id;
    std::int64_t removed_at = 0;
    bool forced = false;
    friend bool operator==(const RemovedRecord&, const RemovedRecord&) = default;
};

struct TokenRecord {
    std::string id;   // tk-…
    std::string hash; // SHA-256 of the token, hex
    std::string note;
    Node policy; // {"version":1,"statements":[…]}
    std::string made_by;
    std::int64_t made_at = 0;
    std::int64_t revoked_at = 0;
    friend bool operator==(const TokenRecord&, const TokenRecord&) = default;
};

struct AuditRecord {
    std::int64_t sequence = 0;
    std::int64_t at = 0;
    std::string action; // cluster.join.approved
    std::string actor;  // a token's id, "joiner", "founder"
    std::string from;   // the address it came from; empty for the founder's own doing
    std::string object; // join/nj-…, join-code/…, member/…, token/…
    std::string result; // ok, refused
    std::string detail;
    std::string request_id;
    std::string hash; // hex; common/link/audit_chain.hpp
    friend bool operator==(const AuditRecord&, const AuditRecord&) = default;
};

// Where the audit ends, so that taking out its newest entries shows as well.
struct AuditHeadRecord {
    std::int64_t sequence = 0; // 0: nothing was written yet
    std::int64_t first = 0;    // where the chain begins; older entries have no hash
    std::string hash;          // hex
    friend bool operator==(const AuditHeadRecord&, const AuditHeadRecord&) = default;
};

// The answer to a request that carried an Idempotency-Key.
struct GivenRecord {
    std::int64_t at = 0;
    std::string body_hash; // SHA-256 of the request's body, hex
    std::string etag;
    std::string body;
    friend bool operator==(const GivenRecord&, const GivenRecord&) = default;
};

// What is left of a rate (founder/rates.hpp), in thousandths, at a time.
struct BucketRecord {
    std::int64_t left_milli = 0;
    std::int64_t at = 0;
    friend bool operator==(const BucketRecord&, const BucketRecord&) = default;
};

} // namespace stratum::founder
