// What the member has to show: one value, published at every change.
#pragma once

#include <cstdint>
#include <string>

namespace stratum::member {

struct MemberStatus {
    std::string node_id, name;
    std::string founder;                 // HOST:PORT in use
    std::int64_t generation_applied = 0; // 0: none yet
    std::int64_t generation_current = 0; // the cluster's, as last heard
    int members = 0;                     // in the stored list
    std::int64_t last_heard_at = 0;      // unix seconds of the last answered heartbeat; 0: never
    std::string trouble;                 // why the founder was not reached; empty: it was
    friend bool operator==(const MemberStatus&, const MemberStatus&) = default;
};

} // namespace stratum::member
