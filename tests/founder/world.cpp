#include "tests/founder/world.hpp"

#include "common/base/text.hpp"
#include "common/config/node_config.hpp"
#include "founder/init.hpp"
#include "founder/store/edge/sqlite_store.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

config::Connection connection(const std::string& name, const std::string& interface,
                              const std::string& address) {
    config::Connection made;
    made.link.name = name;
    made.link.kind = "ethernet";
    made.link.interface = interface;
    made.link.addresses = {address};
    made.link.mtu = 1500;
    made.link.purposes = {name};
    made.mac = "52:54:00:00:00:0" + interface.substr(3);
    return made;
}

config::Network network(const std::string& purpose, const std::string& cidr) {
    config::Network made;
    made.name = purpose;
    made.purpose = purpose;
    made.cidr = *Cidr::parse(cidr);
    return made;
}

facts::Nic nic(int number, int machine) {
    facts::Nic made;
    made.name = "eth" + std::to_string(number);
    made.mac = "52:54:00:00:0" + std::to_string(machine) + ":0" + std::to_string(number);
    made.permanent_mac = made.mac;
    made.driver = "igb";
    made.speed_mbps = 10'000;
    made.mtu = 1500;
    made.max_mtu = 9216;
    made.state = facts::LinkState::kUp;
    return made;
}

facts::Disk disk(int machine) {
    facts::Disk made;
    made.name = "sda";
    made.path = "/dev/sda";
    made.wwn = "0x5000c500a1b2c30" + std::to_string(machine);
    made.by_id = {"/dev/disk/by-id/wwn-" + made.wwn};
    made.model = "EXAMPLE4T";
    made.serial = "S6B0NL0W12345" + std::to_string(machine);
    made.size_bytes = 4'000'787'030'016;
    made.logical_block_size = 512;
    made.rotational = false;
    made.removable = false;
    made.read_only = false;
    made.transport = "sas";
    made.holds.emplace(); // proved blank
    return made;
}

facts::Inventory hardware(int number, const std::string& address) {
    facts::Inventory made;
    made.hostname = "machine-" + std::to_string(number);
    made.machine.vendor = "Example";
    made.machine.serial = "SN-77-" + std::to_string(number);
    made.machine.uuid = "4c4c4544-0033-4b10-8031-b1c04f5a444" + std::to_string(number);
    made.cpu.virtualization = "vmx";
    made.memory_bytes = 64ull << 30;
    made.founder_interface = "eth0";
    made.disks = {disk(number)};
    for (int i = 0; i < 3; ++i) made.nics.push_back(nic(i, number));
    made.nics[0].addresses = {{address + "/24", "dhcp"}};
    made.nics[0].gateway = "10.20.0.254";
    made.nics[0].dns = {"10.20.0.253"};
    return made;
}

Node link_node(const char* name, const char* interface) {
    Node node = Node::object();
    node.set("name", name).set("interface", interface);
    node.set("purposes", Node::array({Node::string(name)}));
    return node;
}

template<class T>
T wanted(Answer<T> answer) {
    if (!answer) {
        std::string why(link::info_of(answer.error().code).name);
        why += ": " + answer.error().detail;
        for (const Finding& finding : answer.error().errors)
            why += "\n  " + finding.field + ": " + finding.message;
        FAIL(why.c_str());
    }
    return std::move(*answer);
}

} // namespace

link::Fingerprint fingerprint_of(std::uint8_t byte) {
    Sha256 bytes{};
    bytes.fill(byte);
    return link::Fingerprint(bytes);
}

Machine::Machine(int its_number)
    : number(its_number), key(fingerprint_of(static_cast<std::uint8_t>(0x20 + its_number))),
      address("10.20.0." + std::to_string(10 + its_number)),
      inventory(hardware(its_number, address)) {
    nonce.fill(static_cast<std::uint8_t>(0x60 + its_number));
}

Node approval_body(const Machine& machine, const std::string& name) {
    Node chosen = Node::object();
    chosen.set("key", machine.wwn()).set("pool", "fast");
    Node assignment = Node::object();
    assignment.set("name", name);
    assignment.set("links",
                   Node::array({link_node("storage", "eth1"), link_node("overlay", "eth2")}));
    assignment.set("disks", Node::array({chosen}));
    Node body = Node::object();
    body.set("assignment", std::move(assignment));
    return body;
}

Node with(Node body, const std::string& name, Node value) {
    Node assignment = *body.find("assignment");
    assignment.set(name, std::move(value));
    body.set("assignment", std::move(assignment));
    return body;
}

std::string founder_yaml() {
    config::NodeConfig node;
    node.node_id = "n-founder1";
    node.name = "alpha";
    node.role = "hybrid";
    node.region = "here";
    node.mgmt.nic = {"eth0", "52:54:00:00:00:00"};
    node.mgmt.address = "10.20.0.1/24";
    node.mgmt.gateway = "10.20.0.254";
    node.mgmt.dns = {"10.20.0.253"};
    node.connections = {connection("storage", "eth1", "10.30.0.1/24"),
                        connection("overlay", "eth2", "10.40.0.1/24")};
    node.ntp_servers = {"10.20.0.253"};
    node.cluster.emplace();
    node.cluster->name = "example";
    node.cluster->networks = {network("storage", "10.30.0.0/24"),
                              network("overlay", "10.40.0.0/24")};
    node.cluster->vips = {"10.20.0.2"};
    return config::render_node_yaml(node);
}

World::World(const std::string& upgrades_from)
    : options{.identity = fingerprint_of(0x11),
              .release = kRelease,
              .upgrades_from = upgrades_from,
              .upgrade_source = {},
              .serves_release = true,
              .bundle_folder = {},
              .advertise = {{"10.20.0.1", 8444}},
              .on_fault = {},
              .look_at_self = [this](bool refresh) {
                  looks += refresh ? 1 : 0;
                  return own;
              }} {
    own = {{kRelease, compat::Fit::kOk, {}, {}}, clock.unix_seconds()};
    SqliteOptions where;
    where.path = folder.path("founder.db");
    where.create = true;
    auto opened = open_sqlite_store(where);
    if (!opened) FAIL(opened.error().message.c_str());
    store = std::move(*opened);
    const auto seeded = seed_store(*store, {founder_yaml(), {}, "", clock.unix_seconds()});
    if (!seeded) {
        const std::string why =
            seeded.error().message + ": " + join(seeded.error().findings.lines(), "\n");
        FAIL(why.c_str());
    }
    token = seeded->token;
    restart();
}

void World::restart() {
    founder = another_founder();
}

std::unique_ptr<Founder> World::another_founder() {
    auto opened = Founder::open(*store, clock, files, options);
    if (!opened) FAIL(opened.error().message.c_str());
    return std::move(*opened);
}

link::JoinCode World::code(std::int64_t max_uses, std::int64_t expires_in_seconds) {
    const auto created =
        wanted(founder->create_join_code({expires_in_seconds, max_uses, ""}, admin));
    return *link::JoinCode::parse(created.code);
}

Node World::registration(const Machine& machine, const std::optional<link::JoinCode>& code) const {
    link::Registration message;
    message.release = machine.release;
    message.self_upgrade = machine.self_upgrade;
    message.commitment = machine.commitment();
    if (code) {
        message.code_id = code->id();
        message.code_proof =
            link::code_proof(code->key(), options.identity, machine.key, machine.commitment());
    }
    return link::to_node(message);
}

Answer<link::RegistrationAnswer> World::register_raw(const Machine& machine, const Node& body) {
    const auto registered =
        founder->register_key(body, machine.key, {"joiner", machine.address, "r"});
    made = registered && registered->made;
    if (!registered) return tl::make_unexpected(registered.error());
    return registered->answer;
}

Answer<link::RegistrationAnswer> World::register_with(const Machine& machine,
                                                      const std::optional<link::JoinCode>& code) {
    return register_raw(machine, registration(machine, code));
}

Answer<link::JoinerView> World::reveal(const Machine& machine, const std::string& id) {
    return founder->reveal(id,
                           link::to_node(link::Reveal{machine.nonce, to_node(machine.inventory)}),
                           machine.key, {"joiner", machine.address, "r"});
}

Answer<link::JoinerView> World::view(const Machine& machine, const std::string& id) {
    return founder->joiner_view(id, machine.key);
}

Answer<std::int64_t> World::report(const Machine& machine, const std::string& id,
                                   const link::Progress& progress) {
    return founder->progress(id, link::to_node(progress), machine.key,
                             {"joiner", machine.address, "r"});
}

Answer<link::HeartbeatAnswer> World::beat(const Machine& machine, std::int64_t applied,
                                          bool healthy) {
    link::Heartbeat message;
    message.generation_applied = applied;
    message.healthy = healthy;
    if (!healthy) message.complaints = {"disk sda is full"};
    return founder->heartbeat(link::to_node(message), machine.key);
}

std::string World::registered(const Machine& machine) {
    return wanted(register_with(machine, code())).id;
}

std::string World::pending(const Machine& machine) {
    std::string id = registered(machine);
    wanted(reveal(machine, id));
    return id;
}

std::string World::approved(const Machine& machine, const std::string& name) {
    std::string id = pending(machine);
    wanted(approve(id, approval_body(machine, name)));
    return id;
}

std::string World::delivering(const Machine& machine, const std::string& name) {
    std::string id = approved(machine, name);
    tick();
    STRCMP_EQUAL("delivering", state(id).c_str());
    return id;
}

std::string World::installing(const Machine& machine, const std::string& name) {
    std::string id = delivering(machine, name);
    wanted(report(machine, id, {}));
    STRCMP_EQUAL("installing", state(id).c_str());
    return id;
}

std::string World::joined(const Machine& machine, const std::string& name) {
    std::string id = installing(machine, name);
    wanted(report(machine, id, {.attempt = 1, .steps = {}, .log = {}, .result = "joined"}));
    wanted(beat(machine, generation()));
    STRCMP_EQUAL("joined", state(id).c_str());
    return id;
}

std::string World::failed(const Machine& machine, const std::string& name) {
    std::string id = installing(machine, name);
    link::Step step;
    step.name = "storage";
    step.status = link::StepStatus::kFailed;
    step.error = "the disk changed";
    wanted(report(machine, id, {.attempt = 1, .steps = {step}, .log = {}, .result = "failed"}));
    STRCMP_EQUAL("failed", state(id).c_str());
    return id;
}

Answer<Approval> World::approve(const std::string& id, const Node& body) {
    return founder->approve(id, body, {false, std::nullopt, admin});
}

Answer<JoinDetail> World::reject(const std::string& id, bool force) {
    return founder->reject(id, {"", force, std::nullopt, admin});
}

JoinRecord World::record(const std::string& id) {
    return wanted(founder->join(id)).record;
}

std::string World::state(const std::string& id) {
    return std::string(state_name(record(id).state));
}

void World::tick(std::int64_t seconds) {
    clock.advance_seconds(seconds);
    const Status done = founder->run_due();
    if (!done) FAIL(done.error().message.c_str());
}

std::string World::audit_actions() {
    std::string all;
    for (const AuditRecord& entry : wanted(founder->audit({1000, ""})).entries)
        all += entry.action + "/" + entry.result + " ";
    return all;
}

std::int64_t World::generation() {
    return wanted(founder->cluster()).generation;
}

} // namespace stratum::founder
