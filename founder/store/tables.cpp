#include "founder/store/tables.hpp"

#include <array>
#include <concepts>
#include <cstdio>

namespace stratum::founder {
namespace {

Node step_record(const link::Step& step);
Status read_step_record(const Node& node, link::Step& step);

// Both directions walk the same list of fields, so that no field can be written and not read.
class Writer {
public:
    void operator()(const char* name, const std::string& value) {
        if (!value.empty()) object_.set(name, value);
    }
    void operator()(const char* name, std::int64_t value) {
        object_.set(name, Node::integer(value));
    }
    void operator()(const char* name, bool value) { object_.set(name, Node::boolean(value)); }
    void operator()(const char* name, JoinState state) {
        object_.set(name, std::string(state_name(state)));
    }
    void operator()(const char* name, const Node& value) { object_.set(name, value); }
    void operator()(const char* name, const std::optional<Node>& value) {
        if (value) object_.set(name, *value);
    }
    void operator()(const char* name, const std::vector<std::string>& values) {
        Node list = Node::array();
        for (const std::string& value : values) list.push(Node::string(value));
        object_.set(name, std::move(list));
    }
    void operator()(const char* name, const std::vector<std::int64_t>& values) {
        Node list = Node::array();
        for (const std::int64_t value : values) list.push(Node::integer(value));
        object_.set(name, std::move(list));
    }
    void operator()(const char* name, const std::optional<link::Upgrade>& upgrade) {
        if (!upgrade) return;
        Node node = Node::object();
        node.set("from", upgrade->from).set("to", upgrade->to).set("source", upgrade->source);
        node.set("servedByFounder", Node::boolean(upgrade->served_by_founder));
        object_.set(name, std::move(node));
    }
    void operator()(const char* name, const std::vector<link::Step>& steps) {
        Node list = Node::array();
        for (const link::Step& step : steps) list.push(step_record(step));
        object_.set(name, std::move(list));
    }
    void operator()(const char* name, link::StepStatus status) {
        object_.set(name, std::string(link::step_status_name(status)));
    }
    void operator()(const char* name, const std::optional<int>& value) {
        if (value) object_.set(name, Node::integer(*value));
    }
    void operator()(const char* name, const std::optional<std::int64_t>& value) {
        if (value) object_.set(name, Node::integer(*value));
    }
    Node take() { return std::move(object_); }

private:
    Node object_ = Node::object();
};

class Reader {
public:
    explicit Reader(const Node& object) : object_(object) {
        if (!object.is_object()) fault_ = "not an object";
    }
    void operator()(const char* name, std::string& value) {
        if (const Node* node = member(name, Node::Kind::kString)) value = node->as_string();
    }
    void operator()(const char* name, std::int64_t& value) {
        if (const Node* node = member(name, Node::Kind::kInt)) value = node->as_int();
    }
    void operator()(const char* name, bool& value) {
        if (const Node* node = member(name, Node::Kind::kBool)) value = node->as_bool();
    }
    void operator()(const char* name, JoinState& state) {
        const Node* node = member(name, Node::Kind::kString);
        const auto read = node != nullptr ? parse_state(node->as_string()) : std::nullopt;
        if (read)
            state = *read;
        else
            fault_ = name;
    }
    void operator()(const char* name, Node& value) {
        if (const Node* node = object_.find(name)) value = *node;
    }
    void operator()(const char* name, std::optional<Node>& value) {
        if (const Node* node = object_.find(name)) value = *node;
    }
    void operator()(const char* name, std::vector<std::string>& values) {
        const Node* node = member(name, Node::Kind::kArray);
        if (node == nullptr) return;
        for (const Node& item : node->items()) values.push_back(item.as_string());
    }
    void operator()(const char* name, std::vector<std::int64_t>& values) {
        const Node* node = member(name, Node::Kind::kArray);
        if (node == nullptr) return;
        for (const Node& item : node->items()) values.push_back(item.as_int());
    }
    void operator()(const char* name, std::optional<link::Upgrade>& upgrade) {
        const Node* node = member(name, Node::Kind::kObject);
        if (node == nullptr) return;
        upgrade.emplace();
        Reader inner(*node);
        inner("from", upgrade->from);
        inner("to", upgrade->to);
        inner("source", upgrade->source);
        inner("servedByFounder", upgrade->served_by_founder);
    }
    void operator()(const char* name, std::vector<link::Step>& steps) {
        const Node* node = member(name, Node::Kind::kArray);
        if (node == nullptr) return;
        for (const Node& item : node->items()) {
            steps.emplace_back();
            if (!read_step_record(item, steps.back())) fault_ = name;
        }
    }
    void operator()(const char* name, link::StepStatus& status) {
        const Node* node = member(name, Node::Kind::kString);
        if (node == nullptr) return;
        using S = link::StepStatus;
        for (const S each : {S::kPending, S::kRunning, S::kDone, S::kFailed})
            if (link::step_status_name(each) == node->as_string()) status = each;
    }
    void operator()(const char* name, std::optional<int>& value) {
        if (const Node* node = member(name, Node::Kind::kInt))
            value = static_cast<int>(node->as_int());
    }
    void operator()(const char* name, std::optional<std::int64_t>& value) {
        if (const Node* node = member(name, Node::Kind::kInt)) value = node->as_int();
    }
    [[nodiscard]] Status status() const {
        if (fault_.empty()) return {};
        return fail(ErrorCode::kInvalid, "the stored record is damaged at " + fault_);
    }

private:
    const Node* member(const char* name, Node::Kind kind) {
        const Node* node = object_.find(name);
        if (node == nullptr || node->kind() == kind) return node;
        fault_ = name;
        return nullptr;
    }

    const Node& object_;
    std::string fault_;
};

// Resolves `R` to the record or to the const record: one list of fields for both directions.
template<class R, class T>
concept Is = std::same_as<std::remove_const_t<R>, T>;

template<class A, Is<link::Step> R>
void fields(A& a, R& r) {
    a("name", r.name);
    a("title", r.title);
    a("status", r.status);
    a("percent", r.percent);
    a("startedAt", r.started_at);
    a("finishedAt", r.finished_at);
    a("error", r.error);
}

template<class A, Is<ClusterRecord> R>
void fields(A& a, R& r) {
    a("founderYaml", r.founder_yaml);
    a("founderNodeId", r.founder_node_id);
    a("generation", r.generation);
    a("advertise", r.advertise);
    a("madeAt", r.made_at);
}

template<class A, Is<GuardRecord> R>
void fields(A& a, R& r) {
    a("failedAt", r.failed_at);
}

template<class A, Is<JoinCodeRecord> R>
void fields(A& a, R& r) {
    a("id", r.id);
    a("key", r.key);
    a("note", r.note);
    a("madeBy", r.made_by);
    a("madeAt", r.made_at);
    a("expiresAt", r.expires_at);
    a("maxUses", r.max_uses);
    a("uses", r.uses);
    a("failedReveals", r.failed_reveals);
    a("lockedReason", r.locked_reason);
    a("revokedAt", r.revoked_at);
}

template<class A, Is<JoinRecord> R>
void fields(A& a, R& r) {
    a("id", r.id);
    a("state", r.state);
    a("sequence", r.sequence);
    a("revision", r.revision);
    a("change", r.change);
    a("attempt", r.attempt);
    a("codeId", r.code_id);
    a("keyFingerprint", r.key_fingerprint);
    a("commitment", r.commitment);
    a("founderNonce", r.founder_nonce);
    a("founderProof", r.founder_proof);
    a("revealBy", r.reveal_by);
    a("joinerNonce", r.joiner_nonce);
    a("pairingCode", r.pairing_code);
    a("release", r.release);
    a("selfUpgrade", r.self_upgrade);
    a("upgrade", r.upgrade);
    a("address", r.address);
    a("hostname", r.hostname);
    a("replaces", r.replaces);
    a("registeredAt", r.registered_at);
    a("approvedAt", r.approved_at);
    a("expiresAt", r.expires_at);
    a("changedAt", r.changed_at);
    a("heardAt", r.heard_at);
    a("stalled", r.stalled);
    a("assignment", r.assignment);
    a("nodeId", r.node_id);
    a("name", r.name);
    a("addresses", r.addresses);
    a("diskKeys", r.disk_keys);
    a("queueOrder", r.queue_order);
    a("waitReason", r.wait_reason);
    a("nodeYamlSha256", r.node_yaml_sha256);
    a("bundleSha256", r.bundle_sha256);
    a("steps", r.steps);
    a("lastSeq", r.last_seq);
    a("logLines", r.log_lines);
    a("failedStep", r.failed_step);
    a("failedStepTitle", r.failed_step_title);
    a("failedError", r.failed_error);
    a("endedReason", r.ended_reason);
}

template<class A, Is<MemberRecord> R>
void fields(A& a, R& r) {
    a("nodeId", r.node_id);
    a("name", r.name);
    a("role", r.role);
    a("status", r.status);
    a("joinId", r.join_id);
    a("keyFingerprint", r.key_fingerprint);
    a("mgmtAddress", r.mgmt_address);
    a("addresses", r.addresses);
    a("diskKeys", r.disk_keys);
    a("generationApplied", r.generation_applied);
    a("heardAt", r.heard_at);
    a("healthy", r.healthy);
    a("complaints", r.complaints);
    a("sampledAt", r.sampled_at);
    a("removalOrder", r.removal_order);
    a("removalAskedAt", r.removal_asked_at);
    a("removalAskedBy", r.removal_asked_by);
    a("removalAskedFrom", r.removal_asked_from);
    a("removalForced", r.removal_forced);
    a("removalStartedAt", r.removal_started_at);
    a("removalWaitsFor", r.removal_waits_for);
}

template<class A, Is<RemovedRecord> R>
void fields(A& a, R& r) {
    a("nodeId", r.node_id);
    a("name", r.name);
    a("joinId", r.join_id);
    a("removedAt", r.removed_at);
    a("forced", r.forced);
}

template<class A, Is<TokenRecord> R>
void fields(A& a, R& r) {
    a("id", r.id);
    a("hash", r.hash);
    a("note", r.note);
    a("policy", r.policy);
    a("madeBy", r.made_by);
    a("madeAt", r.made_at);
    a("revokedAt", r.revoked_at);
}

template<class A, Is<AuditRecord> R>
void fields(A& a, R& r) {
    a("sequence", r.sequence);
    a("at", r.at);
    a("action", r.action);
    a("actor", r.actor);
    a("from", r.from);
    a("object", r.object);
    a("result", r.result);
    a("detail", r.detail);
    a("requestId", r.request_id);
    a("hash", r.hash);
}

template<class A, Is<AuditHeadRecord> R>
void fields(A& a, R& r) {
    a("sequence", r.sequence);
    a("first", r.first);
    a("hash", r.hash);
}

template<class A, Is<GivenRecord> R>
void fields(A& a, R& r) {
    a("at", r.at);
    a("bodyHash", r.body_hash);
    a("etag", r.etag);
    a("body", r.body);
}

template<class A, Is<BucketRecord> R>
void fields(A& a, R& r) {
    a("leftMilli", r.left_milli);
    a("at", r.at);
}

template<class A, Is<link::LogLine> R>
void fields(A& a, R& r) {
    a("seq", r.seq);
    a("at", r.at);
    a("line", r.line);
}

Node step_record(const link::Step& step) {
    Writer writer;
    fields(writer, step);
    return writer.take();
}

Status read_step_record(const Node& node, link::Step& step) {
    Reader reader(node);
    fields(reader, step);
    return reader.status();
}

template<class R>
std::string encode_any(const R& record) {
    Writer writer;
    fields(writer, record);
    return write_json(writer.take());
}

template<class R>
Status decode_any(const std::string& text, R& record) {
    // What we wrote ourselves may be larger than what a stranger may send.
    const DocumentLimits limits{.max_bytes = 8u << 20, .max_depth = 64, .max_nodes = 1'000'000};
    const Parsed parsed = parse_json(text, limits);
    if (!parsed.root || !parsed.findings.empty())
        return fail(ErrorCode::kInvalid, "the stored record is no JSON");
    Reader reader(*parsed.root);
    fields(reader, record);
    return reader.status();
}

} // namespace

std::string encode(const ClusterRecord& record) {
    return encode_any(record);
}
std::string encode(const GuardRecord& record) {
    return encode_any(record);
}
std::string encode(const JoinCodeRecord& record) {
    return encode_any(record);
}
std::string encode(const JoinRecord& record) {
    return encode_any(record);
}
std::string encode(const MemberRecord& record) {
    return encode_any(record);
}
std::string encode(const RemovedRecord& record) {
    return encode_any(record);
}
std::string encode(const TokenRecord& record) {
    return encode_any(record);
}
std::string encode(const AuditRecord& record) {
    return encode_any(record);
}
std::string encode(const AuditHeadRecord& record) {
    return encode_any(record);
}
std::string encode(const GivenRecord& record) {
    return encode_any(record);
}
std::string encode(const BucketRecord& record) {
    return encode_any(record);
}
std::string encode(const link::LogLine& line) {
    return encode_any(line);
}

Status decode(const std::string& text, ClusterRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, GuardRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, JoinCodeRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, JoinRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, MemberRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, RemovedRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, TokenRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, AuditRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, AuditHeadRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, GivenRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, BucketRecord& record) {
    return decode_any(text, record);
}
Status decode(const std::string& text, link::LogLine& line) {
    return decode_any(text, line);
}

std::string sequence_id(std::int64_t sequence) {
    std::array<char, 24> text{};
    const int size =
        std::snprintf(text.data(), text.size(), "%016lld", static_cast<long long>(sequence));
    return {text.data(), static_cast<std::size_t>(size)};
}

} // namespace stratum::founder
