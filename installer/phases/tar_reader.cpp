#include "installer/phases/tar_reader.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::size_t kBlock = 512;

// A header's fields by offset and length (POSIX.1-2017, pax, "ustar Interchange Format").
std::string_view field(std::string_view header, std::size_t offset, std::size_t length) {
    const std::string_view raw = header.substr(offset, length);
    return raw.substr(0, raw.find('\0'));
}

std::optional<std::uint64_t> octal(std::string_view text) {
    text = trim(text);
    if (text.empty()) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '7' || value >> 60 != 0) return std::nullopt;
        value = value * 8 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
}

bool checksum_holds(std::string_view header) {
    constexpr std::size_t kSumAt = 148;
    constexpr std::size_t kSumBytes = 8;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
        const bool in_sum = i >= kSumAt && i < kSumAt + kSumBytes;
        sum += in_sum ? static_cast<unsigned char>(' ') : static_cast<unsigned char>(header[i]);
    }
    return octal(field(header, kSumAt, kSumBytes)) == sum;
}

bool stays_inside(const std::string& path) {
    const auto parts = split(path, '/');
    return !path.empty() && std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
        return part.empty() || part == "." || part == "..";
    });
}

std::string path_of(std::string_view header) {
    const std::string prefix(field(header, 345, 155));
    const std::string name(field(header, 0, 100));
    return prefix.empty() ? name : prefix + "/" + name;
}

bool is_end(std::string_view header) {
    return std::all_of(header.begin(), header.end(), [](char c) { return c == '\0'; });
}

tl::unexpected<Error> bad(const std::string& path, const std::string& why) {
    return fail(ErrorCode::kInvalid, "the bundle's entry “" + to_valid_utf8(path) + "” " + why);
}

} // namespace

Result<std::vector<TarFile>> read_tar(std::string_view archive) {
    std::vector<TarFile> files;
    std::set<std::string> seen;
    std::size_t at = 0;
    while (at + kBlock <= archive.size()) {
        const std::string_view header = archive.substr(at, kBlock);
        if (is_end(header)) return files;
        std::string path = path_of(header);
        if (!checksum_holds(header)) return bad(path, "has a wrong checksum");
        const auto size = octal(field(header, 124, 12));
        const auto mode = octal(field(header, 100, 8));
        if (!size || !mode) return bad(path, "has no readable size or mode");
        at += kBlock;
        if (*size > archive.size() - at) return bad(path, "is cut off");
        const char type = header[156];
        if (type == '5') continue;
        if (type != '0' && type != '\0') return bad(path, "is neither a file nor a folder");
        if (!stays_inside(path)) return bad(path, "does not stay inside the bundle");
        if (!seen.insert(path).second) return bad(path, "is there twice");
        files.push_back({std::move(path), std::string(archive.substr(at, *size)),
                         static_cast<unsigned>(*mode & 0777)});
        at += (*size + kBlock - 1) / kBlock * kBlock;
    }
    return fail(ErrorCode::kInvalid, "the bundle ends before its end mark: it is cut off");
}

} // namespace stratum::installer
