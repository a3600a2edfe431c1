// A line as somebody types it on a terminal whose own editing is off.
#pragma once

#include <optional>
#include <string>

namespace stratum::ui {

class TypedLine {
public:
    // The next byte from the terminal; the line when it is finished by Enter. Backspace and Ctrl-U
    // edit, escape sequences (arrow keys) and other control characters are left out, and so is what
    // goes past the longest line.
    std::optional<std::string> take(char byte);
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    enum class Escape { kNone, kBegun, kSequence };
    bool is_in_escape(unsigned char byte);
    void erase();

    std::string text_;
    Escape escape_ = Escape::kNone;
    bool after_return_ = false; // a line feed right behind a carriage return is the same Enter
};

} // namespace stratum::ui
