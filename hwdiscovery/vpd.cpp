#include "hwdiscovery/vpd.hpp"

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kPageHeader = 4;
constexpr std::size_t kIdentifyOffset = 60; // of IDENTIFY DEVICE in page 0x89
constexpr std::size_t kSerialWord = 10, kSerialWords = 10;
constexpr std::size_t kModelWord = 27, kModelWords = 20;

std::uint8_t byte_at(std::string_view page, std::size_t at) {
    return static_cast<std::uint8_t>(page[at]);
}

// The body by the length the page states, never past what is there.
std::string_view body_of(std::string_view page) {
    if (page.size() < kPageHeader) return {};
    const std::size_t stated = byte_at(page, 2) * 256u + byte_at(page, 3);
    return page.substr(kPageHeader, stated);
}

std::string printable(std::string_view bytes) {
    return std::string(trim(bytes.substr(0, bytes.find('\0'))));
}

// ATA text has the two bytes of each word the other way round.
std::string ata_text(std::string_view page, std::size_t word, std::size_t words) {
    const std::size_t from = kIdentifyOffset + word * 2;
    if (page.size() < from + words * 2) return {};
    std::string text(page.substr(from, words * 2));
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) std::swap(text[i], text[i + 1]);
    return printable(text);
}

} // namespace

std::string vpd80_serial(std::string_view page) {
    return printable(body_of(page));
}

std::vector<Designator> vpd83_designators(std::string_view page) {
    std::vector<Designator> found;
    std::string_view rest = body_of(page);
    while (rest.size() >= 4) {
        const std::size_t length = byte_at(rest, 3);
        if (rest.size() < 4 + length) break;
        Designator one;
        one.code_set = byte_at(rest, 0) & 0x0f;
        one.association = (byte_at(rest, 1) >> 4) & 0x03;
        one.type = byte_at(rest, 1) & 0x0f;
        one.value = rest.substr(4, length);
        found.push_back(std::move(one));
        rest.remove_prefix(4 + length);
    }
    return found;
}

const Designator* world_wide(const std::vector<Designator>& designators) {
    const Designator* best = nullptr;
    for (const auto& one : designators) {
        const bool is_naa = one.type == 3 && one.value.size() >= 8;
        const bool is_eui = one.type == 2 && one.value.size() >= 8;
        if (one.association != 0 || one.code_set != 1 || (!is_naa && !is_eui)) continue;
        const bool is_better = best == nullptr || one.type > best->type ||
                               (one.type == best->type && one.value.size() > best->value.size());
        if (is_better) best = &one;
    }
    return best;
}

AtaIdentity vpd83_ata(const std::vector<Designator>& designators) {
    constexpr std::string_view kVendor = "ATA     ";
    constexpr std::size_t kModelBytes = 40, kSerialBytes = 20;
    for (const auto& one : designators) {
        const bool is_ata = one.association == 0 && one.type == 1 &&
                            one.value.starts_with(kVendor) &&
                            one.value.size() == kVendor.size() + kModelBytes + kSerialBytes;
        if (!is_ata) continue;
        const std::string_view rest = std::string_view(one.value).substr(kVendor.size());
        return {printable(rest.substr(0, kModelBytes)), printable(rest.substr(kModelBytes))};
    }
    return {};
}

AtaIdentity vpd89_ata(std::string_view page) {
    return {ata_text(page, kModelWord, kModelWords), ata_text(page, kSerialWord, kSerialWords)};
}

} // namespace stratum::hw
