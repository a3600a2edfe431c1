#include "founder/secret_words.hpp"

#include <algorithm>

#include "common/link/join_code.hpp"

namespace stratum::founder {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool is_pairing_code(std::string_view word) {
    if (word.size() != 7 || word[3] != '-') return false;
    return std::count_if(word.begin(), word.end(), [](char c) {
               return link::kCodeAlphabet.find(c) != std::string_view::npos;
           }) == 6;
}

std::string_view stand_in(std::string_view word) {
    if (word.find("fbt_") != std::string_view::npos) return "[a token]";
    if (is_pairing_code(word)) return "[a pairing code]";
    // 16 characters, and the hyphens of both spellings.
    if (word.size() >= 16 && word.size() <= 24 && link::JoinCode::parse(word))
        return "[a join code]";
    return word;
}

} // namespace

std::string without_secrets(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto end = std::find_if_not(text.begin(), text.end(), is_word);
        const auto size = static_cast<std::size_t>(end - text.begin());
        out += stand_in(text.substr(0, size));
        text.remove_prefix(size);
        if (text.empty()) break;
        out += text.front();
        text.remove_prefix(1);
    }
    return out;
}

} // namespace stratum::founder
