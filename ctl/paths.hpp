// Paths of calls from words that a person typed: whatever stands in a word, it stays one segment of
// the path, or one value of the query. Pure.
#pragma once

#include <string>
#include <string_view>

#include "common/base/command_line.hpp"
#include "common/base/result.hpp"

namespace stratum::ctl {

// What kind of id a word is: the argument's name, and what such an id looks like.
struct IdKind {
    const char* argument; // "JOIN-ID"
    const char* prefix;   // "nj-"; empty: eight hex digits
    const char* list;     // the command that shows them
};
inline constexpr IdKind kJoinId{"JOIN-ID", "nj-", "stratumctl admin joins list"};
inline constexpr IdKind kCodeId{"CODE-ID", "", "stratumctl admin join-codes list"};
inline constexpr IdKind kTokenId{"TOKEN-ID", "tk-", "stratumctl admin tokens list"};

// `base`/ID`rest`, with the id as it was typed for this argument. kInvalid where that is no id of
// its kind (so that none reads as a word of the API's own, such as join-codes/pause).
Result<std::string> path_of(const Arguments& arguments, const IdKind& kind, std::string_view base,
                            std::string_view rest = {});

// `path`?name=value, or &name=value where it has a query already.
std::string with_parameter(const std::string& path, std::string_view name, std::string_view value);

} // namespace stratum::ctl
