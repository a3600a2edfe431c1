// What the console shows, as lines of text. Pure: the same progress and size give the same lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "installer/progress.hpp"
#include "member/status.hpp"

namespace stratum::ui {

struct ScreenSize {
    int columns = 80;  // at least 40 are used
    int rows = 24;     // at least 10 are used
    bool utf8 = false; // false: nothing but printable ASCII comes out
};

// At most `rows` lines of at most `columns` columns each, without colours or control characters.
// Too small a screen loses the log first, then machine lines, then steps that are done; never the
// pairing code, the error, or what to do next. Where something is asked, the last line is the
// prompt with what was `typed` so far.
std::vector<std::string> draw(const installer::JoinProgress& progress, const ScreenSize& screen,
                              std::string_view typed = {});
std::vector<std::string> draw(const member::MemberStatus& status, const ScreenSize& screen);

// For a log instead of a screen: what is new in `now` against `before`, a sentence a line.
std::vector<std::string> changes(const installer::JoinProgress& before,
                                 const installer::JoinProgress& now);
std::vector<std::string> changes(const member::MemberStatus& before,
                                 const member::MemberStatus& now);

} // namespace stratum::ui
