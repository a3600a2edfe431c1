#include "installer/record.hpp"

#include <algorithm>

#include "common/base/document.hpp"
#include "common/base/reader.hpp"
#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::int64_t kRecordVersion = 1;
constexpr std::size_t kMostUsedCodes = 32;

Node strings(const std::vector<std::string>& list) {
    Node items = Node::array();
    for (const std::string& one : list) items.push(Node::string(one));
    return items;
}

Node to_node(const KeptCode& code) {
    Node node = Node::object();
    node.set("id", code.id).set("key", to_hex(code.key)).set("isLong", Node::boolean(code.is_long));
    node.set("origin", code.origin);
    return node;
}

Node to_node(const KeptPairing& pairing) {
    Node node = Node::object();
    node.set("founderKey", pairing.founder_key.str())
        .set("founderNonce", to_hex(pairing.founder_nonce))
        .set("joinId", pairing.join_id)
        .set("founderProof", to_hex(pairing.founder_proof));
    return node;
}

// A plain text of the record: its name and place, so that reader and writer cannot differ.
struct TextField {
    const char* name;
    std::string JoinerRecord::*member;
};
constexpr TextField kTexts[] = {
    {"message", &JoinerRecord::message},
    {"error", &JoinerRecord::error},
    {"nextStep", &JoinerRecord::next_step},
    {"release", &JoinerRecord::release},
    {"inventorySha256", &JoinerRecord::inventory_sha256},
    {"nodeYamlSha256", &JoinerRecord::node_yaml_sha256},
    {"bundleSha256", &JoinerRecord::bundle_sha256},
    {"nodeId", &JoinerRecord::node_id},
    {"name", &JoinerRecord::name},
    {"result", &JoinerRecord::result},
};

Node to_node(const JoinerRecord& record) {
    Node node = Node::object();
    node.set("version", Node::integer(kRecordVersion));
    node.set("state", std::string(row_of(record.state).name));
    for (const TextField& field : kTexts) node.set(field.name, record.*field.member);
    std::vector<std::string> founders;
    for (const HostPort& one : record.founders) founders.push_back(one.str());
    node.set("founders", strings(founders));
    if (record.founder_key) node.set("founderKey", record.founder_key->str());
    if (record.code) node.set("code", to_node(*record.code));
    if (record.nonce) node.set("nonce", to_hex(*record.nonce));
    if (record.pairing) node.set("pairing", to_node(*record.pairing));
    node.set("freshPairings", Node::integer(record.fresh_pairings));
    node.set("usedCodes", strings(record.used_codes));
    node.set("newKeyWanted", Node::boolean(record.new_key_wanted));
    node.set("attempt", Node::integer(record.attempt));
    return node;
}

Result<Sha256> parse_hash(std::string_view text) {
    const auto bytes = from_hex(text);
    if (!bytes || bytes->size() != 32) return fail(ErrorCode::kInvalid, "needs 64 hex digits");
    Sha256 hash{};
    std::copy(bytes->begin(), bytes->end(), hash.begin());
    return hash;
}

Result<JoinerState> parse_state(std::string_view text) {
    if (const auto state = join_state_named(text)) return *state;
    return fail(ErrorCode::kInvalid, "is no state that this release knows");
}

// A required value: its absence is a finding too, so that a half record is never half used.
template<class T>
T required(ObjectReader& reader, std::string_view name, Result<T> (*parse)(std::string_view)) {
    if (!reader.has(name)) reader.add(name, "missing");
    return reader.optional_parsed<T>(name, parse).value_or(T{});
}

std::optional<KeptCode> read_code(ObjectReader& record, Findings& findings) {
    const Node* node = record.member("code");
    if (node == nullptr) return std::nullopt;
    ObjectReader reader(*node, FieldPath().key("code"), findings);
    KeptCode code;
    code.id = reader.required_string("id");
    code.key = required<Sha256>(reader, "key", parse_hash);
    code.is_long = reader.optional_bool("isLong").value_or(false);
    code.origin = reader.optional_string("origin").value_or("");
    reader.finish();
    return code;
}

std::optional<KeptPairing> read_pairing(ObjectReader& record, Findings& findings) {
    const Node* node = record.member("pairing");
    if (node == nullptr) return std::nullopt;
    ObjectReader reader(*node, FieldPath().key("pairing"), findings);
    KeptPairing pairing{link::Fingerprint(Sha256{}), {}, {}, {}};
    if (!reader.has("founderKey")) reader.add("founderKey", "missing");
    pairing.founder_key = reader.optional_parsed("founderKey", link::Fingerprint::parse)
                              .value_or(link::Fingerprint(Sha256{}));
    pairing.founder_nonce = required<link::Nonce>(reader, "founderNonce", link::parse_nonce);
    pairing.join_id = reader.required_string("joinId");
    pairing.founder_proof = required<Sha256>(reader, "founderProof", parse_hash);
    reader.finish();
    return pairing;
}

JoinerRecord read_body(ObjectReader& reader, Findings& findings) {
    JoinerRecord record;
    record.state = required<JoinerState>(reader, "state", parse_state);
    for (const TextField& field : kTexts) {
        record.*field.member = reader.optional_string(field.name).value_or("");
    }
    for (const std::string& text :
         reader.optional_strings("founders").value_or(record.used_codes)) {
        const auto founder = HostPort::parse(text);
        if (founder) record.founders.push_back(*founder);
        if (!founder) reader.add("founders", founder.error().message);
    }
    record.founder_key = reader.optional_parsed("founderKey", link::Fingerprint::parse);
    record.code = read_code(reader, findings);
    record.nonce = reader.optional_parsed("nonce", link::parse_nonce);
    record.pairing = read_pairing(reader, findings);
    record.fresh_pairings =
        static_cast<int>(reader.optional_int("freshPairings", 0, 1'000'000).value_or(0));
    record.used_codes = reader.optional_strings("usedCodes").value_or(record.used_codes);
    record.new_key_wanted = reader.optional_bool("newKeyWanted").value_or(false);
    record.attempt = static_cast<int>(reader.optional_int("attempt", 0, 1'000'000).value_or(0));
    return record;
}

// A state that needs what the record does not hold is a damaged record.
bool is_whole(const JoinerRecord& record) {
    using S = JoinerState;
    const S s = record.state;
    if (s == S::kNeedsCode || s == S::kEnded || s == S::kStopped) return true;
    if (record.founders.empty()) return false;
    if (s == S::kConnecting) return record.code.has_value();
    if (!record.founder_key || !record.nonce) return false;
    if (s == S::kRegistering) return record.code || record.pairing;
    return record.pairing && record.pairing->founder_key == *record.founder_key;
}

} // namespace

Status write_record(Files& files, const std::string& path, const JoinerRecord& record) {
    return files.write(path, write_json(to_node(record), 2) + "\n", 0600);
}

Result<JoinerRecord> read_record(const Files& files, const std::string& path) {
    if (!files.exists(path)) return JoinerRecord{};
    const auto text = files.read(path, 1u << 20);
    if (!text) return fail_in("reading " + path, text.error());
    const Parsed parsed = parse_json(*text);
    Findings findings = parsed.findings;
    if (parsed.root && findings.empty()) {
        ObjectReader reader(*parsed.root, {}, findings);
        const auto version = reader.required_int("version", 1, INT64_MAX);
        if (version && *version != kRecordVersion) {
            return fail(ErrorCode::kInvalid, path + " is of version " + std::to_string(*version) +
                                                 ", this release knows version 1");
        }
        JoinerRecord record = read_body(reader, findings);
        reader.finish();
        if (findings.empty() && is_whole(record)) return record;
        if (findings.empty()) findings.add({}, "it lacks what its state needs");
    }
    if (findings.empty()) findings.add({}, "it is no whole JSON document");
    return fail(ErrorCode::kInvalid, path + " cannot be used: " + findings.lines().front());
}

JoinerRecord begin_with(const JoinerRecord& before, const GivenCode& code) {
    JoinerRecord record;
    record.used_codes = before.used_codes;
    record.new_key_wanted = before.new_key_wanted;
    record.founders = code.founders;
    record.founder_key = code.founder_key;
    record.code =
        KeptCode{code.code.id(), code.code.key(), code.founder_key.has_value(), code.origin};
    return record;
}

bool is_untried(const JoinerRecord& record, const link::JoinCode& code) {
    return std::ranges::find(record.used_codes, code.id()) == record.used_codes.end();
}

void mark_used(JoinerRecord& record) {
    if (!record.code) return;
    std::vector<std::string>& used = record.used_codes;
    if (std::ranges::find(used, record.code->id) != used.end()) return;
    used.push_back(record.code->id);
    if (used.size() > kMostUsedCodes) used.erase(used.begin());
}

} // namespace stratum::installer
