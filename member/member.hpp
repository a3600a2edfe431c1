// `firstboot member`: every node after its join. Says every 15 seconds that it lives and which
// membership generation it has applied; takes a newer member list, stores it whole, and confirms it
// with the next heartbeat, which then follows at once. Each look at this machine's substrate goes
// to the founder once, with the next heartbeat. When the founder says that this node is being
// removed, it stops being a member (leaving.hpp) and ends.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/compat/keeper.hpp"
#include "common/facts/member.hpp"
#include "common/link/http_client.hpp"
#include "member/status.hpp"

namespace stratum::member {

struct MemberOptions {
    std::string state_folder; // client.pem, member.json (both there); ours the rest
    std::int64_t period_ms = 15'000;
};

struct MemberSeams {
    Files& files;
    Clock& clock;
    std::function<Result<std::unique_ptr<link::HttpClient>>(const link::ClientOptions&)>
        make_client;
    // Waits; false: the program should end.
    std::function<bool(std::int64_t wait_ms)> sleep_ms;
    std::function<void(const MemberStatus&)> publish;     // may be empty
    std::function<void(const std::string& line)> log;     // may be empty
    std::function<std::vector<std::string>()> complaints; // why not healthy; may be empty
    // The last look at this machine's substrate, nothing before the first has ended; must not wait.
    std::function<std::optional<compat::Held>()> last_look = {}; // may be empty
};

// The membership this node has applied: members.json.
struct Membership {
    std::int64_t generation = 0;
    std::vector<facts::Member> members;
    friend bool operator==(const Membership&, const Membership&) = default;
};
inline constexpr std::string_view kMembershipFileName = "members.json";
// A missing file is generation 0. A damaged one too, with the reason in `complaint`: the list is
// then taken anew.
Membership read_membership(const Files& files, const std::string& state_folder,
                           std::string& complaint);
Status write_membership(Files& files, const std::string& state_folder,
                        const Membership& membership);

enum class MemberEnd {
    kStopped, // it was asked to stop
    kRemoved, // this machine is no member any more; its credentials are put away
};
// kNotFound where this machine has not joined.
Result<MemberEnd> run_member(const MemberOptions& options, MemberSeams& seams);

} // namespace stratum::member
