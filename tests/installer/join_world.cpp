#include "tests/installer/join_world.hpp"

#include <algorithm>

#include "common/config/node_config.hpp"

namespace stratum::fakes {
namespace {

using installer::JoinerState;
using installer::JoinProgress;
using installer::PhaseContext;

Status act(PhaseContext& context, const std::string& name) {
    PhaseScript& script = PhaseScript::now();
    script.runs.push_back(name);
    context.log("in " + name);
    context.percent(50);
    const auto acts = script.acts.find(name);
    if (acts != script.acts.end()) {
        if (auto status = acts->second(context); !status) return status;
    }
    const auto failing = script.failing.find(name);
    if (failing != script.failing.end()) return fail(ErrorCode::kIo, failing->second);
    return {};
}

Status verify(PhaseContext& context) {
    return act(context, "verify");
}
Status network(PhaseContext& context) {
    return act(context, "network");
}
Status finish(PhaseContext& context) {
    return act(context, "finish");
}

// The lists that are made at first use, before the first test.
[[maybe_unused]] const bool kIsWarm =
    installer::phases_before_join().size() + installer::phases_after_join().size() > 0;

facts::Inventory small_machine() {
    facts::Inventory inventory;
    inventory.hostname = "rack-7";
    inventory.machine.product = "R650";
    facts::Disk disk;
    disk.name = "vda";
    disk.path = "/dev/vda";
    disk.size_bytes = 64ull << 30;
    inventory.disks.push_back(disk);
    facts::Nic nic;
    nic.name = "eth0";
    nic.mac = "52:54:00:00:00:01";
    inventory.nics.push_back(nic);
    return inventory;
}

config::NodeConfig small_node() {
    config::NodeConfig node;
    node.node_id = "n-2";
    node.name = "node-2";
    node.role = "hybrid";
    node.region = "home";
    node.mgmt.nic = {"eth0", "52:54:00:00:00:01"};
    node.mgmt.address = "10.20.0.11/24";
    node.mgmt.gateway = "10.20.0.1";
    node.os_disk_layout = "whole-disk";
    node.ntp_servers = {"10.20.0.1"};
    config::ClusterSection cluster;
    cluster.name = "home";
    cluster.generation = 1;
    cluster.allow_no_compute = true;
    node.cluster = cluster;
    return node;
}

} // namespace

PhaseScript& PhaseScript::now() {
    static PhaseScript script;
    return script;
}

JoinWorld::JoinWorld() : inventory(small_machine()) {
    PhaseScript::now() = {};
    options.state_folder = "/state";
    options.release = "1.0.0";
    history.emplace_back();
    node = small_node();
    founder.render = [this](const FakeJoin& join) {
        node.join_id = join.id;
        node.attempt = join.attempt;
        node.founder = config::FounderRef{{founder.address.str()}, founder.key.str()};
        if (spoil_node) spoil_node(node);
        return config::render_node_yaml(node);
    };
}

// The script is the program's for as long as it lives; a test must not be blamed for what is in it.
JoinWorld::~JoinWorld() {
    PhaseScript::now() = {};
}

installer::JoinerRecord JoinWorld::record() const {
    return installer::read_record(files, "/state/session.json").value_or(installer::JoinerRecord{});
}

bool JoinWorld::was_shown(JoinerState state) const {
    return std::ranges::any_of(history,
                               [&](const JoinProgress& one) { return one.state == state; });
}

void JoinWorld::founder_goes_on() {
    founder.before = [this](const std::string& method, const std::string& path) {
        if (method != "GET" || founder.joins.empty() || path.find('?') == std::string::npos) return;
        FakeJoin& join = founder.join();
        if (!join.joiner_nonce) return;
        if (join.state == "approved") founder.deliver();
        if (join.state == "pending") founder.approve();
    };
}

installer::Waited JoinWorld::wait(std::int64_t wait_ms) {
    if (before_wait) before_wait();
    if (++waits_ > most_waits) return {true, {}};
    if (!lines_at_any_time.empty()) {
        installer::Waited waited{false, lines_at_any_time.front()};
        lines_at_any_time.pop_front();
        return waited;
    }
    const bool asks = !history.back().prompt.empty();
    if (asks && !typed.empty()) {
        installer::Waited waited{false, typed.front()};
        typed.pop_front();
        return waited;
    }
    // Asked, and nobody there: nothing more will happen by itself.
    if (asks && !history.back().retry) return {true, {}};
    clock.advance_ms(wait_ms);
    return {stops_, {}};
}

installer::JoinSeams JoinWorld::make_seams() {
    installer::InstallSteps steps;
    steps.before_join = {{"verify", "Checking", verify}, {"network", "Networking", network}};
    steps.after_join = {{"finish", "Finishing", finish}};
    steps.open_bundle = [this](PhaseContext&) -> Result<std::vector<installer::JoinStep>> {
        if (bundle_fault) return tl::make_unexpected(*bundle_fault);
        return bundle_steps;
    };
    steps.run_join_step = [](PhaseContext& context, const installer::JoinStep& step) {
        return act(context, "join/" + step.name);
    };
    return installer::JoinSeams{
        .files = files,
        .processes = processes,
        .clock = machine_clock,
        .make_client = [this](const link::ClientOptions& o) { return founder.make_client(o); },
        .ask_key = [this](const HostPort& server) { return founder.ask_key(server); },
        .look = [this](const std::string&) -> Result<facts::Inventory> {
            ++looks;
            return inventory;
        },
        .hardware_changed = hardware_changed,
        .wait = [this](std::int64_t wait_ms) { return wait(wait_ms); },
        .stopping = [this] { return stops_ || clock.steady_ms() > until_ms_; },
        .publish =
            [this](const JoinProgress& progress) {
                history.push_back(progress);
                if (tick_) tick_();
                if (stop_when && stop_when(progress)) stops_ = true;
            },
        .log = [this](const std::string& line) { log.push_back(line); },
        .set_clock = [this](std::int64_t seconds) -> Status {
            clocks_set.push_back(seconds);
            if (!clock_can_be_set) return fail(ErrorCode::kDenied, "not permitted");
            return {};
        },
        .random_below = [](std::uint32_t below) { return below / 2; },
        .start_background = {},
        .steps = steps};
}

Result<installer::JoinOutcome> JoinWorld::run() {
    stops_ = false;
    waits_ = 0;
    until_ms_ = clock.steady_ms() + 3'600'000;
    installer::JoinSeams seams = make_seams();
    return installer::run_join(options, seams);
}

Result<installer::JoinOutcome> JoinWorld::run_with_background() {
    struct Ticking final : installer::Background {
        explicit Ticking(std::function<void()>& its_place) : place(its_place) {}
        ~Ticking() override { place = {}; }
        std::function<void()>& place;
    };
    stops_ = false;
    waits_ = 0;
    until_ms_ = clock.steady_ms() + 3'600'000;
    installer::JoinSeams seams = make_seams();
    seams.start_background = [this](std::function<void()> tick, std::int64_t) {
        tick_ = std::move(tick);
        return std::make_unique<Ticking>(tick_);
    };
    return installer::run_join(options, seams);
}

} // namespace stratum::fakes
