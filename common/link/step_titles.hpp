// What a person is told a step of a join is: the one table of titles, on both sides. The joiner
// sends its own; a bundle's steps have theirs from the bundle.
#pragma once

#include <string>
#include <string_view>

namespace stratum::link {

// The table's title; empty for a step that is not in it.
std::string_view known_step_title(std::string_view name);

// What was sent, else the table's, else the name made readable: join/own_thing → "Join own thing".
// Never empty for a name that is not.
std::string step_title(std::string_view name, std::string_view sent = {});

} // namespace stratum::link
