#include "hwdiscovery/edge/blkid_values.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kSectorBytes = 512; // libblkid's unit for partitions
// What no device has: a table may say anything.
constexpr std::uint64_t kOutOfRange = (1ull << 63) - 1;

std::uint64_t bytes_of(std::int64_t sectors) {
    const auto count = static_cast<std::uint64_t>(sectors);
    return count < (1ull << 54) ? count * kSectorBytes : kOutOfRange;
}

// The last of the many is btrfs's superblock behind 64 KiB, and nvidia's and its like before the
// end.
constexpr std::uint64_t kHeadBytes = 72u << 10;
constexpr std::uint64_t kTailBytes = 136u << 10;

} // namespace

// In libblkid's archive, but not in its public header: reads a part of the probe's place (at most
// 8 MiB) and keeps it for whoever asks for anything within; null where it cannot be read.
extern "C" const unsigned char* blkid_probe_get_buffer(blkid_probe probe, std::uint64_t offset,
                                                       std::uint64_t size);

namespace {

// libblkid's readers fetch some thirty sectors at either end one by one. Here both ends are fetched
// at once; where that fails (a bad spot), each fetches its own as ever.
void read_ends(blkid_probe probe, const Place& place) {
    const std::uint64_t tail = std::min(place.size, kTailBytes);
    blkid_probe_get_buffer(probe, 0, std::min(place.size, kHeadBytes));
    blkid_probe_get_buffer(probe, place.size - tail, tail);
}

} // namespace

Value raw_value_of(blkid_probe probe, const char* name) {
    Value value;
    if (blkid_probe_lookup_value(probe, name, &value.data, &value.size) != 0) return {};
    return value;
}

std::string value_of(blkid_probe probe, const char* name) {
    const Value value = raw_value_of(probe, name);
    return value.data == nullptr ? std::string{}
                                 : std::string(value.data, ::strnlen(value.data, value.size));
}

ProbeHandle open_probe(const Place& place) {
    ProbeHandle probe(blkid_new_probe());
    if (probe &&
        blkid_probe_set_device(probe.get(), place.fd, static_cast<blkid_loff_t>(place.offset),
                               static_cast<blkid_loff_t>(place.size)) != 0)
        probe.reset();
    if (probe) read_ends(probe.get(), place);
    return probe;
}

// Checksums do not count: what somebody damaged is still somebody's.
void choose(blkid_probe probe, Chain chain) {
    blkid_reset_probe(probe);
    blkid_probe_enable_superblocks(probe, chain == Chain::kSuperblocks ? 1 : 0);
    blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_TYPE |
                                                 BLKID_SUBLKS_USAGE | BLKID_SUBLKS_LABEL |
                                                 BLKID_SUBLKS_UUID | BLKID_SUBLKS_BADCSUM);
    blkid_probe_enable_partitions(probe, chain == Chain::kTables ? 1 : 0);
    blkid_probe_set_partitions_flags(probe, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
}

void read_again(blkid_probe probe, const Place& place) {
    blkid_probe_reset_buffers(probe);
    read_ends(probe, place);
}

void leave_out(blkid_probe probe, const std::vector<std::string>& readers) {
    std::vector<std::string> names = readers; // libblkid wants them writable
    std::vector<char*> list;
    list.reserve(names.size() + 1);
    for (auto& name : names) list.push_back(name.data());
    list.push_back(nullptr);
    if (!names.empty()) blkid_probe_filter_superblocks_type(probe, BLKID_FLTR_NOTIN, list.data());
}

std::string text_or_empty(const char* text) {
    return text == nullptr ? "" : text;
}

TablePartition partition_of(blkid_partition raw) {
    TablePartition partition;
    partition.number = blkid_partition_get_partno(raw);
    partition.start_bytes = bytes_of(blkid_partition_get_start(raw));
    partition.size_bytes = bytes_of(blkid_partition_get_size(raw));
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

} // namespace stratum::hw
