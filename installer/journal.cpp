#include "installer/journal.hpp"

#include "common/base/document.hpp"
#include "common/base/reader.hpp"

namespace stratum::installer {
namespace {

constexpr std::int64_t kJournalVersion = 1;
constexpr std::size_t kMostBytes = 4u << 20;

Node to_node(const DiskMark& mark) {
    Node node = Node::object();
    node.set("key", mark.key).set("plan", mark.plan);
    node.set("finished", Node::boolean(mark.finished));
    return node;
}

Node to_node(const JournalState& state) {
    Node steps = Node::array();
    for (const auto& [name, step] : state.steps) steps.push(link::to_node(step));
    Node disks = Node::array();
    for (const auto& [key, mark] : state.disks) disks.push(to_node(mark));
    Node node = Node::object();
    node.set("version", Node::integer(kJournalVersion)).set("joinId", state.join_id);
    node.set("attempt", Node::integer(state.attempt));
    node.set("nodeYamlSha256", state.node_yaml_sha256);
    node.set("bundleSha256", state.bundle_sha256);
    node.set("steps", std::move(steps)).set("disks", std::move(disks));
    return node;
}

// Steps are read by the protocol's reader, which is what wrote them: a progress report of them
// alone.
std::map<std::string, link::Step> read_steps(const Node* steps, Findings& findings) {
    Node report = Node::object();
    report.set("attempt", Node::integer(1)).set("log", Node::array());
    report.set("steps", steps == nullptr ? Node::array() : *steps);
    std::map<std::string, link::Step> by_name;
    for (link::Step& step : link::read_progress(report, findings).steps) {
        by_name.emplace(step.name, std::move(step));
    }
    return by_name;
}

DiskMark read_mark(const Node& node, const FieldPath& path, Findings& findings) {
    ObjectReader reader(node, path, findings);
    DiskMark mark;
    mark.key = reader.required_string("key");
    mark.plan = reader.required_string("plan");
    // Finished must be said: absent is a finding, not "no" and not "yes".
    if (!reader.has("finished")) reader.add("finished", "missing");
    mark.finished = reader.optional_bool("finished").value_or(false);
    reader.finish();
    return mark;
}

JournalState read_state(const Node& node, Findings& findings) {
    ObjectReader reader(node, {}, findings);
    reader.required_int("version", kJournalVersion, kJournalVersion);
    JournalState state;
    state.join_id = reader.required_string("joinId");
    state.attempt = static_cast<int>(reader.required_int("attempt", 0, 1'000'000).value_or(0));
    state.node_yaml_sha256 = reader.required_string("nodeYamlSha256");
    state.bundle_sha256 = reader.optional_string("bundleSha256").value_or("");
    state.steps = read_steps(reader.member("steps"), findings);
    reader.each("disks", [&](const Node& item, const FieldPath& at) {
        DiskMark mark = read_mark(item, at, findings);
        state.disks.emplace(mark.key, std::move(mark));
    });
    reader.finish();
    return state;
}

} // namespace

Result<Journal> Journal::open(Files& files, std::string path) {
    Journal journal(files, std::move(path));
    if (!files.exists(journal.path_)) return journal;
    const auto text = files.read(journal.path_, kMostBytes);
    if (!text) return fail_in("the journal " + journal.path_, text.error());
    const Parsed parsed = parse_json(*text);
    Findings findings = parsed.findings;
    if (parsed.root && findings.empty()) journal.state_ = read_state(*parsed.root, findings);
    if (parsed.root && findings.empty()) return journal;
    const std::string why =
        findings.empty() ? std::string("no whole JSON document") : findings.lines().front();
    // Never taken for empty: it is what says which disks this join has begun to write.
    return fail(ErrorCode::kInvalid, "the journal " + journal.path_ + " is damaged (" + why +
                                         "); look at the disk it is on, and remove the file only "
                                         "if this machine may start its installation anew");
}

Status Journal::begin(const std::string& join_id, int attempt, const std::string& node_yaml_sha256,
                      const std::string& bundle_sha256) {
    JournalState next = state_;
    const bool same_join = next.join_id == join_id;
    const bool same_bundle =
        same_join && !bundle_sha256.empty() && next.bundle_sha256 == bundle_sha256;
    if (!same_join) next.disks.clear();
    if (!same_join || next.attempt != attempt || next.node_yaml_sha256 != node_yaml_sha256) {
        // Joining a service twice is not the same as once: what is done of it stays done.
        std::erase_if(next.steps, [same_bundle](const auto& entry) {
            const bool is_done = entry.second.status == link::StepStatus::kDone;
            return !(same_bundle && is_done && entry.first.starts_with("join/"));
        });
    }
    next.join_id = join_id;
    next.attempt = attempt;
    next.node_yaml_sha256 = node_yaml_sha256;
    next.bundle_sha256 = bundle_sha256;
    return save(std::move(next));
}

Status Journal::set_step(const link::Step& step) {
    JournalState next = state_;
    next.steps[step.name] = step;
    return save(std::move(next));
}

Status Journal::set_disk(const DiskMark& mark) {
    JournalState next = state_;
    next.disks[mark.key] = mark;
    return save(std::move(next));
}

bool Journal::is_done(const std::string& step_name) const {
    const auto at = state_.steps.find(step_name);
    return at != state_.steps.end() && at->second.status == link::StepStatus::kDone;
}

// What could not be stored has not happened: the state in memory stays as the file has it.
Status Journal::save(JournalState next) {
    if (next == state_) return {};
    if (auto written = files_->write(path_, write_json(to_node(next), 2) + "\n", 0600); !written) {
        return fail_in("the journal " + path_, written.error());
    }
    state_ = std::move(next);
    return {};
}

} // namespace stratum::installer
