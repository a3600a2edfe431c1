#include "installer/phases/network_apply.hpp"

#include <algorithm>

#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kFolder = "/etc/systemd/network";
// Says that the kept folder is whole: written last, removed first.
constexpr std::string_view kWhole = ".whole";

bool has_suffix(std::string_view text, std::string_view suffix) {
    return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// The device that a .netdev of ours makes: 05-stratum-bond0.netdev → bond0.
std::string device_of(const std::string& file) {
    constexpr std::string_view prefix = "05-stratum-";
    constexpr std::string_view suffix = ".netdev";
    return file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
}

} // namespace

std::string NetworkApply::folder() const {
    return in_target(context_, kFolder);
}
std::string NetworkApply::kept() const {
    return context_.state_folder + "/network-before";
}

Result<std::vector<std::string>> NetworkApply::our_files() const {
    auto names = context_.files.list(folder());
    if (!names && names.error().code == ErrorCode::kNotFound) return std::vector<std::string>{};
    if (!names) return names;
    std::erase_if(*names, [](const std::string& name) { return !is_our_network_file(name); });
    return names;
}

Status NetworkApply::keep_old() {
    Files& files = context_.files;
    if (files.exists(kept() + "/" + std::string(kWhole))) return {};
    if (auto made = files.make_folder(kept(), 0700); !made) return made;
    const auto names = our_files();
    if (!names) return tl::make_unexpected(names.error());
    for (const std::string& name : *names) {
        const auto content = files.read(folder() + "/" + name);
        if (!content) return tl::make_unexpected(content.error());
        if (auto done = files.write(kept() + "/" + name, *content, 0600); !done) return done;
    }
    return files.write(kept() + "/" + std::string(kWhole), "", 0600);
}

Status NetworkApply::write(const std::vector<NetworkFile>& files) {
    if (auto made = context_.files.make_folder(folder()); !made) return made;
    const auto old = our_files();
    if (!old) return tl::make_unexpected(old.error());
    for (const NetworkFile& file : files) {
        auto done = context_.files.write(folder() + "/" + file.name, file.content, 0644);
        if (!done) return done;
    }
    for (const std::string& name : *old) {
        const bool stays = std::any_of(files.begin(), files.end(),
                                       [&](const NetworkFile& file) { return file.name == name; });
        if (stays) continue;
        if (auto gone = context_.files.remove(folder() + "/" + name); !gone) return gone;
    }
    return {};
}

std::vector<std::string>
NetworkApply::changed_netdevs(const std::vector<NetworkFile>& files) const {
    std::vector<std::string> changed;
    for (const NetworkFile& file : files) {
        if (!has_suffix(file.name, ".netdev")) continue;
        const auto old = context_.files.read(folder() + "/" + file.name);
        if (!old || *old != file.content) changed.push_back(device_of(file.name));
    }
    return changed;
}

Status NetworkApply::reload(const NetworkPlan& plan, const std::vector<std::string>& rebuild) {
    for (const std::string& device : rebuild) {
        // A device that is not there is what we want; whether it came back is read back later.
        (void)context_.processes.run({.argv = {"ip", "link", "delete", "dev", device},
                                      .environment = {},
                                      .timeout_ms = 10'000,
                                      .working_folder = {},
                                      .on_line = {}});
    }
    if (auto done = run_tool(context_, {"networkctl", "reload"}); !done) return done;
    for (const PlannedDevice& device : plan.devices) {
        if (device.kind != DeviceKind::kPhysical) continue;
        // networkctl answers an error for a device that vanished just now; differences() tells.
        (void)run_tool(context_, {"networkctl", "reconfigure", device.name});
    }
    return {};
}

Status NetworkApply::roll_back(const NetworkPlan& plan) {
    const auto names = context_.files.list(kept());
    if (!names) return tl::make_unexpected(names.error());
    std::vector<NetworkFile> old;
    for (const std::string& name : *names) {
        if (!is_our_network_file(name)) continue;
        const auto content = context_.files.read(kept() + "/" + name);
        if (!content) return tl::make_unexpected(content.error());
        old.push_back({name, *content});
    }
    std::vector<std::string> rebuild;
    for (const PlannedDevice& device : plan.devices) {
        if (device.kind != DeviceKind::kPhysical) rebuild.push_back(device.name);
    }
    if (auto done = write(old); !done) return done;
    if (auto done = reload(plan, rebuild); !done) return done;
    return forget_old();
}

Status NetworkApply::forget_old() {
    Files& files = context_.files;
    if (auto gone = files.remove(kept() + "/" + std::string(kWhole)); !gone) return gone;
    const auto names = files.list(kept());
    if (!names) return {};
    for (const std::string& name : *names) {
        if (auto gone = files.remove(kept() + "/" + name); !gone) return gone;
    }
    return {};
}

} // namespace stratum::installer
