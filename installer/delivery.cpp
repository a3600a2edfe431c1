#include "installer/delivery.hpp"

#include "common/base/hash.hpp"
#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kFolder = "delivered";
constexpr std::string_view kNodeYaml = "delivered/node.yaml";
constexpr std::string_view kBundle = "delivered/bundle.tar";
constexpr std::size_t kMostDelivery = 64u << 20;

std::string hash_of(const std::string& content) {
    return to_hex(sha256(bytes_of(content)));
}

} // namespace

Status require_hash(std::string_view what, const std::string& content, const std::string& due) {
    if (hash_of(content) == due) return {};
    return fail(ErrorCode::kInvalid, std::string(what) + " has SHA-256 " + hash_of(content) +
                                         ", the founder said " + due);
}

Result<config::NodeConfig> judge_node_yaml(const Session& session, const std::string& node_yaml) {
    auto checked = config::check_node_yaml(node_yaml);
    if (!checked.config) {
        std::string all = "node.yaml is refused";
        for (const std::string& line : checked.findings.lines()) all += "; " + line;
        return fail(ErrorCode::kInvalid, all.substr(0, 3000));
    }
    const config::NodeConfig& node = *checked.config;
    const JoinerRecord& record = session.record();
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

Status store_delivery(Session& session, const std::string& node_yaml, const std::string& bundle) {
    Files& files = session.seams().files;
    Status stored = files.make_folder(session.file(kFolder), 0700);
    if (stored) stored = files.write(session.file(kNodeYaml), node_yaml, 0600);
    if (stored) stored = files.write(session.file(kBundle), bundle, 0600);
    return stored;
}

Result<Delivery> read_delivery(Session& session) {
    const JoinerRecord& record = session.record();
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
    auto node = judge_node_yaml(session, *yaml);
    if (!node) return tl::make_unexpected(node.error());
    return Delivery{std::move(*yaml), std::move(bundle), std::move(*node)};
}

void forget_bundle(Session& session) {
    Files& files = session.seams().files;
    Status gone = files.remove(session.file(kBundle));
    if (gone) gone = forget_unpacked(files, session.options().state_folder);
    if (!gone) session.say("the bundle stays on disk: " + gone.error().message);
}

} // namespace stratum::installer
