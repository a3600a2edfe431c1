// What a member keeps to find and know its founder: member.json in the state folder, beside the
// client key. The installation's last phase writes it, the member reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/files.hpp"
#include "common/base/net.hpp"
#include "common/link/fingerprint.hpp"

namespace stratum::link {

inline constexpr std::string_view kMemberFileName = "member.json";
inline constexpr std::string_view kClientKeyFileName = "client.pem"; // made by the joiner, 0600

struct MemberFile {
    std::string node_id;
    std::string name;
    std::vector<HostPort> founders; // join listeners, at least one, tried in order
    Fingerprint founder_key;
    friend bool operator==(const MemberFile&, const MemberFile&) = default;
};

Status write_member_file(Files& files, const std::string& state_folder, const MemberFile& member);
// kNotFound: this machine is no member (yet); kInvalid: the file is not what it should be.
Result<MemberFile> read_member_file(const Files& files, const std::string& state_folder);

} // namespace stratum::link
