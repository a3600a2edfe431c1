// The founder as everything that can be asked of it: what the admin routes, the join listener and
// the clock call. Each operation is one transaction of the store; a refusal is the Problem that the
// API answers. Every call is safe from any thread. No call waits but `wait_for_change`, and
// `compatibility` for the first look at this machine or one that is asked for (some seconds).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/base/net.hpp"
#include "common/compat/keeper.hpp"
#include "common/config/approval.hpp"
#include "common/health/board.hpp"
#include "common/link/audit_chain.hpp"
#include "common/link/fingerprint.hpp"
#include "common/link/messages.hpp"
#include "common/link/problem.hpp"
#include "founder/changes.hpp"
#include "founder/store/records.hpp"
#include "founder/store/store.hpp"

namespace stratum::founder {

template<class T>
using Answer = tl::expected<T, link::Problem>;

// A request that must act once however often it is sent.
struct Once {
    std::string id;        // a digest of token, route, join and Idempotency-Key
    std::string body_hash; // SHA-256 of its body, hex
};

// Who asks, for the audit.
struct Caller {
    std::string actor; // a token's id; "joiner", "nobody" (no token), "founder" (the clock)
    std::string from;  // the peer's address
    std::string request_id;
    std::optional<Once> once = {};
};

// A part of a list.
struct PageQuery {
    std::size_t limit = 100; // 1 to 1000
    std::string cursor;      // from the page before; empty: the first
};
template<class T>
struct Page {
    std::vector<T> items;
    std::string next_cursor; // empty: no more
};

struct FounderOptions {
    link::Fingerprint identity;  // the founder's TLS key
    std::string release;         // the cluster's, as this build says it
    std::string upgrades_from;   // a VersionRange of older releases that may upgrade; empty: none
    std::string upgrade_source;  // the mirror's URL of the release folder; empty: none
    bool serves_release = false; // the founder can give the release itself
    std::string bundle_folder;   // the cluster's join steps; empty: a bundle without steps
    std::vector<HostPort> advertise; // overrides what init stored; port 0: the join listener's
    // Told what failed inside, before a 500 is answered; from any thread. May be empty.
    std::function<void(const std::string& line)> on_fault = {};
    // Told what nobody is refused for and a person should look at; from any thread. May be empty.
    std::function<void(const std::string& line)> on_notice = {};
    // This machine's own substrate: as it was seen last, or looked at now. Empty: it is not looked
    // at, and who asks is told so.
    std::function<compat::Held(bool refresh)> look_at_self = {};
    // Another machine's report held against this founder's pins (compat::held_against); without it
    // reports are taken as they are.
    std::function<compat::Report(compat::Report theirs)> hold_against_pins = {};
    int max_control_plane = config::kMaxControlPlane; // no command sets another
};

struct JoinCodeRequest {
    std::int64_t expires_in_seconds = 3600; // 60 to 30 days
    std::int64_t max_uses = 1;              // 1 to 100
    std::string note;                       // at most 200 bytes
};
// The body of POST …/join-codes; strict.
Answer<JoinCodeRequest> read_join_code_request(const Node& body);

struct MadeJoinCode {
    JoinCodeRecord record;
    std::string code; // XXXX-XXXX-XXXX-XXXX; shown once
    std::string uri;
    std::string warning; // for codes that serve many machines; empty: none
};

struct JoinQuery {
    std::optional<JoinState> state;
    std::size_t limit = 100; // 1 to 1000
    std::string cursor;      // from the page before
};
struct JoinPage {
    std::vector<JoinRecord> joins; // newest first
    std::string next_cursor;       // empty: no more
};

// One join, whole.
struct JoinDetail {
    JoinRecord record;
    Node inventory;                 // null before the reveal
    std::vector<link::LogLine> log; // the last lines kept (2,000), oldest first
    // Set where the request came before: the answer it got then, to be given again. The rest is
    // empty then.
    std::optional<GivenRecord> given = {};
};

// Joins in the order of their last changes.
struct ChangedJoins {
    std::vector<JoinRecord> joins; // `change` is each one's number
    bool is_end = false;           // there was no further one at this moment
};

struct ApproveOptions {
    bool dry_run = false;
    std::optional<std::string> if_match; // the header as it came
    Caller caller;
};
struct Approval {
    JoinDetail join;
    std::string node_yaml;
    std::vector<config::Wipe> wipes;
};

struct RetryOptions {
    Caller caller;
    std::optional<std::string> if_match = {};
};

struct RejectOptions {
    std::string reason;
    bool force = false; // for a running join that has stalled
    std::optional<std::string> if_match;
    Caller caller;
};

struct RemoveOptions {
    bool force = false; // without the member's own word: for one that is dead
    Caller caller;
};

struct NetworkUse {
    config::Network network;
    std::uint64_t used = 0;
    std::uint64_t free = 0;
};
struct Networks {
    std::vector<NetworkUse> networks;
    config::Provider provider;
};

struct QueueEntry {
    std::string join_id;
    std::string name;
    JoinState state = JoinState::kApproved;
    std::string wait_reason;
};
struct ClusterStatus {
    std::string name;
    std::int64_t planned_size = 0;
    std::int64_t generation = 0;
    std::int64_t now = 0; // when this was looked at
    bool green = false;
    std::vector<std::string> reasons;           // why not green
    std::vector<health::CheckState> checks;     // the configured health checks
    std::string checks_fault;                   // why their file cannot be used; empty: it can
    std::vector<QueueEntry> queue;              // the running join first, then in order
    std::vector<MemberRecord> removals;         // in the order they were asked for
    std::int64_t registration_paused_until = 0; // 0: not paused
    std::string release;
    std::string key; // the founder's fingerprint
};

// A node's last report, as it was read and as it is kept; both never change.
struct NodeReport {
    std::string node_id;
    std::int64_t sampled_at = 0;
    std::shared_ptr<const compat::Report> report; // never null
    std::string json;                             // the same, as the API writes a report
};

// May this cluster's machines be trusted to run together.
struct Compatibility {
    std::string own_node_id;
    compat::Held own; // this machine, and when it was looked at
    // Each member's, by name, with this machine's own among them as soon as there is one of
    // another.
    std::vector<NodeReport> nodes;
    std::int64_t now = 0;       // when this was asked
    std::size_t unreported = 0; // members that have joined and of which there is no report
};
// The worst of this machine's report and every node's.
compat::Fit worst_of(const Compatibility& found);

struct MadeToken {
    TokenRecord record;
    std::string token; // shown once
};

struct AuditQuery {
    std::size_t limit = 100; // 1 to 1000
    std::string cursor;
};
struct AuditPage {
    std::vector<AuditRecord> entries; // newest first
    std::string next_cursor;
    link::AuditHead head; // where the audit ends, at the same moment
};

// What a registration got, and whether it made a join.
struct Registered {
    link::RegistrationAnswer answer;
    bool made = false; // 201, else 200: the join was there already
};

// A file as it is handed out.
struct HashedFile {
    std::string bytes;
    std::string sha256; // hex
};

class Founder {
public:
    // `store`, `clock` and `files` must outlive it. kInvalid where the store holds no founder.
    static Result<std::unique_ptr<Founder>> open(Store& store, Clock& clock, Files& files,
                                                 const FounderOptions& options);
    ~Founder();
    Founder(const Founder&) = delete;
    Founder& operator=(const Founder&) = delete;

    // ---- join codes
    Answer<MadeJoinCode> create_join_code(const JoinCodeRequest& request, const Caller& caller);
    Answer<std::vector<JoinCodeRecord>> join_codes(); // newest first
    Answer<void> revoke_join_code(const std::string& id, const Caller& caller);
    Answer<void> lift_pause(const Caller& caller);

    // ---- joins, as a person sees them
    Answer<JoinPage> joins(const JoinQuery& query);
    Answer<std::string> join_list(const JoinQuery& query); // the same as the API's JSON
    Answer<JoinDetail> join(const std::string& id);
    // Lines with a number greater than `after` (the n-th line ever kept of this join is n).
    Answer<std::vector<link::LogLine>> log_after(const std::string& id, std::int64_t after);
    Answer<Approval> approve(const std::string& id, const Node& body,
                             const ApproveOptions& options);
    Answer<JoinDetail> reject(const std::string& id, const RejectOptions& options);
    Answer<JoinDetail> retry(const std::string& id, const RetryOptions& options);
    // Joins whose last change is later than `after` (0: all; so is a number that was never given),
    // at most `limit`.
    Answer<ChangedJoins> changed_joins(std::int64_t after, std::size_t limit);
    Answer<HashedFile> admin_node_yaml(const std::string& id); // once approved

    // ---- the cluster
    Answer<Networks> networks();
    Answer<std::vector<MemberRecord>> members(); // by name
    // Queued like a join. The row as it is now; gone once the member has left.
    Answer<MemberRecord> remove_member(const std::string& node_id, const RemoveOptions& options);
    // Takes back a removal that waits for its turn.
    Answer<MemberRecord> keep_member(const std::string& node_id, const Caller& caller);
    Answer<ClusterStatus> cluster();
    // From memory and the store; `refresh` looks at this machine's programs now, which takes up to
    // some seconds.
    Answer<Compatibility> compatibility(bool refresh = false);

    // ---- tokens and audit. What a policy document may say and whether it allows a call is judged
    // by the admin API; here it is kept.
    Answer<MadeToken> create_token(const std::string& note, const Node& policy,
                                   const Caller& caller);
    Answer<std::vector<TokenRecord>> tokens(); // revoked ones too; newest first
    Answer<void> revoke_token(const std::string& id, const Caller& caller);
    // 401 for a token that is unknown or revoked, in the same time.
    Answer<TokenRecord> authenticate(std::string_view token);
    Answer<AuditPage> audit(const AuditQuery& query);
    // For a refusal that a listener is about to answer, unless it is in the audit already.
    // `attempt`: the action as in the audit's list, and its object.
    struct Attempt {
        std::string action;
        std::string object;
        Caller caller;
    };
    void audit_refused(const Attempt& attempt, link::Problem& why);

    // ---- rates: 429 with Retry-After where there were too many
    // One more request to the join listener from this address.
    Answer<void> count_request(const std::string& address);
    // One more call of the admin API from this address without a valid token.
    Answer<void> count_wrong_token(const std::string& address);
    // How many registrations came with a join code that did not hold.
    Answer<std::int64_t> wrong_join_codes();

    // ---- the join listener (join_api has the routes)
    Answer<Registered> register_key(const Node& body, const link::Fingerprint& key,
                                    const Caller& caller);
    Answer<link::JoinerView> reveal(const std::string& id, const Node& body,
                                    const link::Fingerprint& key, const Caller& caller);
    Answer<link::JoinerView> put_inventory(const std::string& id, const Node& body,
                                           const link::Fingerprint& key, const Caller& caller);
    Answer<link::JoinerView> joiner_view(const std::string& id, const link::Fingerprint& key);
    Answer<HashedFile> node_yaml(const std::string& id, const link::Fingerprint& key);
    Answer<HashedFile> bundle(const std::string& id, const link::Fingerprint& key);
    Answer<std::int64_t> progress(const std::string& id, const Node& body,
                                  const link::Fingerprint& key, const Caller& caller);
    Answer<link::HeartbeatAnswer> heartbeat(const Node& body, const link::Fingerprint& key);

    // ---- health checks: whoever serves keeps the board, and says when it changed.
    [[nodiscard]] health::Board& health();
    void health_changed();

    // ---- time
    // Ends what is over its time, marks what is silent, lets the queue go on. The serving thread
    // calls it each second and after changes; tests call it after moving their clock. Returns what
    // went wrong with the store, if anything.
    Status run_due();

    // ---- waiting. Counts up with each change this process made or noticed.
    [[nodiscard]] std::uint64_t change_number() const;
    // True when there was a change since `seen`; false after `wait_ms` of real time, or at a stop.
    bool wait_for_change(std::uint64_t seen, std::int64_t wait_ms);
    // Made before a look at the join, so that nothing between look and wait is missed.
    [[nodiscard]] std::unique_ptr<JoinWatch> watch_join(const std::string& id);
    void stop_waiting(); // ends every wait, now and later
    [[nodiscard]] bool is_stopping() const;

    // Where joiners are told to go; port 0 entries get this port.
    void set_join_port(std::uint16_t port);
    [[nodiscard]] const FounderOptions& options() const;
    [[nodiscard]] Clock& clock() const;

private:
    struct Parts;
    explicit Founder(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

// The strong ETag of a join: its revision in quotes.
std::string etag_of(const JoinRecord& join);

} // namespace stratum::founder
