// The bundle: the join steps that the founder made for this node, unpacked and run as given.
#include <algorithm>
#include <set>

#include "common/base/hash.hpp"
#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "installer/phases/phase.hpp"
#include "installer/phases/tar_reader.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kIndexName = "bundle.json";
// Written last, beside the folder, where no file of the bundle can stand for it: a folder without
// it is half unpacked and is unpacked anew.
constexpr std::string_view kWhole = ".whole";
constexpr std::int64_t kLongestStepSeconds = 24 * 3600;

struct Index {
    std::vector<JoinStep> steps;
    std::set<std::string> secrets; // paths inside the bundle
};

JoinStep read_step(const Node& node, const FieldPath& path, Findings& findings) {
    ObjectReader reader(node, path, findings, Unknown::kIgnored);
    JoinStep step;
    step.name = reader.required_string("name");
    step.title = reader.optional_string("title").value_or("");
    step.argv = reader.optional_strings("argv").value_or(std::vector<std::string>{});
    if (step.argv.empty()) reader.add("argv", "missing: a step needs a program to run");
    const bool plain = !step.name.empty() && step.name.find('/') == std::string::npos;
    if (!plain) reader.add("name", "“" + step.name + "” is not a plain name");
    const auto timeout = reader.optional_int("timeoutSeconds", 1, kLongestStepSeconds);
    if (timeout) step.timeout_ms = *timeout * 1000;
    return step;
}

Result<Index> read_index(const std::string& text) {
    Parsed parsed = parse_json(text);
    Findings findings = parsed.findings;
    Index index;
    if (parsed.root) {
        ObjectReader reader(*parsed.root, FieldPath(), findings, Unknown::kIgnored);
        (void)reader.required_int("version", 1, 1);
        reader.each("steps", [&](const Node& node, const FieldPath& path) {
            index.steps.push_back(read_step(node, path, findings));
        });
        const auto secrets = reader.optional_strings("secrets");
        if (secrets) index.secrets.insert(secrets->begin(), secrets->end());
    }
    std::set<std::string> names;
    for (const JoinStep& step : index.steps) {
        if (!names.insert(step.name).second) {
            findings.add(FieldPath().key("steps"), "two steps are called " + step.name);
        }
    }
    if (findings.empty()) return index;
    return fail(ErrorCode::kInvalid, "bundle.json: " + join(findings.lines(), "; "));
}

std::string folder_of(const PhaseContext& context) {
    return context.state_folder + "/bundle-" + to_hex(sha256(bytes_of(context.bundle_tar)));
}

unsigned mode_of(const TarFile& file, const Index& index) {
    const unsigned executable = file.mode & 0100;
    const bool secret = index.secrets.count(file.path) != 0 ||
                        index.secrets.count(file.path.substr(file.path.find('/') + 1)) != 0;
    return secret ? 0600 | executable : 0644 | (executable != 0 ? 0111 : 0);
}

Status unpack(PhaseContext& context, const std::vector<TarFile>& files, const Index& index) {
    const std::string folder = folder_of(context);
    const std::string whole = folder + std::string(kWhole);
    if (context.files.exists(whole)) return {};
    if (auto made = context.files.make_folder(folder, 0700); !made) return made;
    for (const TarFile& file : files) {
        const std::string path = folder + "/" + file.path;
        auto made = context.files.make_folder(path.substr(0, path.rfind('/')), 0700);
        if (!made) return made;
        auto written = context.files.write(path, file.content, mode_of(file, index));
        if (!written) return written;
    }
    return context.files.write(whole, "", 0600);
}

} // namespace

Result<std::vector<JoinStep>> open_bundle(PhaseContext& context) {
    if (context.bundle_tar.empty()) return std::vector<JoinStep>{};
    const auto files = read_tar(context.bundle_tar);
    if (!files) return tl::make_unexpected(files.error());
    const auto at = std::find_if(files->begin(), files->end(),
                                 [](const TarFile& file) { return file.path == kIndexName; });
    if (at == files->end()) return fail(ErrorCode::kInvalid, "the bundle has no bundle.json");
    auto index = read_index(at->content);
    if (!index) return tl::make_unexpected(index.error());
    if (auto done = unpack(context, *files, *index); !done) {
        return tl::make_unexpected(done.error());
    }
    return std::move(index->steps);
}

Status run_join_step(PhaseContext& context, const JoinStep& step) {
    const config::NodeConfig& node = context.node;
    Command command;
    command.argv = step.argv;
    command.timeout_ms = step.timeout_ms;
    command.working_folder = folder_of(context);
    command.environment = {
        {"STRATUM_NODE_YAML",
         (context.root == "/" ? std::string() : context.root) + "/etc/stratum/node.yaml"},
        {"STRATUM_ROOT", context.root},
        {"STRATUM_NODE_ID", node.node_id},
        {"STRATUM_NAME", node.name},
        {"STRATUM_ROLE", node.role},
        {"STRATUM_MGMT_ADDRESS", node.mgmt.address.substr(0, node.mgmt.address.find('/'))},
        {"STRATUM_JOIN_ID", node.join_id},
        {"STRATUM_CLUSTER", node.cluster ? node.cluster->name : ""},
    };
    command.on_line = context.log;
    const auto finished = context.processes.run(command);
    return require_ok(command, finished);
}

} // namespace stratum::installer
