#include "hwdiscovery/identity.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/udev_names.hpp"
#include "hwdiscovery/vpd.hpp"

namespace stratum::hw {
namespace {

constexpr std::string_view kByIdLink = "disk/by-id/";

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

} // namespace stratum::hw
