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

bool is_secret(const TarFile& file, const Index& index) {
    return index.secrets.contains(file.path) ||
           index.secrets.contains(file.path.substr(file.path.find('/') + 1));
}

unsigned mode_of(const TarFile& file, const Index& index) {
    const unsigned executable = file.mode & 0100;
    return is_secret(file, index) ? 0600 | executable : 0644 | (executable != 0 ? 0111 : 0);
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

struct Opened {
    std::vector<TarFile> files;
    Index index;
};

Result<Opened> read_bundle(const std::string& tar) {
    auto files = read_tar(tar);
    if (!files) return tl::make_unexpected(files.error());
    const auto at = std::find_if(files->begin(), files->end(),
                                 [](const TarFile& file) { return file.path == kIndexName; });
    if (at == files->end()) return fail(ErrorCode::kInvalid, "the bundle has no bundle.json");
    auto index = read_index(at->content);
    if (!index) return tl::make_unexpected(index.error());
    return Opened{std::move(*files), std::move(*index)};
}

// What a step may say of the bundle's secrets: nothing. Its output goes to the founder's log. A
// secret's lines are looked for whole; shorter ones are words that anything may hold.
class SecretWords {
public:
    explicit SecretWords(const std::string& tar) {
        if (tar.empty()) return;
        const auto opened = read_bundle(tar);
        if (!opened) return; // it was opened before the first step
        for (const TarFile& file : opened->files) {
            if (!is_secret(file, opened->index)) continue;
            for (const std::string& line : split(file.content, '\n')) add(trim(line));
        }
        // A longer one may have a shorter one in it.
        std::sort(words_.begin(), words_.end(),
                  [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    }

    [[nodiscard]] std::string hidden_in(std::string text) const {
        for (const std::string& word : words_) {
            for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
                text.replace(at, word.size(), kHidden);
                at += kHidden.size();
            }
        }
        return text;
    }

private:
    static constexpr std::size_t kShortest = 6;
    static constexpr std::string_view kHidden = "(secret)";

    void add(std::string_view word) {
        if (word.size() >= kShortest) words_.emplace_back(word);
    }

    std::vector<std::string> words_;
};

} // namespace

Result<std::vector<JoinStep>> open_bundle(PhaseContext& context) {
    if (context.bundle_tar.empty()) return std::vector<JoinStep>{};
    auto opened = read_bundle(context.bundle_tar);
    if (!opened) return tl::make_unexpected(opened.error());
    if (auto done = unpack(context, opened->files, opened->index); !done) {
        return tl::make_unexpected(done.error());
    }
    return std::move(opened->index.steps);
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
    const SecretWords secrets(context.bundle_tar);
    command.on_line = [&](const std::string& line) { context.log(secrets.hidden_in(line)); };
    const auto finished = context.processes.run(command);
    auto ok = require_ok(command, finished);
    if (!ok) ok.error().message = secrets.hidden_in(ok.error().message);
    return ok;
}

} // namespace stratum::installer
