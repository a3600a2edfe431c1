#include "hwdiscovery/disk_reader.hpp"

#include "common/base/text.hpp"
#include "hwdiscovery/install_record.hpp"
#include "hwdiscovery/read_blocks.hpp"

namespace stratum::hw {
namespace {

constexpr const char* kBtrfs = "/sys/fs/btrfs";
// Set by the boot loader at every boot: the partition that it was itself read from.
constexpr const char* kBootPartition =
    "/sys/firmware/efi/efivars/LoaderDevicePartUUID-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f";

} // namespace

std::string parse_efi_text(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 4; i + 1 < bytes.size(); i += 2) {
        // Uuids only: what is not ASCII is none.
        if (bytes[i] == '\0' || bytes[i + 1] != '\0') break;
        text.push_back(bytes[i]);
    }
    return lower(text);
}

DiskRecords read_disk_records(const Tree& tree) {
    DiskRecords records;
    records.blocks = read_blocks(tree);
    records.usage = read_usage(tree);
    for (const auto& uuid : tree.list(kBtrfs))
        for (const auto& member : tree.list(std::string(kBtrfs) + "/" + uuid + "/devices"))
            records.btrfs[uuid].push_back(member);
    records.install_record = read_install_record(tree);
    records.boot_partition_uuid = parse_efi_text(tree.bytes(kBootPartition).value_or(""));
    return records;
}

} // namespace stratum::hw
