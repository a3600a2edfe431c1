#include "founder/bundle.hpp"

#include <algorithm>
#include <set>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "founder/ustar.hpp"

namespace stratum::founder {
namespace {

constexpr std::string_view kEmptyBundle = R"({"version":1,"steps":[],"secrets":[]})";
constexpr int kDeepestFolder = 16;

bool is_step_name(std::string_view name) {
    return is_label(name);
}

void read_step(const Node& node, const FieldPath& at, Findings& findings,
               std::set<std::string>& names) {
    ObjectReader reader(node, at, findings);
    const std::string name = reader.required_string("name");
    if (!name.empty() && !is_step_name(name)) reader.add("name", "not a label (a-z, 0-9, -)");
    if (!name.empty() && !names.insert(name).second) reader.add("name", "twice");
    (void)reader.optional_string("title");
    (void)reader.optional_int("timeoutSeconds", 1, 24 * 3600);
    const auto argv = reader.optional_strings("argv");
    if (!argv || argv->empty() || argv->front().empty())
        reader.add("argv", "missing: a program and its arguments are needed");
    reader.finish();
}

// Every file below `folder`, as paths relative to it, in byte order.
Status collect(const Files& files, const std::string& folder, const std::string& below,
               std::vector<std::string>& paths, int depth = 0) {
    if (depth > kDeepestFolder)
        return fail(ErrorCode::kInvalid, "the bundle's folders are too deep at " + below);
    const auto in = [&folder](const std::string& path) {
        return path.empty() ? folder : folder + "/" + path;
    };
    const auto names = files.list(in(below));
    if (!names) return tl::make_unexpected(names.error());
    const std::string front = below.empty() ? "" : below + "/";
    for (const std::string& name : *names) {
        const std::string path = front + name;
        if (files.list(in(path))) {
            if (auto done = collect(files, folder, path, paths, depth + 1); !done) return done;
        } else {
            paths.push_back(path);
        }
    }
    return {};
}

Result<TarFile> one_file(const Files& files, const std::string& folder, const std::string& path,
                         const Values& values) {
    auto content = files.read(folder + "/" + path, kMostBundleBytes);
    if (!content) return fail_in("the bundle's " + path, content.error());
    // What is no text (a program, an archive) goes as it is.
    if (is_utf8(*content)) {
        content = fill_in(*content, values);
        if (!content) return fail_in("the bundle's " + path, content.error());
    }
    return TarFile{path, std::move(*content), path == "bundle.json" ? 0644u : 0755u};
}

} // namespace

Values bundle_values(const config::NodeConfig& node) {
    Values values{{"node.id", node.node_id},
                  {"node.name", node.name},
                  {"node.role", node.role},
                  {"node.rack", node.rack},
                  {"node.az", node.az},
                  {"join.id", node.join_id},
                  {"join.attempt", std::to_string(node.attempt)}};
    const auto address = Cidr::parse(node.mgmt.address);
    values["node.mgmtAddress"] = address ? address->address().str() : node.mgmt.address;
    std::vector<std::string> names;
    std::vector<std::string> addresses;
    if (node.cluster) {
        values["cluster.name"] = node.cluster->name;
        values["cluster.generation"] = std::to_string(node.cluster->generation);
        for (const facts::Member& member : node.cluster->members) {
            if (member.node_id == node.node_id) continue;
            names.push_back(member.name);
            addresses.push_back(member.mgmt_address);
        }
    }
    values["members.names"] = join(names, ",");
    values["members.mgmtAddresses"] = join(addresses, ",");
    values["founder.addresses"] = node.founder ? join(node.founder->addresses, ",") : "";
    return values;
}

Result<std::string> fill_in(const std::string& text, const Values& values) {
    std::string filled;
    std::size_t from = 0;
    for (;;) {
        const std::size_t open = text.find("{{", from);
        if (open == std::string::npos) return filled + text.substr(from);
        const std::size_t close = text.find("}}", open);
        if (close == std::string::npos) return fail(ErrorCode::kInvalid, "a {{ is never closed");
        const std::string name(trim(std::string_view(text).substr(open + 2, close - open - 2)));
        const auto value = values.find(name);
        if (value == values.end())
            return fail(ErrorCode::kInvalid, "{{" + name.substr(0, 64) + "}} is no known value");
        filled += text.substr(from, open - from) + value->second;
        from = close + 2;
    }
}

Status check_bundle_json(const std::string& text) {
    Parsed parsed = parse_json(text);
    if (parsed.root) {
        ObjectReader reader(*parsed.root, {}, parsed.findings);
        const auto version = reader.required_int("version", 1, 1);
        (void)version;
        std::set<std::string> names;
        if (!reader.each("steps", [&](const Node& node, const FieldPath& at) {
                read_step(node, at, parsed.findings, names);
            }))
            reader.add("steps", "missing");
        (void)reader.optional_strings("secrets");
        reader.finish();
    }
    if (parsed.findings.empty()) return {};
    return fail(ErrorCode::kInvalid, "bundle.json: " + parsed.findings.lines().front());
}

Result<std::string> make_bundle(const Files& files, const std::string& folder,
                                const Values& values) {
    if (folder.empty()) return make_tar({{"bundle.json", std::string(kEmptyBundle), 0644}});
    std::vector<std::string> paths;
    if (auto done = collect(files, folder + "/files", "", paths); !done) {
        if (done.error().code != ErrorCode::kNotFound) return tl::make_unexpected(done.error());
    }
    for (std::string& path : paths) path.insert(0, "files/");
    paths.insert(paths.begin(), "bundle.json");
    std::vector<TarFile> tar;
    std::size_t bytes = 0;
    for (const std::string& path : paths) {
        auto file = one_file(files, folder, path, values);
        if (!file) return tl::make_unexpected(file.error());
        bytes += file->content.size();
        if (bytes > kMostBundleBytes)
            return fail(ErrorCode::kTooLarge,
                        "the bundle is larger than " + human_bytes_binary(kMostBundleBytes));
        tar.push_back(std::move(*file));
    }
    if (auto checked = check_bundle_json(tar.front().content); !checked)
        return tl::make_unexpected(checked.error());
    return make_tar(tar);
}

} // namespace stratum::founder
