#include "hwdiscovery/udev_names.hpp"

#include <algorithm>

#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "hwdiscovery/identity.hpp"
#include "hwdiscovery/vpd.hpp"

namespace stratum::hw {
namespace {

std::string hex(std::string_view bytes) {
    return to_hex(bytes_of(bytes));
}

bool is_ata(const ScsiRecord& scsi) {
    return trim(scsi.vendor) == "ATA";
}

std::vector<std::string> nvme_ids(const NvmeRecord& nvme) {
    std::vector<std::string> ids;
    if (!nvme.wwid.empty()) ids.push_back("nvme-" + safe_name(nvme.wwid));
    if (nvme.model.empty() || nvme.serial.empty()) return ids;
    const std::string name = "nvme-" + safe_name(nvme.model) + "_" + safe_name(nvme.serial);
    ids.push_back(name);
    if (nvme.nsid) ids.push_back(name + "_" + std::to_string(*nvme.nsid));
    return ids;
}

std::vector<std::string> scsi_ids(const ScsiRecord& scsi) {
    std::vector<std::string> ids;
    if (const auto wwn = scsi_wwn(scsi); !wwn.empty()) ids.push_back("wwn-" + wwn);
    if (is_ata(scsi)) {
        const auto ata = ata_identity(scsi);
        const std::string model = ata.model.empty() ? std::string(trim(scsi.model)) : ata.model;
        const std::string serial = ata.serial.empty() ? vpd80_serial(scsi.vpd80) : ata.serial;
        if (!model.empty() && !serial.empty())
            ids.push_back("ata-" + safe_name(with_underscores(model)) + "_" +
                          safe_name(with_underscores(serial)));
        return ids;
    }
    if (const auto id = scsi_id(scsi); !id.empty()) ids.push_back("scsi-" + id);
    return ids;
}

// By usb_id: the SCSI inquiry's names, the USB device's serial, then target and LUN.
std::vector<std::string> usb_ids(const ScsiRecord& scsi) {
    std::vector<std::string> ids;
    if (const auto wwn = scsi_wwn(scsi); !wwn.empty()) ids.push_back("wwn-" + wwn);
    const auto numbers = split(scsi.address, ':');
    if (scsi.usb_serial.empty() || numbers.size() != 4) return ids;
    std::string name;
    for (const auto& part : {scsi.vendor, scsi.model, scsi.usb_serial})
        name += (name.empty() ? "" : "_") + safe_name(with_underscores(part));
    ids.push_back("usb-" + name + "-" + numbers[2] + ":" + numbers[3]);
    return ids;
}

std::vector<std::string> multipath_ids(const BlockRecord& map) {
    std::vector<std::string> ids = {"dm-uuid-" + safe_name(map.dm_uuid)};
    if (map.dm_uuid.starts_with("mpath-3")) ids.push_back("wwn-0x" + lower(map.dm_uuid.substr(7)));
    return ids;
}

} // namespace

std::string with_underscores(std::string_view text) {
    return join(words(text), "_");
}

std::string safe_name(std::string_view text) {
    static constexpr std::string_view kAlsoSafe = "#+-.:=@_";
    std::string name(text);
    for (char& c : name) {
        const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                              (c >= 'A' && c <= 'Z') || kAlsoSafe.find(c) != std::string_view::npos;
        if (!is_plain) c = '_';
    }
    return name;
}

bool is_emmc_area(const std::string& name) {
    if (!name.starts_with("mmcblk")) return false;
    const auto area = name.find_first_not_of("0123456789", 6);
    return area != std::string::npos && area > 6 && name[area] != 'p';
}

AtaIdentity ata_identity(const ScsiRecord& scsi) {
    const auto ata = vpd89_ata(scsi.vpd89);
    return ata.serial.empty() ? vpd83_ata(vpd83_designators(scsi.vpd83)) : ata;
}

std::string scsi_wwn(const ScsiRecord& scsi) {
    const auto designators = vpd83_designators(scsi.vpd83);
    if (const Designator* best = world_wide(designators)) return "0x" + hex(best->value);
    for (std::string_view prefix : {"naa.", "eui."})
        if (scsi.wwid.starts_with(prefix)) return "0x" + lower(scsi.wwid.substr(prefix.size()));
    return {};
}

std::string scsi_id(const ScsiRecord& scsi) {
    const auto designators = vpd83_designators(scsi.vpd83);
    if (const Designator* best = world_wide(designators))
        return std::to_string(best->type) + hex(best->value);
    const std::string padded = scsi.vendor + scsi.model;
    for (int type : {1, 0})
        for (const auto& one : designators) {
            if (one.association != 0 || one.type != type || one.code_set < 2) continue;
            const std::string name = (type == 0 ? padded : "") + one.value;
            return safe_name(with_underscores(std::to_string(type) + name));
        }
    const std::string serial = vpd80_serial(scsi.vpd80);
    return serial.empty() ? std::string{} : safe_name(with_underscores("S" + padded + serial));
}

std::vector<std::string> derived_ids(const BlockRecord& disk) {
    std::vector<std::string> ids;
    if (disk.nvme) ids = nvme_ids(*disk.nvme);
    if (disk.scsi)
        ids = disk.sysfs.find("/usb") == std::string::npos ? scsi_ids(*disk.scsi)
                                                           : usb_ids(*disk.scsi);
    if (!disk.virtio_serial.empty())
        ids.push_back("virtio-" + safe_name(with_underscores(disk.virtio_serial)));
    // udev names the card's main area alone.
    const bool is_whole_card = disk.mmc && !is_emmc_area(disk.name);
    if (is_whole_card && !disk.mmc->name.empty() && !disk.mmc->serial.empty())
        ids.push_back("mmc-" + safe_name(disk.mmc->name) + "_" + safe_name(disk.mmc->serial));
    if (disk.dm_uuid.starts_with("mpath-")) ids = multipath_ids(disk);
    std::sort(ids.begin(), ids.end());
    return ids;
}

} // namespace stratum::hw
