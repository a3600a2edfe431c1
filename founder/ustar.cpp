#include "founder/ustar.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "common/base/text.hpp"

namespace stratum::founder {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameBytes = 100;
constexpr std::size_t kPrefixBytes = 155;

struct Name {
    std::string prefix;
    std::string name;
};

// The path as ustar holds it: up to 100 bytes, or split at a slash with up to 155 in front.
std::optional<Name> split_name(const std::string& path) {
    if (path.size() <= kNameBytes) return Name{"", path};
    for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
        const std::size_t rest = path.size() - at - 1;
        if (at <= kPrefixBytes && rest <= kNameBytes && rest > 0)
            return Name{path.substr(0, at), path.substr(at + 1)};
    }
    return std::nullopt;
}

bool is_inside(const std::string& path) {
    if (path.empty() || path.front() == '/') return false;
    const auto parts = split(path, '/');
    return std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
        return part.empty() || part == "." || part == "..";
    });
}

void put(std::string& header, std::size_t at, const std::string& text) {
    std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
}

// Octal digits, as many as `digits`, zeros in front.
std::string octal(std::uint64_t value, std::size_t digits) {
    std::string text(digits, '0');
    for (std::size_t i = digits; i > 0 && value > 0; --i, value /= 8)
        text[i - 1] = static_cast<char>('0' + value % 8);
    return text;
}

std::string header_of(const Name& name, const TarFile& file) {
    std::string header(kBlock, '\0');
    put(header, 0, name.name);
    put(header, 100, octal(file.mode, 7));
    put(header, 108, octal(0, 7)); // user
    put(header, 116, octal(0, 7)); // group
    put(header, 124, octal(file.content.size(), 11));
    put(header, 136, octal(0, 11)); // time
    put(header, 148, "        ");   // the sum counts its own field as spaces
    header[156] = '0';              // a plain file
    put(header, 257, std::string("ustar\0", 6) + "00");
    put(header, 345, name.prefix);
    std::uint64_t sum = 0;
    for (const char each : header) sum += static_cast<unsigned char>(each);
    put(header, 148, octal(sum, 6) + '\0' + ' ');
    return header;
}

} // namespace

Result<std::string> make_tar(const std::vector<TarFile>& files) {
    std::string tar;
    for (const TarFile& file : files) {
        const auto name = split_name(file.path);
        if (!is_inside(file.path) || !name)
            return fail(ErrorCode::kInvalid, "a bundle cannot hold a file called " + file.path);
        tar += header_of(*name, file);
        tar += file.content;
        tar.append((kBlock - file.content.size() % kBlock) % kBlock, '\0');
    }
    tar.append(2 * kBlock, '\0');
    return tar;
}

} // namespace stratum::founder
