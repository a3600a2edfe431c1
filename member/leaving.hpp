// How this machine stops being a member: removal.json in the state folder. Once that note is there,
// for this node, nothing here speaks as a member any more but to say that it has left; once the
// founder has heard that, the credentials go, member.json as the last, and the note stays for
// people. A cut at any instant goes on where it stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/files.hpp"

namespace stratum::member {

struct Leaving {
    std::string node_id;
    std::string name;
    std::int64_t at = 0;       // unix seconds: it was told to leave
    bool is_confirmed = false; // the founder has heard that it left
    friend bool operator==(const Leaving&, const Leaving&) = default;
};
inline constexpr std::string_view kLeavingFileName = "removal.json";

// Nothing where there is no note, or one that is damaged (the founder then tells it again).
std::optional<Leaving> read_leaving(const Files& files, const std::string& state_folder);
Status write_leaving(Files& files, const std::string& state_folder, const Leaving& leaving);

// Removes the key, the member list, what was delivered, and member.json last. Not the disks' data,
// and not the machine's network.
Status put_credentials_away(Files& files, const std::string& state_folder);

} // namespace stratum::member
