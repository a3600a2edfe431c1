#include "common/base/yaml_text.hpp"

#include <algorithm>

#include "common/base/document_builder.hpp"
#include "common/base/text.hpp"

namespace stratum {
namespace {

struct Fault {
    std::string_view text;
    Findings& findings;

    bool operator()(std::string message, std::size_t offset) const {
        findings.add(FieldPath(), std::move(message), position_of(text, offset));
        return false;
    }
};

// yaml-cpp takes EOT for the end of the text, and a carriage return alone for a character.
bool check_characters(std::string_view text, const Fault& refuse) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) {
            return refuse("a carriage return stands alone here; end lines with a newline", i);
        }
        if (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') {
            return refuse("a control character stands here; write it as an escape", i);
        }
        if (byte == 0xef && text.substr(i, 3) == "\xef\xbb\xbf") {
            return refuse("a byte order mark stands here; remove it", i);
        }
    }
    return true;
}

// %YAML 1.1 would change what the rest means; behind the document yaml-cpp drops such a line.
bool check_directives(std::string_view text, const Fault& refuse) {
    const std::size_t inside = text.find("\n%");
    if (!text.starts_with('%') && inside == std::string_view::npos) return true;
    return refuse("a line begins with %: directives are not taken; leave it out, or quote the text",
                  text.starts_with('%') ? 0 : inside + 1);
}

// Readers disagree whether such a line belongs to a block scalar above it.
bool check_last_line(std::string_view text, const Fault& refuse) {
    const std::size_t start = text.rfind('\n') + 1; // (npos + 1 is 0)
    if (start == text.size() || !trim(text.substr(start)).empty()) return true;
    return refuse("the last line holds only white space; end the text with a newline", start);
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    static constexpr std::string_view kBlanks = " \t\r\n";
    for (;;) {
        const std::size_t next = std::min(text.find_first_not_of(kBlanks, at), text.size());
        const bool is_comment = next > at && next < text.size() && text[next] == '#';
        if (!is_comment) return next;
        at = std::min(text.find('\n', next), text.size());
    }
}

// Behind the closing quote of the quoted scalar that begins at `at`; npos where there is none.
std::size_t quoted_end(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            // Two single quotes are one within.
            if (quote == '"' || i + 1 == text.size() || text[i + 1] != '\'') return i + 1;
            ++i;
        }
    }
    return std::string_view::npos;
}

bool is_quote(char c) {
    return c == '"' || c == '\'';
}

bool holds_blank_line(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1)) {
        const std::size_t next = text.find_first_not_of(" \t\r", at + 1);
        if (next != std::string_view::npos && text[next] == '\n') return true;
    }
    return false;
}

} // namespace

bool check_yaml_text(std::string_view text, Findings& findings) {
    const Fault refuse{text, findings};
    return check_characters(text, refuse) && check_directives(text, refuse) &&
           check_last_line(text, refuse);
}

std::string_view scalar_problem(std::string_view text, std::size_t at) {
    if (at >= text.size()) return {};
    if (text[at] == '>') {
        const std::string_view header = text.substr(at + 1, 2);
        const bool keeps = header.substr(0, header.find('\n')).find('+') != std::string_view::npos;
        return keeps ? ">+ is not taken, readers disagree on it; use | or quotes" : "";
    }
    if (!is_quote(text[at])) return {};
    const std::size_t end = quoted_end(text, at);
    // (The parser takes the end of the text for it, where a newline stands before.)
    if (end == std::string_view::npos) return "the quote that opens here is never closed";
    const bool has_blank_line = holds_blank_line(text.substr(at, end - at));
    return has_blank_line ? "readers disagree on blank lines within quotes; use a block (|)" : "";
}

std::string_view key_problem(std::string_view text, std::size_t at, std::string_view name) {
    static constexpr std::string_view kOneLine = "a key must stand on one line";
    std::size_t end = at + name.size();
    if (is_quote(text[at])) {
        end = quoted_end(text, at);
        if (end == std::string_view::npos) return "the quote is never closed";
        if (text.substr(at, end - at).find('\n') != std::string_view::npos) return kOneLine;
    } else if (text.substr(at, name.size()) != name) {
        return kOneLine;
    }
    const std::size_t colon = skip_blanks(text, end);
    return colon < text.size() && text[colon] == ':' ? "" : "a colon must follow the key";
}

} // namespace stratum
