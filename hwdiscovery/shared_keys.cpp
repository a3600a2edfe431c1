// Which names several disks share, so that none of them is chosen by one.
#include <algorithm>
#include <array>
#include <map>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/identity.hpp"
#include "hwdiscovery/udev_names.hpp"

namespace stratum::hw {
namespace {

constexpr std::string_view kFolder = "/dev/disk/by-id/";
constexpr std::string_view kSharedEnding = ", so neither is chosen by it";

using Names = std::vector<std::string>;
using Owners = std::map<std::string, std::vector<const facts::Disk*>>;

// "0x5000…" and "eui.…" without what stands in front.
std::string without_scheme(std::string_view text) {
    std::string id = lower(text);
    for (std::string_view scheme : {"0x", "naa.", "eui.", "uuid."})
        if (id.starts_with(scheme)) return id.substr(scheme.size());
    return id;
}

// What a name spells of the device itself; empty: nothing.
std::string id_in_name(std::string_view path) {
    static constexpr std::array<std::string_view, 8> kBefore = {
        "wwn-",       "scsi-3",          "scsi-2",          "nvme-eui.",
        "nvme-uuid.", "dm-uuid-mpath-3", "dm-uuid-mpath-2", "dm-uuid-mpath-eui."};
    if (!path.starts_with(kFolder)) return {};
    const std::string_view name = path.substr(kFolder.size());
    for (std::string_view before : kBefore)
        if (name.starts_with(before)) return without_scheme(name.substr(before.size()));
    return {};
}

bool is_path_of_another(const facts::Disk& disk, const std::vector<facts::Disk>& disks) {
    return std::any_of(disks.begin(), disks.end(), [&](const facts::Disk& map) {
        return std::find(map.paths.begin(), map.paths.end(), disk.name) != map.paths.end();
    });
}

Names paths_of(const std::vector<const facts::Disk*>& disks, const facts::Disk* but = nullptr) {
    Names paths;
    for (const auto* disk : disks)
        if (disk != but) paths.push_back(disk->path);
    return paths;
}

// What disks with one identifier share, as it was before anything was taken from them.
struct Twins {
    Names ids;          // what they share
    std::string serial; // that too; empty: no
    Names others;       // their paths
};

bool has_serial_of_another(const facts::Disk& disk, const std::vector<const facts::Disk*>& group) {
    if (facts::is_placeholder_identity(disk.serial)) return false;
    return std::any_of(group.begin(), group.end(), [&](const facts::Disk* other) {
        return other != &disk && lower(other->serial) == lower(disk.serial);
    });
}

std::vector<Twins> twins_of(const facts::Disk& disk, const Owners& owners) {
    std::map<Names, Twins> by_others;
    for (const auto& id : world_wide_ids(disk)) {
        const auto& group = owners.at(id);
        if (group.size() < 2) continue;
        const Names others = paths_of(group, &disk);
        Twins& twins = by_others[others];
        twins.others = others;
        twins.ids.push_back(without_scheme(disk.wwn) == id ? lower(disk.wwn) : id);
        if (has_serial_of_another(disk, group)) twins.serial = disk.serial;
    }
    std::vector<Twins> all;
    all.reserve(by_others.size());
    for (auto& [others, twins] : by_others) all.push_back(std::move(twins));
    return all;
}

// Either case, and with the underscores of a name.
bool is_made_of(const std::string& path, const Twins& twins) {
    const std::string spelt = lower(path);
    const auto contains = [&](const std::string& part) {
        return spelt.find(lower(part)) != std::string::npos;
    };
    if (!twins.serial.empty() &&
        (contains(twins.serial) || contains(safe_name(with_underscores(twins.serial)))))
        return true;
    return std::any_of(twins.ids.begin(), twins.ids.end(),
                       [&](const std::string& id) { return contains(without_scheme(id)); });
}

void drop_twins_names(const Twins& twins, facts::Disk& disk) {
    const std::string own = without_scheme(disk.wwn);
    for (const auto& id : twins.ids)
        if (without_scheme(id) == own) disk.wwn.clear();
    std::erase_if(disk.by_id, [&](const std::string& path) { return is_made_of(path, twins); });
    disk.warnings.push_back(
        "its WWN " + join(twins.ids, ", ") +
        (twins.serial.empty() ? " is" : " and serial number " + twins.serial + " are") + " also " +
        join(twins.others, " and ") + "'s: probably one disk by " +
        (twins.others.size() == 1 ? "two" : "several") + " ways" + std::string(kSharedEnding));
}

void drop_names_of_all(const Owners& owners, facts::Disk& disk) {
    std::map<Names, Names> shared; // keys by their owners
    const auto is_shared = [&](const std::string& key) {
        const auto found = owners.find(key);
        return found != owners.end() && found->second.size() > 1;
    };
    for (const auto& path : disk.by_id)
        if (is_shared(path)) shared[paths_of(owners.at(path))].push_back(path);
    for (const auto& [paths, keys] : shared)
        disk.warnings.push_back(join(keys, ", ") + (keys.size() == 1 ? " names " : " name ") +
                                join(paths, " and ") + std::string(kSharedEnding));
    std::erase_if(disk.by_id, is_shared);
}

// With its better names gone a controller's name would count, and another disk may have it too.
void drop_new_keys(const Names& before, facts::Disk& disk) {
    for (const auto& key : facts::keys_of(disk))
        if (std::find(before.begin(), before.end(), key) == before.end())
            std::erase(disk.by_id, key);
}

} // namespace

std::set<std::string> world_wide_ids(const facts::Disk& disk) {
    std::set<std::string> ids = {without_scheme(disk.wwn)};
    for (const auto& path : disk.by_id) ids.insert(id_in_name(path));
    std::erase_if(ids, [](const std::string& id) { return facts::is_placeholder_identity(id); });
    return ids;
}

void drop_shared_keys(std::vector<facts::Disk>& disks) {
    const std::vector<facts::Disk> before = disks;
    Owners by_id, by_key;
    for (const auto& disk : before) {
        if (is_path_of_another(disk, before)) continue;
        for (const auto& id : world_wide_ids(disk)) by_id[id].push_back(&disk);
        // Only what would be a key: namespaces share their controller's name, and it is none.
        for (const auto& key : facts::keys_of(disk)) by_key[key].push_back(&disk);
    }
    for (std::size_t i = 0; i < disks.size(); ++i) {
        if (is_path_of_another(before[i], before)) continue;
        for (const auto& twins : twins_of(before[i], by_id)) drop_twins_names(twins, disks[i]);
        drop_names_of_all(by_key, disks[i]);
        drop_new_keys(facts::keys_of(before[i]), disks[i]);
    }
}

void warn_of_missing_key(facts::Disk& disk) {
    if (!disk.unusable.empty() || !facts::keys_of(disk).empty()) return;
    const bool had_one =
        std::any_of(disk.warnings.begin(), disk.warnings.end(),
                    [](const std::string& warning) { return warning.ends_with(kSharedEnding); });
    disk.warnings.push_back(
        had_one ? "nothing else names it for certain: if these are ways to one disk, start "
                  "multipathd; else give each a serial number of its own, and start again"
                : "it cannot be assigned: " + facts::how_to_give_a_key());
}

} // namespace stratum::hw
