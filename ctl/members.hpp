// Members of the founder's list, as a person names and sees them. Pure.
#pragma once

#include <string>

#include "common/base/document.hpp"
#include "common/base/result.hpp"

namespace stratum::ctl {

// The list as a table.
std::string members_table(const Node& answer);

// The member with this id, else with this name. kNotFound where there is none, with those there
// are.
Result<Node> find_member(const Node& answer, const std::string& typed);

// What a removal of this member means, before a person is asked.
std::string removal_warning(const Node& member);

// One line: what its removal waits for.
std::string removal_line(const Node& member);

} // namespace stratum::ctl
