#include "ui-tty/typed_line.hpp"

#include "common/base/text.hpp"

namespace stratum::ui {
namespace {

constexpr std::size_t kLongestLine = 512;
constexpr char kBackspace = 0x08;
constexpr char kDelete = 0x7F;
constexpr char kEraseLine = 0x15;
constexpr unsigned char kEscape = 0x1B;

} // namespace

// ESC and one character, or ESC [ (or O) up to a letter or ~.
bool TypedLine::is_in_escape(unsigned char byte) {
    switch (escape_) {
    case Escape::kNone:
        if (byte != kEscape) return false;
        escape_ = Escape::kBegun;
        return true;
    case Escape::kBegun:
        escape_ = byte == '[' || byte == 'O' ? Escape::kSequence : Escape::kNone;
        return true;
    case Escape::kSequence:
        if (byte >= 0x40 && byte <= 0x7E) escape_ = Escape::kNone;
        return true;
    }
    return false;
}

void TypedLine::erase() {
    while (!text_.empty()) {
        const bool was_inside = (static_cast<unsigned char>(text_.back()) & 0xC0) == 0x80;
        text_.pop_back();
        if (!was_inside) break;
    }
}

std::optional<std::string> TypedLine::take(char byte) {
    if (is_in_escape(static_cast<unsigned char>(byte))) return std::nullopt;
    const bool is_same_enter = byte == '\n' && after_return_;
    after_return_ = byte == '\r';
    if (is_same_enter) return std::nullopt;
    if (byte == '\r' || byte == '\n') {
        std::string line = to_valid_utf8(text_);
        text_.clear();
        return line;
    }
    if (byte == kBackspace || byte == kDelete) {
        erase();
    } else if (byte == kEraseLine) {
        text_.clear();
    } else if (static_cast<unsigned char>(byte) >= 0x20 && text_.size() < kLongestLine) {
        text_ += byte;
    }
    return std::nullopt;
}

} // namespace stratum::ui
