#include "hwdiscovery/lvm_metadata.hpp"

#include <array>

#include "common/base/text.hpp"
#include "hwdiscovery/bytes.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kSectorBytes = 512;
constexpr std::size_t kLabelSectors = 4;
constexpr std::size_t kMdaHeaderBytes = 512;
constexpr std::uint64_t kMostTextBytes = 1u << 20;
constexpr std::string_view kLabel = "LABELONE";
constexpr std::string_view kLabelType = "LVM2 001";
constexpr std::string_view kMdaMagic = " LVM2 x[5A%r0N*>";

// Behind the volume's uuid and size stand the data areas, then the metadata areas, each list ended
// by a zero: the place of the first metadata area.
std::optional<std::uint64_t> first_metadata_area(const std::string& sector, std::size_t header) {
    std::size_t at = header + 40;
    for (int lists = 0; at + 16 <= sector.size(); at += 16) {
        const std::uint64_t offset = little_endian(sector, at, 8);
        if (lists == 1) return offset == 0 ? std::nullopt : std::optional(offset);
        if (offset == 0) ++lists;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> find_metadata_area(const std::string& start) {
    for (std::size_t i = 0; i < kLabelSectors; ++i) {
        const std::string sector = start.substr(i * kSectorBytes, kSectorBytes);
        if (sector.size() < kSectorBytes || !sector.starts_with(kLabel)) continue;
        if (sector.compare(24, kLabelType.size(), kLabelType) != 0) continue;
        const std::uint64_t header = little_endian(sector, 20, 4);
        if (header < kSectorBytes) return first_metadata_area(sector, header);
    }
    return std::nullopt;
}

// The text lies in a ring behind the area's header.
std::optional<std::string> read_text(const ReadAt& read, std::uint64_t area) {
    const auto header = read(area, kMdaHeaderBytes);
    if (!header || header->size() < kMdaHeaderBytes || header->compare(4, 16, kMdaMagic) != 0)
        return std::nullopt;
    const std::uint64_t ring_bytes = little_endian(*header, 32, 8);
    const std::uint64_t offset = little_endian(*header, 40, 8);
    const std::uint64_t size = little_endian(*header, 48, 8);
    if (offset < kMdaHeaderBytes || offset >= ring_bytes || size == 0 || size > kMostTextBytes)
        return std::nullopt;
    const std::uint64_t until_end = std::min(size, ring_bytes - offset);
    auto text = read(area + offset, static_cast<std::size_t>(until_end));
    if (text && until_end < size) {
        const auto rest = read(area + kMdaHeaderBytes, static_cast<std::size_t>(size - until_end));
        if (!rest) return std::nullopt;
        *text += *rest;
    }
    return text;
}

} // namespace

namespace {

constexpr std::size_t kUuidChars = 38; // with its hyphens
constexpr std::size_t kMostMembers = 1024;

// physical_volumes { pv0 { id = "…" … } pv1 { … } }
std::vector<std::string> members_in(const std::string& text) {
    static constexpr std::string_view kSection = "physical_volumes {", kId = "id = \"";
    std::vector<std::string> members;
    const auto section = text.find(kSection);
    if (section == std::string::npos) return members;
    int depth = 1;
    for (std::size_t at = section + kSection.size(); at < text.size() && depth > 0; ++at) {
        if (text[at] == '{') ++depth;
        if (text[at] == '}') --depth;
        const bool is_word = text.compare(at, kId.size(), kId) == 0 && depth == 2 &&
                             (text[at - 1] == '\n' || text[at - 1] == '\t' || text[at - 1] == ' ');
        if (!is_word || members.size() == kMostMembers) continue;
        const auto from = at + kId.size();
        if (text.find('"', from) == from + kUuidChars)
            members.push_back(text.substr(from, kUuidChars));
    }
    return members;
}

} // namespace

std::optional<LvmGroup> parse_lvm_text(const std::string& text) {
    // The group is the first section; its id the first value in it.
    const auto brace = text.find('{');
    if (brace == std::string::npos) return std::nullopt;
    LvmGroup group;
    group.name = trim(std::string_view(text).substr(0, brace));
    const auto id = text.find("id = \"", brace);
    const auto from = id + 6;
    const auto to = id == std::string::npos ? id : text.find('"', from);
    if (to != std::string::npos && to - from <= 64) group.uuid = text.substr(from, to - from);
    const bool is_name = !group.name.empty() && group.name.size() <= 127 &&
                         group.name.find_first_of(" \t\n\"#=") == std::string::npos;
    if (!is_name || group.uuid.empty()) return std::nullopt;
    group.members = members_in(text);
    return group;
}

std::optional<LvmGroup> read_lvm_group(const ReadAt& read) {
    const auto start = read(0, kLabelSectors * kSectorBytes);
    if (!start) return std::nullopt;
    const auto area = find_metadata_area(*start);
    if (!area) return std::nullopt;
    const auto text = read_text(read, *area);
    return text ? parse_lvm_text(*text) : std::nullopt;
}

std::string lvm_uuid(const std::string& bare) {
    static constexpr std::array<std::size_t, 7> kParts = {6, 4, 4, 4, 4, 4, 6};
    if (bare.size() != 32) return bare;
    std::string uuid;
    std::size_t at = 0;
    for (std::size_t part : kParts) {
        if (at > 0) uuid += '-';
        uuid += bare.substr(at, part);
        at += part;
    }
    return uuid;
}

LvmName parse_lvm_name(const std::string& dm_name) {
    LvmName name;
    std::string* current = &name.group;
    for (std::size_t i = 0; i < dm_name.size(); ++i) {
        if (dm_name[i] != '-') {
            *current += dm_name[i];
        } else if (i + 1 < dm_name.size() && dm_name[i + 1] == '-') {
            *current += '-'; // a hyphen of the name itself is written twice
            ++i;
        } else if (current == &name.group) {
            current = &name.volume;
        } else {
            *current += '-';
        }
    }
    return name;
}

} // namespace stratum::hw
