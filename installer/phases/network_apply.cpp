#include "installer/phases/network_apply.hpp"

#include <algorithm>
#include <set>

#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kFolder = "/etc/systemd/network";
// Says that the kept folder is whole: written last, removed first.
constexpr std::string_view kWhole = ".whole";
constexpr std::string_view kNetdev = ".netdev";

// The device that a .netdev of ours makes: 05-stratum-bond0.netdev → bond0.
std::string device_of(const std::string& file) {
    return file.substr(kOwnPrefix.size(), file.size() - kOwnPrefix.size() - kNetdev.size());
}

std::string content_in(const std::map<std::string, std::string>& files, const std::string& name) {
    const auto at = files.find(name);
    return at == files.end() ? std::string{} : at->second;
}

} // namespace

std::string NetworkApply::folder() const {
    return in_target(context_, kFolder);
}
std::string NetworkApply::kept() const {
    return context_.state_folder + "/network-before";
}
bool NetworkApply::has_kept() const {
    return context_.files.exists(kept() + "/" + std::string(kWhole));
}

Result<NetworkApply::Contents> NetworkApply::our_files(const std::string& folder) const {
    const auto names = context_.files.list(folder);
    if (!names && names.error().code == ErrorCode::kNotFound) return Contents{};
    if (!names) return tl::make_unexpected(names.error());
    Contents contents;
    const std::string front = folder + "/";
    for (const std::string& name : *names) {
        if (!is_our_network_file(name)) continue;
        auto content = context_.files.read(std::string(front).append(name));
        if (!content) return tl::make_unexpected(content.error());
        contents.emplace(name, std::move(*content));
    }
    return contents;
}

Status NetworkApply::keep_old() {
    if (has_kept()) return {};
    Files& files = context_.files;
    if (auto made = files.make_folder(kept(), 0700); !made) return made;
    // What a run that was cut off left here is of another time, and must not come back.
    if (auto gone = forget_old(); !gone) return gone;
    const auto now = our_files(folder());
    if (!now) return tl::make_unexpected(now.error());
    for (const auto& [name, content] : *now) {
        if (auto done = files.write(kept() + "/" + name, content, 0600); !done) return done;
    }
    return files.write(kept() + "/" + std::string(kWhole), "", 0600);
}

Status NetworkApply::write(const std::vector<NetworkFile>& files) {
    if (auto made = context_.files.make_folder(folder()); !made) return made;
    const auto old = context_.files.list(folder());
    if (!old) return tl::make_unexpected(old.error());
    for (const NetworkFile& file : files) {
        auto done = context_.files.write(folder() + "/" + file.name, file.content, 0644);
        if (!done) return done;
    }
    for (const std::string& name : *old) {
        if (!is_our_network_file(name)) continue;
        const bool stays = std::any_of(files.begin(), files.end(),
                                       [&](const NetworkFile& file) { return file.name == name; });
        if (stays) continue;
        if (auto gone = context_.files.remove(folder() + "/" + name); !gone) return gone;
    }
    return {};
}

Result<std::vector<std::string>>
NetworkApply::devices_to_rebuild(const std::vector<NetworkFile>& files) const {
    const auto before = our_files(kept());
    if (!before) return tl::make_unexpected(before.error());
    const auto now = our_files(folder());
    if (!now) return tl::make_unexpected(now.error());
    Contents due;
    for (const NetworkFile& file : files) due.emplace(file.name, file.content);
    std::set<std::string> names;
    for (const Contents* contents : {&*before, &*now, static_cast<const Contents*>(&due)}) {
        for (const auto& [name, content] : *contents) {
            if (name.ends_with(kNetdev)) names.insert(name);
        }
    }
    std::vector<std::string> devices;
    for (const std::string& name : names) {
        const std::string content = content_in(due, name);
        const bool is_same =
            content_in(*before, name) == content && content_in(*now, name) == content;
        if (!is_same) devices.push_back(device_of(name));
    }
    return devices;
}

Status NetworkApply::reload(const std::vector<std::string>& rebuild,
                            const std::vector<std::string>& nics) {
    for (const std::string& device : rebuild) {
        // A device that is not there is what we want; whether it came back is read back later.
        (void)context_.processes.run({.argv = {"ip", "link", "delete", "dev", device},
                                      .environment = {},
                                      .timeout_ms = 10'000,
                                      .working_folder = {},
                                      .on_line = {}});
    }
    if (auto done = run_tool(context_, {"networkctl", "reload"}); !done) return done;
    for (const std::string& nic : nics) {
        // networkctl answers an error for a device that vanished just now; differences() tells.
        (void)run_tool(context_, {"networkctl", "reconfigure", nic});
    }
    return {};
}

Status NetworkApply::roll_back(const std::vector<std::string>& nics) {
    const auto old = our_files(kept());
    if (!old) return tl::make_unexpected(old.error());
    std::vector<NetworkFile> files;
    for (const auto& [name, content] : *old) files.push_back({name, content});
    const auto rebuild = devices_to_rebuild(files);
    if (!rebuild) return tl::make_unexpected(rebuild.error());
    if (auto done = write(files); !done) return done;
    if (auto done = reload(*rebuild, nics); !done) return done;
    return forget_old();
}

Status NetworkApply::forget_old() {
    Files& files = context_.files;
    if (auto gone = files.remove(kept() + "/" + std::string(kWhole)); !gone) return gone;
    const auto names = files.list(kept());
    if (!names && names.error().code == ErrorCode::kNotFound) return {};
    if (!names) return tl::make_unexpected(names.error());
    for (const std::string& name : *names) {
        if (auto gone = files.remove(kept() + "/" + name); !gone) return gone;
    }
    return {};
}

} // namespace stratum::installer
