// Which names are good enough to choose a disk by.
#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"

namespace stratum::facts {
namespace {

constexpr std::string_view kByIdFolder = "/dev/disk/by-id/";

// Names that come from what is on the disk, or from what somebody called it: they go with the
// contents, or can be given to another disk tomorrow.
constexpr std::array<std::string_view, 6> kContentNames = {
    "lvm-pv-uuid-", "md-name-", "md-uuid-", "dm-name-", "dm-uuid-LVM-", "dm-uuid-CRYPT-"};

// Behind these stands an identifier of the device itself, no model and serial.
constexpr std::array<std::string_view, 9> kWorldWideNames = {
    "wwn-",   "nvme-eui.",       "nvme-uuid.",     "scsi-2", "scsi-3",
    "scsi-8", "dm-uuid-mpath-3", "dm-uuid-mpath-", "virtio-"};

// What stands where nobody set a serial number, as bare() spells it.
constexpr std::array<std::string_view, 26> kNoSerials = {"none",
                                                         "null",
                                                         "na",
                                                         "unknown",
                                                         "default",
                                                         "defaultstring",
                                                         "tobefilledbyoem",
                                                         "notspecified",
                                                         "notapplicable",
                                                         "notavailable",
                                                         "systemserialnumber",
                                                         "systemproductname",
                                                         "systemmanufacturer",
                                                         "serialnumber",
                                                         "invalid",
                                                         "empty",
                                                         "oem",
                                                         "baseboardserialnumber",
                                                         "serial",
                                                         "noserial",
                                                         "unknownserial",
                                                         "sn",
                                                         "disk",
                                                         "temp",
                                                         "deadbeef",
                                                         "deadbeefdeadbeef"};

bool is_one_repeated(std::string_view text) {
    if (text.find_first_not_of(text.front()) != std::string_view::npos) return false;
    return text.front() == '0' || text.front() == 'x' || text.size() >= 4;
}

// 0x5000000000000000, eui.0000000000000001: a scheme and no number in it.
bool is_almost_zero(std::string_view text) {
    const auto others = std::count_if(text.begin(), text.end(), [](char c) { return c != '0'; });
    return text.size() >= 16 && others <= 1;
}

bool is_zero_from(std::string_view text, std::size_t first) {
    return text.substr(first).find_first_not_of('0') == std::string_view::npos;
}

// A maker's number and none of the device behind it. NAA 5 and EUI-64 (whose seventh digit is often
// a fixed one of the maker's): seven digits and nine of the device; NAA 6: sixteen and the device's
// sixteen (T10 SPC, IEEE).
bool has_no_device_number(std::string_view id) {
    if (id.find_first_not_of("0123456789abcdef") != std::string_view::npos) return false;
    if (id.size() == 16) return is_zero_from(id, 7);
    return id.size() == 32 && id.front() == '6' && is_zero_from(id, 16);
}

// 000000000033, 5000000000000001: zeros, and a small number that somebody counted.
bool is_small_number(std::string_view id) {
    if (id.size() < 8) return false;
    const std::size_t scheme = id.size() == 16 && id.front() == '5' ? 1 : 0;
    return id.substr(scheme, id.size() - 2 - scheme).find_first_not_of('0') ==
           std::string_view::npos;
}

bool is_counting_up(std::string_view digits) {
    for (std::size_t i = 1; i < digits.size(); ++i) {
        const bool wraps = digits[i - 1] == '9' && (digits[i] == '0' || digits[i] == 'a');
        const bool counts = digits[i] == digits[i - 1] + 1;
        if (!wraps && !counts) return false;
    }
    return digits.size() >= 6;
}

// Letters and digits alone, lower case: "0x0000-0000" and "00000000" are the same placeholder.
std::string bare(std::string_view text) {
    std::string lowered = lower(trim(text));
    for (std::string_view prefix : {"0x", "eui.", "naa.", "uuid.", "t10."})
        if (lowered.starts_with(prefix)) lowered.erase(0, prefix.size());
    std::string out;
    for (char c : lowered)
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out.push_back(c);
    return out;
}

std::string_view id_of_path(std::string_view path) {
    return path.starts_with(kByIdFolder) ? path.substr(kByIdFolder.size()) : std::string_view{};
}

bool names_namespace(std::string_view id) {
    return id.starts_with("nvme-eui.") || id.starts_with("nvme-uuid.") ||
           id.starts_with("nvme-nvme.");
}

// nvme-MODEL_SERIAL-and-number: with the namespace's number behind the controller's name.
bool is_numbered_form_of(std::string_view longer, std::string_view id) {
    if (!longer.starts_with(id) || longer.size() < id.size() + 2 || longer[id.size()] != '_')
        return false;
    return parse_decimal(longer.substr(id.size() + 1)).has_value();
}

// nvme-MODEL_SERIAL is what the controller is called, and that can have other namespaces tomorrow.
// Where a name of the namespace itself is there, this one is none.
bool is_controllers_name(std::string_view id, const Disk& disk) {
    if (!id.starts_with("nvme-") || names_namespace(id)) return false;
    bool is_better_there = false;
    for (const auto& path : disk.by_id) {
        const std::string_view other = id_of_path(path);
        if (is_numbered_form_of(id, other)) return false;
        is_better_there |= names_namespace(other) || is_numbered_form_of(other, id);
    }
    return is_better_there;
}

// nvme-MODEL_SERIAL_1 without the namespace's number, where the shorter name is there too.
std::string_view without_number(std::string_view id, const Disk& disk) {
    for (const auto& path : disk.by_id)
        if (id.starts_with("nvme-") && is_numbered_form_of(id, id_of_path(path)))
            return id.substr(0, id_of_path(path).size());
    return id;
}

// wwn-…-part1, mmc-…-boot0: udev's names of what is on the disk.
bool is_name_of_a_part(std::string_view id) {
    const auto cut = id.rfind('-');
    if (cut == std::string_view::npos) return false;
    const std::string_view last = id.substr(cut + 1);
    for (std::string_view part : {"part", "boot"})
        if (last.starts_with(part) && parse_decimal(last.substr(part.size()))) return true;
    return last == "rpmb";
}

bool is_trusted_name(std::string_view id, const Disk& disk) {
    if (id.empty() || is_name_of_a_part(id)) return false;
    for (std::string_view prefix : kContentNames)
        if (id.starts_with(prefix)) return false;
    for (std::string_view prefix : kWorldWideNames)
        if (id.starts_with(prefix)) return !is_placeholder_identity(id.substr(prefix.size()));
    // BUS-MODEL_SERIAL: it is as good as its serial.
    if (!disk.serial.empty()) return !is_placeholder_identity(disk.serial);
    id = without_number(id, disk);
    const auto cut = id.find_last_of("_-");
    return cut != std::string_view::npos && !is_placeholder_identity(id.substr(cut + 1));
}

bool is_trusted_id(std::string_view id, const Disk& disk) {
    return is_trusted_name(id, disk) && !is_controllers_name(id, disk);
}

// Never the name to propose, but good enough to choose by while no other disk is a namespace of
// that controller.
bool is_sole_namespace(std::string_view id, const Disk& disk, const std::vector<Disk>& disks) {
    if (!is_controllers_name(id, disk) || !is_trusted_name(id, disk)) return false;
    return std::none_of(disks.begin(), disks.end(), [&](const Disk& other) {
        return &other != &disk &&
               std::any_of(other.by_id.begin(), other.by_id.end(), [&](const std::string& path) {
                   return is_numbered_form_of(id_of_path(path), id);
               });
    });
}

// The WWN that a key spells, lower case: 0x5000…, or /dev/disk/by-id/wwn-0x5000….
std::string wwn_of_key(std::string_view key) {
    std::string_view id = id_of_path(key);
    if (id.starts_with("wwn-")) return lower(id.substr(4));
    return key.starts_with("/") ? std::string{} : lower(key);
}

bool answers_to(const Disk& disk, std::string_view key) {
    if (std::find(disk.by_id.begin(), disk.by_id.end(), key) != disk.by_id.end()) return true;
    return !disk.wwn.empty() && lower(disk.wwn) == wwn_of_key(key);
}

// A multipath map answers for its paths, which by nature have its WWN too.
std::vector<const Disk*> disks_answering_to(const std::vector<Disk>& disks, std::string_view key) {
    std::vector<const Disk*> all;
    for (const auto& disk : disks)
        if (!key.empty() && answers_to(disk, key)) all.push_back(&disk);
    const auto maps = all;
    std::erase_if(all, [&](const Disk* one) {
        return std::any_of(maps.begin(), maps.end(), [&](const Disk* map) {
            return std::find(map->paths.begin(), map->paths.end(), one->name) != map->paths.end();
        });
    });
    return all;
}

std::string choices(const std::vector<Disk>& disks) {
    std::vector<std::string> keys;
    for (const auto& disk : disks)
        if (auto key = best_key(disk);
            !key.empty() && std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(std::move(key));
    if (keys.empty()) return "this machine has no disk with a trustworthy key";
    return "the keys there are: " + join(keys, ", ");
}

tl::unexpected<Error> refuse_moving_name(const std::vector<Disk>& disks, std::string_view key) {
    const std::string quoted = "“" + std::string(key) + "”";
    for (const auto& disk : disks) {
        if (disk.path != key && disk.name != key) continue;
        const std::string better = best_key(disk);
        return fail(ErrorCode::kInvalid,
                    quoted + " is a kernel name, and those change: " +
                        (better.empty() ? how_to_give_a_key() : "name this disk " + better));
    }
    return fail(ErrorCode::kInvalid,
                quoted +
                    " is no name to choose a disk by: give a WWN or a path under "
                    "/dev/disk/by-id; " +
                    choices(disks));
}

bool is_moving_name(const std::vector<Disk>& disks, std::string_view key) {
    if (key.starts_with("/")) return !key.starts_with(kByIdFolder);
    return std::any_of(disks.begin(), disks.end(), [&](const Disk& d) { return d.name == key; });
}

} // namespace

std::string how_to_give_a_key() {
    return "it has no WWN and no serial number of its own, so nothing names it for certain: give "
           "it "
           "one (a virtual machine's disk serial, disk.EnableUUID) and start again";
}

bool is_placeholder_identity(std::string_view text) {
    const std::string id = bare(text);
    if (id.size() < 2 || is_one_repeated(id) || is_almost_zero(id) || is_counting_up(id))
        return true;
    if (has_no_device_number(id) || is_small_number(id)) return true;
    return std::find(kNoSerials.begin(), kNoSerials.end(), id) != kNoSerials.end();
}

std::vector<std::string> keys_of(const Disk& disk) {
    std::vector<std::string> keys;
    if (!disk.wwn.empty() && !is_placeholder_identity(disk.wwn)) keys.push_back(disk.wwn);
    std::vector<std::string> paths;
    for (const auto& path : disk.by_id)
        if (is_trusted_id(id_of_path(path), disk)) paths.push_back(path);
    std::sort(paths.begin(), paths.end());
    keys.insert(keys.end(), paths.begin(), paths.end());
    return keys;
}

std::string world_wide_name(const Disk& disk) {
    // udev's spellings; SCSI's 3 says that an NAA number follows.
    constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
        {"wwn-", ""},
        {"nvme-eui.", "eui."},
        {"nvme-uuid.", "uuid."},
        {"scsi-3", "0x"},
        {"dm-uuid-mpath-3", "0x"}};
    if (!disk.wwn.empty() && !is_placeholder_identity(disk.wwn)) return lower(disk.wwn);
    for (const auto& [prefix, scheme] : kSpellings)
        for (const auto& path : disk.by_id) {
            const std::string_view id = id_of_path(path);
            if (!id.starts_with(prefix) || is_name_of_a_part(id)) continue;
            const std::string_view rest = id.substr(prefix.size());
            if (!is_placeholder_identity(rest)) return std::string(scheme) + lower(rest);
        }
    return {};
}

std::string best_key(const Disk& disk) {
    auto keys = keys_of(disk);
    return keys.empty() ? std::string{} : std::move(keys.front());
}

Result<const Disk*> find_disk(const std::vector<Disk>& disks, std::string_view key) {
    const auto all = disks_answering_to(disks, key);
    if (all.size() > 1)
        return fail(ErrorCode::kConflict, "“" + std::string(key) + "” names both " + all[0]->path +
                                              " and " + all[1]->path +
                                              ": give a key that only one of them has");
    const Disk* found = all.empty() ? nullptr : all.front();
    if (found == nullptr) {
        if (is_moving_name(disks, key)) return refuse_moving_name(disks, key);
        return fail(ErrorCode::kNotFound,
                    "no disk has the key “" + std::string(key) + "”; " + choices(disks));
    }
    const auto keys = keys_of(*found);
    const bool is_trusted = std::any_of(keys.begin(), keys.end(), [&](const std::string& good) {
        return good == key || (!wwn_of_key(key).empty() && wwn_of_key(good) == wwn_of_key(key));
    });
    if (is_trusted || is_sole_namespace(id_of_path(key), *found, disks)) return found;
    return fail(
        ErrorCode::kInvalid,
        "“" + std::string(key) + "” does not name a disk for certain: " +
            (keys.empty() ? how_to_give_a_key() : "name " + found->path + " " + keys.front()));
}

} // namespace stratum::facts
