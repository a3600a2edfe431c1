#include "hwdiscovery/first_look.hpp"

#include <algorithm>
#include <array>

namespace stratum::hw {
namespace {

constexpr std::uint64_t kSectorBytes = 512;
constexpr std::uint64_t kZfsLabelBytes = 256u << 10;
constexpr std::string_view kXfsRecord = "\xfe\xed\xba\xbe";
constexpr std::string_view kPromise = "Promise Technology, Inc.";
// Sectors before the end.
constexpr std::array<std::uint64_t, 13> kPromiseSectors = {63,  255, 256, 16,  399, 591, 675,
                                                           735, 911, 974, 991, 951, 3087};

bool may_be_xfs_log(std::string_view head) {
    if (head.size() < kXfsLogBytes) return true;
    for (std::uint64_t at = 0; at < kXfsLogBytes; at += kSectorBytes)
        if (head.substr(at, kXfsRecord.size()) == kXfsRecord) return true;
    return false;
}

// A label's pairs start with how they are encoded (always XDR) and with their byte order.
bool may_be_zfs(const ReadAt& read, std::uint64_t size) {
    for (const std::uint64_t label : zfs_labels(size)) {
        const auto bytes = read(label + kZfsPairsAt, 2);
        if (!bytes || ((*bytes)[0] == 1 && ((*bytes)[1] == 0 || (*bytes)[1] == 1))) return true;
    }
    return false;
}

bool may_be_promise(const ReadAt& read, std::uint64_t size) {
    const std::uint64_t sectors = size / kSectorBytes;
    return std::any_of(kPromiseSectors.begin(), kPromiseSectors.end(), [&](std::uint64_t back) {
        if (back > sectors) return false;
        const auto bytes = read((sectors - back) * kSectorBytes, kPromise.size());
        return !bytes || *bytes == kPromise;
    });
}

} // namespace

std::vector<std::uint64_t> zfs_labels(std::uint64_t size) {
    const std::uint64_t end = size - size % kZfsLabelBytes;
    if (end < 4 * kZfsLabelBytes) return {};
    return {0, kZfsLabelBytes, end - 2 * kZfsLabelBytes, end - kZfsLabelBytes};
}

std::vector<std::string> readers_not_needed(std::string_view head, const ReadAt& read,
                                            std::uint64_t size, bool is_whole_disk) {
    std::vector<std::string> names;
    if (!may_be_xfs_log(head)) names.emplace_back("xfs_external_log");
    if (!may_be_zfs(read, size)) names.emplace_back("zfs_member");
    if (!is_whole_disk || !may_be_promise(read, size))
        names.emplace_back("promise_fasttrack_raid_member");
    return names;
}

} // namespace stratum::hw
