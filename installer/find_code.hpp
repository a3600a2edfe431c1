// Where the join code comes from. Pure: the texts are handed in, in the order in which they count.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/link/join_code.hpp"

namespace stratum::installer {

// A code in either spelling. A short one names the founder's address beside it (or takes the
// default one), and the founder's key is then asked for.
struct GivenCode {
    std::vector<HostPort> founders; // at least one, tried in order
    link::JoinCode code;
    std::optional<link::Fingerprint> founder_key; // with a long code
    std::string origin;                           // "the command line", "typed at the console"
};

struct CodeSources {
    std::string argument;            // --code
    std::string kernel_command_line; // /proc/cmdline: stratum.join=…, stratum.founder=HOST:PORT
    std::string file;                // the content of the code file; empty: there is none
    std::string file_path;           // its name, for messages
    std::string founder;             // --founder HOST[:PORT], for short codes that name none
};

struct CodeSearch {
    std::optional<GivenCode> code;       // of the first source that holds one
    std::vector<std::string> complaints; // sources that hold something else, with the reason
};

inline constexpr std::uint16_t kDefaultJoinPort = 8444;

CodeSearch find_code(const CodeSources& sources);
// A line: the URI, or the 16 characters (any case, spaces and hyphens free) with HOST[:PORT] before
// or behind them. `default_founder` may be empty. The message never repeats what was typed.
Result<GivenCode> parse_code_line(std::string_view line, std::string_view default_founder);

} // namespace stratum::installer
