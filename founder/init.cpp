#include "founder/init.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/node_config.hpp"
#include "common/facts/disk_verdict.hpp"
#include "common/link/keys.hpp"
#include "founder/edge/state_folder.hpp"
#include "founder/lifecycle.hpp"
#include "founder/state_files.hpp"
#include "founder/store/edge/sqlite_store.hpp"
#include "founder/tokens.hpp"

namespace stratum::founder {
namespace {

tl::unexpected<InitRefusal> because(std::string message) {
    return tl::make_unexpected(InitRefusal{{}, std::move(message)});
}

std::string without_prefix(const std::string& address) {
    const auto cidr = Cidr::parse(address);
    return cidr ? cidr->address().str() : address;
}

// The policy of the first token: everything.
Node bootstrap_policy() {
    Node statement = Node::object();
    statement.set("effect", "allow");
    statement.set("actions", Node::array({Node::string("*")}));
    statement.set("resources", Node::array({Node::string("*")}));
    Node policy = Node::object();
    policy.set("version", Node::integer(1));
    policy.set("statements", Node::array({statement}));
    return policy;
}

std::vector<std::string> wwns_of(const config::NodeConfig& node,
                                 const std::optional<facts::Inventory>& inventory) {
    std::vector<std::string> keys;
    for (const config::NodeDisk& disk : node.disks) {
        const auto found = inventory ? facts::find_disk(inventory->disks, disk.choice.key)
                                     : fail(ErrorCode::kNotFound, "");
        facts::Disk named; // by its key alone, where it is not to be seen
        (disk.choice.key.starts_with('/') ? named.by_id.emplace_back() : named.wwn) =
            disk.choice.key;
        if (auto wwn = facts::world_wide_name(found ? **found : named); !wwn.empty())
            keys.push_back(std::move(wwn));
    }
    return keys;
}

MemberRecord first_member(const config::NodeConfig& node,
                          const std::optional<facts::Inventory>& inventory) {
    MemberRecord member;
    member.node_id = node.node_id;
    member.name = node.name;
    member.role = node.role;
    member.status = "joined";
    member.mgmt_address = without_prefix(node.mgmt.address);
    member.disk_keys = wwns_of(node, inventory);
    member.generation_applied = 1;
    for (const config::Connection& connection : node.connections) {
        const auto& purposes = connection.link.purposes;
        if (std::any_of(purposes.begin(), purposes.end(),
                        [](const auto& p) { return p == "storage" || p == "overlay"; }))
            for (const std::string& address : connection.link.addresses)
                member.addresses.push_back(address);
    }
    return member;
}

// What nobody else may ever get: the first node's own, and the cluster's addresses.
void take_first_claims(Ledger& ledger, const config::NodeConfig& node, const MemberRecord& member) {
    const auto take = [&](Claim claim, const std::string& value, const std::string& owner) {
        if (!ledger.take(claim, value, owner))
            ledger.fault(value + " is in the founder's node.yaml for two things");
    };
    take(Claim::kName, node.name, node.node_id);
    take(Claim::kNodeId, node.node_id, node.node_id);
    take(Claim::kAddress, member.mgmt_address, node.node_id);
    for (const config::Connection& connection : node.connections)
        for (const std::string& address : connection.link.addresses)
            take(Claim::kAddress, without_prefix(address), node.node_id);
    for (const std::string& key : member.disk_keys) take(Claim::kDiskKey, key, node.node_id);
    for (const std::string& vip : node.cluster->vips)
        take(Claim::kAddress, without_prefix(vip), "cluster");
}

tl::expected<std::optional<facts::Inventory>, InitRefusal>
read_own_inventory(const std::string& json) {
    if (json.empty()) return std::optional<facts::Inventory>();
    const Parsed parsed = parse_json(json, {.max_bytes = 8u << 20, .max_nodes = 1'000'000});
    Findings findings = parsed.findings;
    facts::Inventory inventory;
    if (parsed.root)
        inventory = facts::read_inventory(*parsed.root, FieldPath().key("inventory"), findings);
    if (!findings.empty())
        return tl::make_unexpected(InitRefusal{findings, "the inventory cannot be read"});
    return std::optional(inventory);
}

std::vector<std::string> advertise_texts(const std::vector<HostPort>& asked,
                                         const std::string& mgmt_host) {
    std::vector<std::string> all;
    all.reserve(asked.size());
    for (const HostPort& each : asked) all.push_back(each.str());
    if (all.empty()) all.push_back(HostPort{mgmt_host, 0}.str());
    return all;
}

Status write_seed(Store& store, const FounderSeed& seed, const config::NodeConfig& node,
                  const std::optional<facts::Inventory>& inventory, SeedResult& result) {
    const Occasion occasion{seed.now, {"founder", "", ""}, "the bootstrap-admin's"};
    return store.write([&](Transaction& tx) -> Result<Ending> {
        Ledger ledger(tx);
        if (ledger.get<ClusterRecord>(kOnly))
            return fail(ErrorCode::kConflict, "the store already holds a founder");
        const MemberRecord member = first_member(node, inventory);
        ClusterRecord cluster;
        cluster.founder_yaml = seed.config_text;
        cluster.founder_node_id = node.node_id;
        cluster.generation = 1;
        cluster.advertise = advertise_texts(seed.advertise, member.mgmt_address);
        cluster.made_at = seed.now;
        ledger.put(kOnly, cluster);
        ledger.put(member.node_id, member);
        take_first_claims(ledger, node, member);
        if (inventory)
            ledger.put_text(Kind::kInventory, node.node_id, write_json(to_node(*inventory)));
        TokenRecord wanted;
        wanted.note = "bootstrap-admin";
        wanted.policy = bootstrap_policy();
        wanted.made_by = "founder init";
        wanted.made_at = seed.now;
        const MadeToken token = make_token(ledger, wanted);
        write_audit(ledger, audit_of(occasion, "iam.token.created", "token/" + token.record.id));
        if (!ledger.status()) return tl::make_unexpected(ledger.status().error());
        result = {token.token, member.mgmt_address};
        return Ending::kCommit;
    });
}

// Everything under other names first; only the last step makes a founder of the folder.
tl::expected<MadeFounder, InitRefusal> build(const std::string& state_dir, const FounderSeed& seed,
                                             const InitOptions& options) {
    const std::string part = state_dir + "/" + kStorePartName;
    if (auto cleared = remove_leftovers(state_dir, kStorePartName); !cleared)
        return because(cleared.error().message);
    const auto key =
        link::load_or_make_key(system_files(), state_dir + "/" + kKeyName, "stratum-founder");
    if (!key) return because(key.error().message);
    MadeFounder made;
    {
        SqliteOptions where;
        where.path = part;
        where.create = true;
        auto store = open_sqlite_store(where);
        if (!store) return because(store.error().message);
        auto seeded = seed_store(**store, seed);
        if (!seeded) return tl::make_unexpected(seeded.error());
        made.token = seeded->token;
        made.fingerprint = key->fingerprint.str();
        for (HostPort address : options.advertise.empty()
                                    ? std::vector<HostPort>{{seeded->mgmt_host, 0}}
                                    : options.advertise) {
            if (address.port == 0) address.port = options.join_port;
            made.advertise.push_back(address.str());
        }
    }
    // Closing folds SQLite's log into the file; what would stay beside it would not get the name.
    if (system_files().exists(part + "-wal")) return because("the new store could not be closed");
    if (options.announce) {
        if (auto told = options.announce(made); !told) return because(told.error().message);
    }
    if (auto named = give_name(part, state_dir + "/" + kStoreName); !named)
        return because(named.error().message);
    return made;
}

} // namespace

tl::expected<SeedResult, InitRefusal> seed_store(Store& store, const FounderSeed& seed) {
    const auto checked = config::check_founder_yaml(seed.config_text);
    if (!checked.config)
        return tl::make_unexpected(InitRefusal{checked.findings, "the node.yaml is not valid"});
    const auto inventory = read_own_inventory(seed.inventory_json);
    if (!inventory) return tl::make_unexpected(inventory.error());
    SeedResult result;
    const Status written = write_seed(store, seed, *checked.config, *inventory, result);
    if (!written) return because(written.error().message);
    return result;
}

tl::expected<MadeFounder, InitRefusal> make_founder(const std::string& state_dir,
                                                    const std::string& config_text,
                                                    const InitOptions& options) {
    // A file that is not right leaves no trace.
    const auto checked = config::check_founder_yaml(config_text);
    if (!checked.config)
        return tl::make_unexpected(InitRefusal{checked.findings, "the node.yaml is not valid"});
    if (const auto inventory = read_own_inventory(options.inventory_json); !inventory)
        return tl::make_unexpected(inventory.error());
    if (system_files().exists(state_dir + "/" + kStoreName))
        return because(state_dir + " already holds a founder; to start anew choose another "
                                   "folder, or remove this one yourself");
    const auto lock = lock_state_folder(state_dir);
    if (!lock) return because(lock.error().message);
    if (system_files().exists(state_dir + "/" + kStoreName))
        return because(state_dir + " already holds a founder");
    const FounderSeed seed{config_text, options.advertise, options.inventory_json,
                           system_clock().unix_seconds()};
    return build(state_dir, seed, options);
}

} // namespace stratum::founder
