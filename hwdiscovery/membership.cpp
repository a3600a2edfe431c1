#include "hwdiscovery/membership.hpp"

#include <array>
#include <string_view>

#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "hwdiscovery/bytes.hpp"

namespace stratum::hw {
namespace {

std::uint32_t big32(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

bool is_zero(std::string_view bytes) {
    return bytes.find_first_not_of('\0') == std::string_view::npos;
}

std::string uuid_of(std::string_view bytes) {
    std::string digits = to_hex(bytes_of(bytes));
    for (std::size_t at : {20u, 16u, 12u, 8u}) digits.insert(at, "-");
    return digits;
}

bool is_uuid_text(std::string_view text) {
    return text.size() == 36 &&
           text.find_first_not_of("0123456789abcdefABCDEF-") == std::string_view::npos;
}

void add_lvm(const ReadAt& read, SignatureRecord& signature) {
    const auto group = read_lvm_group(read);
    if (!group) return;
    signature.group = group->name;
    signature.group_uuid = group->uuid;
    signature.group_members = group->members;
}

// "bluestore block device\n", then the OSD's uuid, which its database's device has too.
void add_bluestore(const ReadAt& read, SignatureRecord& signature) {
    constexpr std::size_t kUuidAt = 23, kUuidChars = 36;
    const auto start = read(0, kUuidAt + kUuidChars);
    if (!start || !is_uuid_text(std::string_view(*start).substr(kUuidAt))) return;
    signature.group_uuid = lower(std::string_view(*start).substr(kUuidAt));
}

// Of a backing device that no cache was ever attached to the set is zero.
void add_bcache(const ReadAt& read, SignatureRecord& signature) {
    constexpr std::uint64_t kSuperblock = 4096, kSetUuid = 56;
    const auto set = read(kSuperblock + kSetUuid, 16);
    if (set && !is_zero(*set)) signature.group_uuid = uuid_of(*set);
}

// The family that a RAID was made as; a number that mdadm and the firmware draw by chance.
void add_intel(const ReadAt& read, SignatureRecord& signature) {
    constexpr std::size_t kFamily = 40, kOriginalFamily = 64;
    if (!signature.offset_bytes) return;
    const auto anchor = read(*signature.offset_bytes, kOriginalFamily + 4);
    if (!anchor) return;
    const std::uint64_t original = little_endian(*anchor, kOriginalFamily, 4);
    const std::uint64_t family = original != 0 ? original : little_endian(*anchor, kFamily, 4);
    if (family != 0) signature.group_uuid = std::to_string(family);
}

void add_dynamic_disk(const ReadAt& read, SignatureRecord& signature) {
    constexpr std::uint64_t kGroupId = 0xb0;
    if (!signature.offset_bytes) return;
    const auto id = read(*signature.offset_bytes + kGroupId, 64);
    if (!id) return;
    const std::string_view text = std::string_view(*id).substr(0, id->find('\0'));
    if (is_uuid_text(text)) signature.group_uuid = lower(text);
}

struct Reader {
    std::string_view type;
    void (*add)(const ReadAt&, SignatureRecord&);
};
constexpr std::array<Reader, 5> kReaders = {{{"LVM2_member", add_lvm},
                                             {"ceph_bluestore", add_bluestore},
                                             {"bcache", add_bcache},
                                             {"isw_raid_member", add_intel},
                                             {"windows_ldm", add_dynamic_disk}}};

constexpr std::uint64_t kLabelBytes = 256u << 10;
constexpr std::uint64_t kListAt = 16u << 10;          // of a label: its list of names and values
constexpr std::uint64_t kMagicAt = (128u << 10) - 40; // of a label: the end of that list
constexpr std::string_view kLabelMagic = "\x11\x7a\x0c\xb1\x7a\xda\x10\x02";
constexpr std::size_t kListBytes = 4096;        // the pool's name and number stand at its start
constexpr std::uint32_t kNumber = 8, kText = 9; // kinds of value

// One pair of an XDR-encoded list: its size, its name, its kind, its value.
void add_pair(std::string_view pair, SignatureRecord& signature) {
    constexpr std::size_t kHead = 12;
    if (pair.size() < kHead) return;
    const std::size_t name_bytes = big32(pair, 8);
    const std::size_t after_name = kHead + (name_bytes + 3) / 4 * 4;
    if (name_bytes > 64 || pair.size() < after_name + 16) return;
    const std::string_view name = pair.substr(kHead, name_bytes);
    const std::uint32_t kind = big32(pair, after_name);
    const std::string_view value = pair.substr(after_name + 8);
    if (name == "pool_guid" && kind == kNumber)
        signature.uuid =
            std::to_string(static_cast<std::uint64_t>(big32(value, 0)) << 32 | big32(value, 4));
    if (name == "name" && kind == kText) {
        const std::size_t length = big32(value, 0);
        if (length <= 256 && value.size() >= 4 + length) signature.label = value.substr(4, length);
    }
}

void add_pool(std::string_view list, SignatureRecord& signature) {
    constexpr std::size_t kEncodingAndFlags = 12;
    if (list.size() < kEncodingAndFlags || list[0] != 1) return; // 1: XDR
    list.remove_prefix(kEncodingAndFlags);
    while (list.size() >= 4) {
        const std::size_t size = big32(list, 0);
        if (size < 16 || size > list.size()) return;
        add_pair(list.substr(0, size), signature);
        list.remove_prefix(size);
    }
}

} // namespace

void add_membership(const ReadAt& read, SignatureRecord& signature) {
    for (const auto& reader : kReaders)
        if (reader.type == signature.type) reader.add(read, signature);
}

std::optional<SignatureRecord> read_zfs_label(const ReadAt& read, std::uint64_t size) {
    if (size < 4 * kLabelBytes) return std::nullopt;
    const std::uint64_t end = size / kLabelBytes * kLabelBytes;
    for (std::uint64_t label :
         {std::uint64_t{0}, kLabelBytes, end - 2 * kLabelBytes, end - kLabelBytes}) {
        const auto magic = read(label + kMagicAt, kLabelMagic.size());
        if (!magic || *magic != kLabelMagic) continue;
        SignatureRecord signature{"filesystem", "zfs_member", "", "", label + kMagicAt, "", ""};
        if (const auto list = read(label + kListAt, kListBytes)) add_pool(*list, signature);
        return signature;
    }
    return std::nullopt;
}

} // namespace stratum::hw
