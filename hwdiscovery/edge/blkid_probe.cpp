#include "hwdiscovery/edge/blkid_probe.hpp"

#include <cerrno>
#include <cstring>
#include <memory>

#include <blkid/blkid.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"
#include "common/base/text.hpp"
#include "hwdiscovery/edge/dm_status.hpp"
#include "hwdiscovery/lvm_metadata.hpp"
#include "hwdiscovery/own_signatures.hpp"

namespace stratum::hw {
namespace {

using edge::Fd;

constexpr std::uint64_t kSectorBytes = 512; // libblkid's unit for partitions
constexpr std::size_t kEndBytes = 4096;     // read at either end to see that they can be read
constexpr int kMostResults = 64;            // of one device; more is a device that lies
constexpr int kMostPartitions = 256;

struct ProbeDeleter {
    void operator()(blkid_probe probe) const { blkid_free_probe(probe); }
};
using ProbeHandle = std::unique_ptr<std::remove_pointer_t<blkid_probe>, ProbeDeleter>;

// A part of a device, or all of it.
struct Place {
    int fd = -1;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

std::string value_of(blkid_probe probe, const char* name) {
    const char* data = nullptr;
    std::size_t size = 0;
    if (blkid_probe_lookup_value(probe, name, &data, &size) != 0 || data == nullptr) return {};
    return std::string(data, ::strnlen(data, size));
}

std::optional<std::string> read_at(const Place& place, std::uint64_t offset, std::size_t size) {
    if (offset > place.size || size > place.size - offset) return std::nullopt;
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count = ::pread(place.fd, bytes.data() + done, size - done,
                                      static_cast<off_t>(place.offset + offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return std::nullopt;
        done += static_cast<std::size_t>(count);
    }
    return bytes;
}

ProbeHandle open_probe(const Place& place) {
    ProbeHandle probe(blkid_new_probe());
    if (probe &&
        blkid_probe_set_device(probe.get(), place.fd, static_cast<blkid_loff_t>(place.offset),
                               static_cast<blkid_loff_t>(place.size)) != 0)
        probe.reset();
    return probe;
}

SignatureRecord signature_of(blkid_probe probe, const Place& place) {
    SignatureRecord signature;
    signature.usage = value_of(probe, "USAGE");
    signature.type = value_of(probe, "TYPE");
    signature.label = value_of(probe, "LABEL");
    signature.uuid = value_of(probe, "UUID");
    signature.offset_bytes = parse_decimal(value_of(probe, "SBMAGIC_OFFSET"));
    if (signature.type == "LVM2_member") {
        const auto group = read_lvm_group(
            [&](std::uint64_t offset, std::size_t size) { return read_at(place, offset, size); });
        if (group) {
            signature.group = group->name;
            signature.group_uuid = group->uuid;
        }
    }
    return signature;
}

// Every result of both chains, not the one that libblkid would choose. Checksums do not count: what
// somebody damaged is still somebody's. False: some place could not be read.
bool find_signatures(const Place& place, std::vector<SignatureRecord>& signatures,
                     std::vector<TableRecord>& tables) {
    signatures = own_signatures(
        [&](std::uint64_t offset, std::size_t size) { return read_at(place, offset, size); },
        place.size);
    const ProbeHandle probe = open_probe(place);
    if (!probe) return false;
    blkid_probe_enable_superblocks(probe.get(), 1);
    blkid_probe_set_superblocks_flags(probe.get(), BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_TYPE |
                                                       BLKID_SUBLKS_USAGE | BLKID_SUBLKS_LABEL |
                                                       BLKID_SUBLKS_UUID | BLKID_SUBLKS_BADCSUM);
    blkid_probe_enable_partitions(probe.get(), 1);
    blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
    for (int results = 0; results < kMostResults; ++results) {
        const int rc = blkid_do_probe(probe.get());
        if (rc != 0) return rc > 0;
        if (blkid_probe_has_value(probe.get(), "TYPE"))
            signatures.push_back(signature_of(probe.get(), place));
        if (!blkid_probe_has_value(probe.get(), "PTTYPE")) continue;
        TableRecord table{value_of(probe.get(), "PTTYPE"), value_of(probe.get(), "PTUUID"),
                          parse_decimal(value_of(probe.get(), "PTMAGIC_OFFSET")), false};
        // The copy stands in the last sectors; the table itself in the first.
        table.is_backup_only =
            table.type == "gpt" && table.offset_bytes.value_or(0) > place.size / 2;
        tables.push_back(std::move(table));
    }
    return false;
}

std::string text_or_empty(const char* text) {
    return text == nullptr ? "" : text;
}

TablePartition partition_of(blkid_partition raw) {
    TablePartition partition;
    partition.number = blkid_partition_get_partno(raw);
    partition.start_bytes =
        static_cast<std::uint64_t>(blkid_partition_get_start(raw)) * kSectorBytes;
    partition.size_bytes = static_cast<std::uint64_t>(blkid_partition_get_size(raw)) * kSectorBytes;
    partition.type = lower(text_or_empty(blkid_partition_get_type_string(raw)));
    if (partition.type.empty()) {
        char code[16];
        std::snprintf(code, sizeof code, "0x%02x",
                      static_cast<unsigned>(blkid_partition_get_type(raw)) & 0xffu);
        partition.type = code;
    }
    partition.label = text_or_empty(blkid_partition_get_name(raw));
    partition.uuid = text_or_empty(blkid_partition_get_uuid(raw));
    partition.is_container = blkid_partition_is_extended(raw) != 0;
    return partition;
}

std::vector<TablePartition> find_partitions(const Place& place) {
    std::vector<TablePartition> partitions;
    const ProbeHandle probe = open_probe(place);
    if (!probe) return partitions;
    blkid_probe_enable_superblocks(probe.get(), 0);
    blkid_probe_enable_partitions(probe.get(), 1);
    blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_FORCE_GPT);
    blkid_partlist list = blkid_probe_get_partitions(probe.get());
    if (list == nullptr) return partitions;
    const int count = std::min(blkid_partlist_numof_partitions(list), kMostPartitions);
    for (int i = 0; i < count; ++i)
        if (blkid_partition raw = blkid_partlist_get_partition(list, i))
            partitions.push_back(partition_of(raw));
    return partitions;
}

std::string system_words(int error) {
    return std::strerror(error);
}

// The size of what is open, where it is the device that was asked for.
std::optional<std::uint64_t> size_of(int fd, const ProbeTarget& target, std::string& problem) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) {
        problem = system_words(errno);
        return std::nullopt;
    }
    if (S_ISREG(status.st_mode) && target.dev.empty())
        return static_cast<std::uint64_t>(status.st_size);
    const std::string dev =
        std::to_string(major(status.st_rdev)) + ":" + std::to_string(minor(status.st_rdev));
    if (!S_ISBLK(status.st_mode) || (!target.dev.empty() && dev != target.dev)) {
        problem = "there is another device at " + target.path + " now";
        return std::nullopt;
    }
    std::uint64_t bytes = 0;
    if (::ioctl(fd, BLKGETSIZE64, &bytes) != 0) {
        problem = system_words(errno);
        return std::nullopt;
    }
    return bytes;
}

// Whether nobody in the kernel has claimed the device: a mount in any namespace, a swap, an array,
// a map. Held for an instant only, so that nobody else is kept out.
Exclusive exclusive_of(const std::string& path) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK));
    if (fd.is_open()) return Exclusive::kFree;
    return errno == EBUSY ? Exclusive::kBusy : Exclusive::kUnknown;
}

bool read_partitions_in_place(const Place& disk, ContentRecord& content) {
    bool is_complete = true;
    for (auto& partition : content.partitions) {
        if (partition.is_container || partition.size_bytes == 0) continue;
        const bool is_inside = partition.start_bytes <= disk.size &&
                               partition.size_bytes <= disk.size - partition.start_bytes;
        const Place part{disk.fd, partition.start_bytes, partition.size_bytes};
        if (!is_inside || !find_signatures(part, partition.signatures, partition.tables))
            is_complete = false;
    }
    return is_complete;
}

bool can_read_ends(const Place& place) {
    if (place.size < kEndBytes) return false;
    return read_at(place, 0, kEndBytes) && read_at(place, place.size - kEndBytes, kEndBytes);
}

} // namespace

ContentRecord probe_device(const ProbeTarget& target) {
    ContentRecord content;
    // Before this process opens it: it would count itself.
    if (!target.dm_name.empty()) {
        const DmStatus dm = read_dm_status(target.dm_name);
        content.dm_open_count = dm.open_count;
        content.dm_target = dm.target;
    }
    const Fd fd(::open(target.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd.is_open()) {
        content.problem = system_words(errno);
        return content;
    }
    const auto size = size_of(fd.get(), target, content.problem);
    if (!size) return content;
    const Place disk{fd.get(), 0, *size};
    bool is_complete =
        can_read_ends(disk) && find_signatures(disk, content.signatures, content.tables);
    if (!content.tables.empty()) content.partitions = find_partitions(disk);
    if (target.reads_partitions && !read_partitions_in_place(disk, content)) is_complete = false;
    content.exclusive = exclusive_of(target.path);
    content.is_complete = is_complete;
    if (!is_complete) content.problem = "not all of it could be read";
    return content;
}

} // namespace stratum::hw
