// The founder's answer about the substrate, for a person or a script. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/document.hpp"
#include "common/base/result.hpp"
#include "common/compat/doctor.hpp"

namespace stratum::ctl {

// kInvalid where it is no such answer, with the first field at fault: one that cannot be read says
// nothing, least of all "ok".
Result<compat::Fleet> read_compatibility(const Node& answer);

// An answer's Date as seconds since 1970: the samples' times are the founder's, and this machine's
// clock may be another. Nothing where it is none ("Mon, 30 Nov 2026 19:48:06 GMT").
std::optional<std::int64_t> date_of(std::string_view header);

// A header of digits alone (an Age, a count), at most 9 of them; nothing where it is none.
std::optional<std::int64_t> number_of(std::string_view header);

// Nodes by the names of the member list where it has them (else they keep their ids). A member that
// has joined through a join and has no report is named as such; the founder's own, on top, has
// none.
void name_nodes(compat::Fleet& fleet, const Node& members);

// What each look of --watch prints: on a terminal the picture anew from its upper left corner, with
// the time; elsewhere only what differs from the look before.
class WatchedText {
public:
    explicit WatchedText(bool is_terminal) : is_terminal_(is_terminal) {}
    std::string next(const std::string& text, const std::string& time);

private:
    bool is_terminal_;
    std::string last_;
};

} // namespace stratum::ctl
