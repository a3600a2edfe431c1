#include "hwdiscovery/own_signatures.hpp"

#include <string_view>

namespace stratum::hw {
namespace {

struct Row {
    std::string_view type, usage;
    std::uint64_t offset; // from the start, or back from the end
    bool from_end;
    std::string_view magic;
};

constexpr Row kRows[] = {
    // A BSD label without a DOS table around it: in the second sector, or behind a boot block.
    {"bsd", "other", 512, false, "\x57\x45\x56\x82"},
    {"bsd", "other", 64, false, "\x57\x45\x56\x82"},
    // FreeBSD's mirrors, stripes, encryption: the last sector.
    {"freebsd_geom", "raid", 512, true, "GEOM::"},
    {"freebsd_geom", "raid", 4096, true, "GEOM::"},
    // OpenBSD's softraid, encryption among it.
    {"openbsd_softraid", "raid", 8192, false, "marcCRAM"},
    // Windows' dynamic disks: the private header, at both ends.
    {"windows_ldm", "raid", 3072, false, "PRIVHEAD"},
    {"windows_ldm", "raid", 512, true, "PRIVHEAD"},
    // Windows' storage pools.
    {"windows_storage_spaces", "raid", 4096, false, "SPACEDB "},
};

} // namespace

std::vector<SignatureRecord> own_signatures(const ReadAt& read, std::uint64_t size) {
    std::vector<SignatureRecord> found;
    for (const auto& row : kRows) {
        const std::uint64_t end = row.from_end ? row.offset : row.offset + row.magic.size();
        if (end > size) continue;
        const std::uint64_t at = row.from_end ? size - row.offset : row.offset;
        const auto bytes = read(at, row.magic.size());
        if (bytes && *bytes == row.magic)
            found.push_back({std::string(row.usage), std::string(row.type), "", "", at, "", ""});
    }
    return found;
}

} // namespace stratum::hw
