// An LVM physical volume's first bytes, made by hand from the format.
#pragma once

#include <cstdint>
#include <string>

namespace stratum::hw {

inline void put_little(std::string& bytes, std::size_t at, std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i)
        bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
}

// Label in sector 1, metadata area at 4096, its text at `text_offset` in the area's ring.
inline std::string lvm_volume(const std::string& text, std::uint64_t text_offset = 512,
                              std::uint64_t ring_bytes = 8192) {
    std::string bytes(32768, '\0');
    bytes.replace(512, 8, "LABELONE");
    put_little(bytes, 512 + 8, 1, 8);
    put_little(bytes, 512 + 20, 32, 4);
    bytes.replace(512 + 24, 8, "LVM2 001");
    const std::size_t header = 512 + 32;
    bytes.replace(header, 32, "zQWPHrwsobl0gWjPUbw6tjgtGx3w5Mdu");
    put_little(bytes, header + 32, 1u << 30, 8);
    put_little(bytes, header + 40, 1u << 20, 8); // the data area
    // zero ends the list of data areas at header + 56
    put_little(bytes, header + 72, 4096, 8); // the metadata area
    put_little(bytes, header + 80, ring_bytes, 8);
    const std::size_t area = 4096;
    bytes.replace(area + 4, 16, " LVM2 x[5A%r0N*>");
    put_little(bytes, area + 20, 1, 4);
    put_little(bytes, area + 24, area, 8);
    put_little(bytes, area + 32, ring_bytes, 8);
    put_little(bytes, area + 40, text_offset, 8);
    put_little(bytes, area + 48, text.size(), 8);
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::uint64_t at = text_offset + i;
        if (at >= ring_bytes) at = at - ring_bytes + 512;
        bytes[area + at] = text[i];
    }
    return bytes;
}

inline std::string lvm_text(const std::string& group, const std::string& uuid) {
    return group + " {\nid = \"" + uuid +
           "\"\nseqno = 1\nphysical_volumes {\npv0 {\nid = \"zz\"\n}\n}\n}\n";
}

} // namespace stratum::hw
