#include "common/link/join_code.hpp"

#include "common/base/text.hpp"

namespace stratum::link {
namespace {

constexpr std::size_t kCodeLength = 16;
constexpr std::size_t kGroup = 4;

// The label's ASCII bytes, one 0x00, the 16 characters.
Sha256 labelled_hash(std::string_view label, const std::string& code) {
    std::string input(label);
    input.push_back('\0');
    input += code;
    return sha256(bytes_of(input));
}

bool is_filler(char c) {
    return c == '-' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// Bytes of the character that begins at text[at]; 1 where that is no UTF-8.
std::size_t character_length(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::string_view character = text.substr(at, length);
    return character.size() == length && is_utf8(character) ? length : 1;
}

// One character is told, never more: the rest of the text may be a good code.
Error wrong_character(std::string_view text, std::size_t at, std::size_t position) {
    const std::string_view raw = text.substr(at, character_length(text, at));
    std::string message = "a join code cannot hold '" + to_valid_utf8(raw) + "' (character " +
                          std::to_string(position) + ")";
    static constexpr std::string_view kLookAlikes = "ILOU01";
    if (kLookAlikes.find(upper(raw)) != std::string_view::npos) {
        message += ": I, L, O, U and 0, 1 are never used, because they look like others";
    } else {
        message += ": it is made of the digits 2 to 9 and letters without I, L, O, U";
    }
    return Error{ErrorCode::kInvalid, std::move(message), {}};
}

} // namespace

JoinCode JoinCode::generate() {
    return JoinCode(random_text(kCodeLength, kCodeAlphabet));
}

Result<JoinCode> JoinCode::parse(std::string_view text) {
    std::string code;
    std::size_t position = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (is_filler(text[at])) continue;
        ++position;
        const std::string letter = upper(text.substr(at, 1));
        if (kCodeAlphabet.find(letter) == std::string_view::npos) {
            return tl::make_unexpected(wrong_character(text, at, position));
        }
        if (position <= kCodeLength) code += letter;
    }
    if (position != kCodeLength) {
        return fail(ErrorCode::kInvalid,
                    "a join code has 16 characters (XXXX-XXXX-XXXX-XXXX); this has " +
                        std::to_string(position));
    }
    return JoinCode(std::move(code));
}

std::string JoinCode::grouped() const {
    std::string out;
    for (std::size_t at = 0; at < text_.size(); at += kGroup) {
        if (at != 0) out += '-';
        out += text_.substr(at, kGroup);
    }
    return out;
}

Sha256 JoinCode::key() const {
    return labelled_hash("stratum-join-code-v1", text_);
}

std::string JoinCode::id() const {
    const Sha256 digest = labelled_hash("stratum-join-code-id-v1", text_);
    return to_hex(std::span(digest).first(4));
}

} // namespace stratum::link
