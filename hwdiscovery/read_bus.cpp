#include "hwdiscovery/read_bus.hpp"

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr int kMostParents = 12; // from a SCSI device up to its USB device

// The serial number of the USB device that something is behind; empty: it is behind none.
std::string usb_serial(const Tree& tree, std::string sysfs) {
    if (sysfs.find("/usb") == std::string::npos) return {};
    for (int up = 0; up < kMostParents && sysfs.size() > 1; ++up) {
        if (tree.exists(sysfs + "/idVendor")) return tree.text(sysfs + "/serial");
        sysfs.resize(sysfs.rfind('/'));
    }
    return {};
}

std::optional<ScsiRecord> read_scsi(const Tree& tree, const BlockRecord& block) {
    const std::string device = block.sysfs + "/device";
    if (tree.link_name(device + "/subsystem") != "scsi" && !tree.exists(device + "/vpd_pg83") &&
        !tree.exists(device + "/scsi_level"))
        return std::nullopt;
    ScsiRecord scsi;
    scsi.vendor = tree.bytes(device + "/vendor").value_or("");
    scsi.model = tree.bytes(device + "/model").value_or("");
    for (std::string* padded : {&scsi.vendor, &scsi.model})
        while (padded->ends_with("\n")) padded->pop_back();
    scsi.type = tree.number(device + "/type");
    scsi.wwid = tree.text(device + "/wwid");
    scsi.vpd80 = tree.bytes(device + "/vpd_pg80").value_or("");
    scsi.vpd83 = tree.bytes(device + "/vpd_pg83").value_or("");
    scsi.vpd89 = tree.bytes(device + "/vpd_pg89").value_or("");
    scsi.state = tree.text(device + "/state");
    scsi.address = tree.link_name(device);
    scsi.usb_serial = usb_serial(tree, block.sysfs);
    return scsi;
}

// Kernels that have no wwid yet show what they would make it of, with blanks or hyphens between.
std::string old_wwid(const Tree& tree, const std::string& sysfs) {
    for (const char* name : {"/nguid", "/eui"}) {
        std::string digits;
        for (char c : tree.text(sysfs + name))
            if (c != ' ' && c != '-') digits += c;
        if (digits.find_first_not_of('0') != std::string::npos) return "eui." + lower(digits);
    }
    return {};
}

std::optional<NvmeRecord> read_nvme(const Tree& tree, const BlockRecord& block) {
    if (!block.name.starts_with("nvme")) return std::nullopt;
    NvmeRecord nvme;
    nvme.model = tree.text(block.sysfs + "/device/model");
    nvme.serial = tree.text(block.sysfs + "/device/serial");
    nvme.state = tree.text(block.sysfs + "/device/state");
    nvme.wwid = tree.text(block.sysfs + "/wwid");
    if (nvme.wwid.empty()) nvme.wwid = old_wwid(tree, block.sysfs);
    nvme.nsid = tree.number(block.sysfs + "/nsid");
    nvme.paths = tree.list(block.sysfs + "/multipath"); // newer kernels have it
    return nvme;
}

std::optional<MmcRecord> read_mmc(const Tree& tree, const BlockRecord& block) {
    if (!block.name.starts_with("mmcblk")) return std::nullopt;
    std::string card = block.sysfs + "/device";
    // A boot area hangs on the card's main area, and that on the card.
    if (!tree.exists(card + "/type")) card += "/device";
    return MmcRecord{tree.text(card + "/type"), tree.text(card + "/name"),
                     tree.text(card + "/serial")};
}

} // namespace

void read_bus(const Tree& tree, BlockRecord& block) {
    block.scsi = read_scsi(tree, block);
    block.nvme = read_nvme(tree, block);
    block.mmc = read_mmc(tree, block);
}

} // namespace stratum::hw
