#include "hwdiscovery/identity.hpp"

#include <algorithm>
#include <map>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/udev_names.hpp"
#include "hwdiscovery/vpd.hpp"

namespace stratum::hw {
namespace {

constexpr std::string_view kByIdLink = "disk/by-id/";
constexpr std::string_view kSharedEnding = ", so neither is chosen by it";

bool has_segment(const std::string& sysfs, std::string_view start) {
    for (const auto& part : split(sysfs, '/')) {
        const bool fits = part.starts_with(start) && part.size() > start.size();
        if (fits && part[start.size()] >= '0' && part[start.size()] <= '9') return true;
    }
    return false;
}

// Along the way to the device stands what it hangs on.
std::string transport_of(const BlockRecord& disk) {
    if (has_segment(disk.sysfs, "usb")) return "usb";
    if (disk.nvme) return "nvme";
    if (disk.mmc && disk.mmc->type.empty()) return {};
    if (disk.mmc) return disk.mmc->type == "MMC" ? "mmc" : "sd";
    if (has_segment(disk.sysfs, "session")) return "iscsi";
    if (has_segment(disk.sysfs, "rport-")) return "fc";
    if (has_segment(disk.sysfs, "end_device-")) return "sas";
    if (has_segment(disk.sysfs, "ata")) return "sata";
    if (has_segment(disk.sysfs, "virtio")) return "virtio";
    for (const char* name : {"nbd", "rbd", "pmem"})
        if (disk.name.starts_with(name)) return name;
    return {};
}

std::string model_of(const BlockRecord& disk) {
    if (disk.nvme) return disk.nvme->model;
    if (disk.mmc) return disk.mmc->name;
    if (disk.scsi) {
        const auto ata = ata_identity(*disk.scsi);
        return ata.model.empty() ? std::string(trim(disk.scsi->model)) : ata.model;
    }
    return {};
}

std::string serial_of(const BlockRecord& disk) {
    if (disk.nvme) return disk.nvme->serial;
    if (disk.mmc) return disk.mmc->serial;
    if (!disk.virtio_serial.empty()) return disk.virtio_serial;
    if (!disk.scsi) return {};
    if (auto serial = vpd80_serial(disk.scsi->vpd80); !serial.empty()) return serial;
    if (auto serial = ata_identity(*disk.scsi).serial; !serial.empty()) return serial;
    return disk.scsi->usb_serial;
}

std::string wwn_of(const BlockRecord& disk) {
    if (disk.nvme && (disk.nvme->wwid.starts_with("eui.") || disk.nvme->wwid.starts_with("uuid.")))
        return disk.nvme->wwid;
    if (disk.scsi) return scsi_wwn(*disk.scsi);
    // A multipath map is called after its paths' identifier: mpath-3600….
    if (disk.dm_uuid.starts_with("mpath-3")) return "0x" + lower(disk.dm_uuid.substr(7));
    return {};
}

// What udev knows where sysfs does not tell.
void fill_from_udev(const UdevRecord& udev, Identity& identity) {
    std::string model = udev.property("ID_MODEL");
    std::replace(model.begin(), model.end(), '_', ' ');
    if (identity.model.empty()) identity.model = trim(model);
    for (const char* name : {"ID_SCSI_SERIAL", "ID_SERIAL_SHORT"})
        if (identity.serial.empty()) identity.serial = udev.property(name);
    for (const char* name : {"ID_WWN_WITH_EXTENSION", "ID_WWN"}) {
        const std::string wwn = udev.property(name);
        const bool is_wwn =
            wwn.starts_with("0x") || wwn.starts_with("eui.") || wwn.starts_with("uuid.");
        if (identity.wwn.empty() && is_wwn) identity.wwn = wwn;
    }
}

// Where both tell a WWN, one begins with the other (a short form beside one with its extension), or
// udev speaks of the disk that had this number before.
bool is_udev_stale(const BlockRecord& disk, const std::string& wwn) {
    // (A bridge to USB may say its own, and udev what the disk behind it says.)
    if (!disk.udev || wwn.empty() || has_segment(disk.sysfs, "usb")) return false;
    std::string udevs = disk.udev->property("ID_WWN_WITH_EXTENSION");
    if (udevs.empty()) udevs = disk.udev->property("ID_WWN");
    const std::string ours = lower(wwn), theirs = lower(udevs);
    if (theirs.empty() || (ours.starts_with("0x") != theirs.starts_with("0x"))) return false;
    return !ours.starts_with(theirs) && !theirs.starts_with(ours);
}

std::vector<std::string> by_id_of(const BlockRecord& disk, bool trusts_udev) {
    std::vector<std::string> paths;
    if (disk.udev && trusts_udev)
        for (const auto& link : disk.udev->links)
            if (link.starts_with(kByIdLink)) paths.push_back("/dev/" + to_valid_utf8(link));
    if (paths.empty())
        for (const auto& id : derived_ids(disk))
            paths.push_back("/dev/" + std::string(kByIdLink) + to_valid_utf8(id));
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

// A WWN may be written in either case; a path may not.
std::string form_of(const std::string& key) {
    return key.starts_with("/") ? key : lower(key);
}

bool is_path_of_another(const facts::Disk& disk, const std::vector<facts::Disk>& disks) {
    return std::any_of(disks.begin(), disks.end(), [&](const facts::Disk& map) {
        return std::find(map.paths.begin(), map.paths.end(), disk.name) != map.paths.end();
    });
}

} // namespace

Identity identify(const BlockRecord& disk) {
    Identity identity{model_of(disk), serial_of(disk), transport_of(disk), wwn_of(disk), {}, {}};
    const bool is_stale = is_udev_stale(disk, identity.wwn);
    if (is_stale)
        identity.warnings.push_back(
            "udev's names for it belong to another disk (the disk itself says " +
            to_valid_utf8(identity.wwn) + "), so they are left out: let udev look again " +
            "(udevadm trigger)");
    if (disk.udev && !is_stale) fill_from_udev(*disk.udev, identity);
    identity.model = to_valid_utf8(identity.model);
    identity.serial = to_valid_utf8(identity.serial);
    identity.wwn = facts::is_placeholder_identity(identity.wwn) ? "" : to_valid_utf8(identity.wwn);
    identity.by_id = by_id_of(disk, !is_stale);
    return identity;
}

void drop_shared_keys(std::vector<facts::Disk>& disks) {
    std::map<std::string, std::vector<std::string>> owners;
    std::vector<facts::Disk*> all;
    for (auto& disk : disks)
        if (!is_path_of_another(disk, disks)) all.push_back(&disk);
    // Only what would be a key: namespaces share their controller's name, and it is none.
    for (const auto* disk : all)
        for (const auto& key : facts::keys_of(*disk)) owners[form_of(key)].push_back(disk->path);
    const auto is_shared = [&](const std::string& key) { return owners[key].size() > 1; };
    for (auto* disk : all) {
        std::map<std::vector<std::string>, std::vector<std::string>> shared; // keys by owners
        if (const std::string wwn = lower(disk->wwn); !wwn.empty() && is_shared(wwn)) {
            shared[owners[wwn]].push_back(wwn);
            disk->wwn.clear();
        }
        for (const auto& path : disk->by_id)
            if (is_shared(path)) shared[owners[path]].push_back(path);
        for (const auto& [paths, keys] : shared)
            disk->warnings.push_back(join(keys, ", ") + (keys.size() == 1 ? " names " : " name ") +
                                     join(paths, " and ") + std::string(kSharedEnding));
        std::erase_if(disk->by_id, is_shared);
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
