// The façade: each call goes to the part that does it.

#include "founder/founder.hpp"

#include "common/base/text.hpp"
#include "founder/approval.hpp"
#include "founder/audit.hpp"
#include "founder/context.hpp"
#include "founder/delivery.hpp"
#include "founder/housekeeping.hpp"
#include "founder/join_codes.hpp"
#include "founder/join_list.hpp"
#include "founder/lifecycle.hpp"
#include "founder/members.hpp"
#include "founder/pairing_desk.hpp"
#include "founder/progress.hpp"
#include "founder/removal.hpp"
#include "founder/samples.hpp"
#include "founder/tokens.hpp"

namespace stratum::founder {

struct Founder::Parts {
    Context context;
};

Founder::Founder(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Founder::~Founder() {
    // What was not written down is forgotten; nobody waits for it.
    if (parts_) (void)keep_house(parts_->context, true);
}

Result<std::unique_ptr<Founder>> Founder::open(Store& store, Clock& clock, Files& files,
                                               const FounderOptions& options) {
    std::optional<ClusterRecord> cluster;
    const Status read = store.read([&](Transaction& tx) -> Status {
        auto found = get<ClusterRecord>(tx, kOnly);
        if (!found) return tl::make_unexpected(found.error());
        cluster = std::move(*found);
        return {};
    });
    if (!read) return tl::make_unexpected(read.error());
    if (!cluster)
        return fail(ErrorCode::kInvalid, "the store holds no founder: run firstboot founder init");
    const auto config = config::check_founder_yaml(cluster->founder_yaml);
    if (!config.config)
        return fail(ErrorCode::kInvalid, "the founder's own node.yaml does not hold any more: " +
                                             config.findings.lines().front());
    std::unique_ptr<Parts> parts(new Parts{{store, clock, files, options, *config.config}});
    if (auto taken_up = take_up_rates(parts->context); !taken_up)
        return tl::make_unexpected(taken_up.error());
    // (The reports that come within minutes are held against the pins in any case.)
    if (!judge_kept_samples(parts->context) && options.on_notice)
        options.on_notice("the members' reports were not held against this founder's pins");
    return std::unique_ptr<Founder>(new Founder(std::move(parts)));
}

Answer<MadeJoinCode> Founder::create_join_code(const JoinCodeRequest& request,
                                               const Caller& caller) {
    return founder::create_join_code(parts_->context, request, caller);
}

Answer<std::vector<JoinCodeRecord>> Founder::join_codes() {
    return list_join_codes(parts_->context);
}

Answer<void> Founder::revoke_join_code(const std::string& id, const Caller& caller) {
    return founder::revoke_join_code(parts_->context, id, caller);
}

Answer<void> Founder::lift_pause(const Caller& caller) {
    return founder::lift_pause(parts_->context, caller);
}

Answer<JoinPage> Founder::joins(const JoinQuery& query) {
    return list_joins(parts_->context, query);
}

Answer<std::string> Founder::join_list(const JoinQuery& query) {
    return listed_joins(parts_->context, query);
}

Answer<JoinDetail> Founder::join(const std::string& id) {
    return show_join(parts_->context, id);
}

Answer<std::vector<link::LogLine>> Founder::log_after(const std::string& id, std::int64_t after) {
    return founder::log_after(parts_->context, id, after);
}

Answer<Approval> Founder::approve(const std::string& id, const Node& body,
                                  const ApproveOptions& options) {
    return founder::approve(parts_->context, id, body, options);
}

Answer<JoinDetail> Founder::reject(const std::string& id, const RejectOptions& options) {
    return founder::reject(parts_->context, id, options);
}

Answer<JoinDetail> Founder::retry(const std::string& id, const RetryOptions& options) {
    return founder::retry(parts_->context, id, options);
}

Answer<ChangedJoins> Founder::changed_joins(std::int64_t after, std::size_t limit) {
    return founder::changed_joins(parts_->context, after, limit);
}

Answer<HashedFile> Founder::admin_node_yaml(const std::string& id) {
    return shown_node_yaml(parts_->context, id);
}

Answer<Networks> Founder::networks() {
    return list_networks(parts_->context);
}

Answer<std::vector<MemberRecord>> Founder::members() {
    return list_members(parts_->context);
}

Answer<MemberRecord> Founder::remove_member(const std::string& node_id,
                                            const RemoveOptions& options) {
    return founder::remove_member(parts_->context, node_id, options);
}

Answer<MemberRecord> Founder::keep_member(const std::string& node_id, const Caller& caller) {
    return founder::keep_member(parts_->context, node_id, caller);
}

Answer<ClusterStatus> Founder::cluster() {
    return cluster_status(parts_->context);
}

Answer<Compatibility> Founder::compatibility(bool refresh) {
    return founder::compatibility(parts_->context, refresh);
}

Answer<MadeToken> Founder::create_token(const std::string& note, const Node& policy,
                                        const Caller& caller) {
    return founder::create_token(parts_->context, note, policy, caller);
}

Answer<std::vector<TokenRecord>> Founder::tokens() {
    return list_tokens(parts_->context);
}

Answer<void> Founder::revoke_token(const std::string& id, const Caller& caller) {
    return founder::revoke_token(parts_->context, id, caller);
}

Answer<TokenRecord> Founder::authenticate(std::string_view token) {
    return founder::authenticate(parts_->context, token);
}

Answer<AuditPage> Founder::audit(const AuditQuery& query) {
    return list_audit(parts_->context, query);
}

void Founder::audit_refused(const Attempt& attempt, link::Problem& why) {
    audit_refusal(parts_->context,
                  audit_of({0, attempt.caller, ""}, attempt.action, attempt.object), why);
}

Answer<Registered> Founder::register_key(const Node& body, const link::Fingerprint& key,
                                         const Caller& caller) {
    return founder::register_key(parts_->context, body, {key, caller});
}

Answer<link::JoinerView> Founder::reveal(const std::string& id, const Node& body,
                                         const link::Fingerprint& key, const Caller& caller) {
    return founder::reveal(parts_->context, id, body, {key, caller});
}

Answer<link::JoinerView> Founder::put_inventory(const std::string& id, const Node& body,
                                                const link::Fingerprint& key,
                                                const Caller& caller) {
    return founder::put_inventory(parts_->context, id, body, {key, caller});
}

Answer<link::JoinerView> Founder::joiner_view(const std::string& id, const link::Fingerprint& key) {
    return founder::joiner_view(parts_->context, id, key);
}

Answer<HashedFile> Founder::node_yaml(const std::string& id, const link::Fingerprint& key) {
    return delivered_node_yaml(parts_->context, id, key);
}

Answer<HashedFile> Founder::bundle(const std::string& id, const link::Fingerprint& key) {
    return delivered_bundle(parts_->context, id, key);
}

Answer<std::int64_t> Founder::progress(const std::string& id, const Node& body,
                                       const link::Fingerprint& key, const Caller& caller) {
    return take_progress(parts_->context, id, body, {key, caller});
}

Answer<link::HeartbeatAnswer> Founder::heartbeat(const Node& body, const link::Fingerprint& key) {
    return take_heartbeat(parts_->context, body, key);
}

health::Board& Founder::health() {
    return parts_->context.health;
}

void Founder::health_changed() {
    parts_->context.changes.announce();
}

Status Founder::run_due() {
    const Status done = founder::run_due(parts_->context);
    const Status kept_house = keep_house(parts_->context);
    return done ? kept_house : done;
}

Answer<void> Founder::count_request(const std::string& address) {
    Context& context = parts_->context;
    const auto wait = context.rates.take(kAddressRate, address, context.clock.unix_seconds());
    if (wait == 0) return {};
    return tl::make_unexpected(too_often(wait, "too many requests come from " + address));
}

Answer<void> Founder::count_wrong_token(const std::string& address) {
    Context& context = parts_->context;
    const std::int64_t now = context.clock.unix_seconds();
    const auto wait = context.rates.take(kWrongTokenRate, address, now);
    if (wait != 0)
        return tl::make_unexpected(
            too_often(wait, "too many calls without a valid token come from " + address));
    if (!context.rates.may_write(now)) return {};
    return change<void>(context, [&](Ledger& ledger) {
        context.rates.write_one(ledger, kWrongTokenRate, address);
        return kept();
    });
}

Answer<std::int64_t> Founder::wrong_join_codes() {
    return look<std::int64_t>(parts_->context, [](Ledger& ledger) -> Answer<std::int64_t> {
        const auto text = ledger.text(Kind::kBucket, kWrongCodesCount);
        return static_cast<std::int64_t>(parse_decimal(text.value_or("0")).value_or(0));
    });
}

std::uint64_t Founder::change_number() const {
    return parts_->context.changes.number();
}

bool Founder::wait_for_change(std::uint64_t seen, std::int64_t wait_ms) {
    return parts_->context.changes.wait(seen, wait_ms);
}

std::unique_ptr<JoinWatch> Founder::watch_join(const std::string& id) {
    return std::make_unique<JoinWatch>(parts_->context.changes, id);
}

void Founder::stop_waiting() {
    parts_->context.changes.stop();
}

bool Founder::is_stopping() const {
    return parts_->context.changes.is_stopping();
}

void Founder::set_join_port(std::uint16_t port) {
    parts_->context.join_port = port;
}

const FounderOptions& Founder::options() const {
    return parts_->context.options;
}

Clock& Founder::clock() const {
    return parts_->context.clock;
}

} // namespace stratum::founder
