// How many connections an address holds: each costs a thread, so that one machine, or somebody who
// opens connections and says nothing, must not have them all. Safe from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>

struct sockaddr;

namespace stratum::link {

class Admission {
public:
    // `most_of_one` 0: no limit for an address. Crowded is from seven eighths of `most` on.
    Admission(int most, int most_of_one) : most_(most), most_of_one_(most_of_one) {}

    // False: this address has enough. Else it is counted until `release`.
    bool admit(const sockaddr* peer);
    void release(const sockaddr* peer);
    [[nodiscard]] bool is_crowded();

private:
    using Key = std::array<std::uint8_t, 16>;
    static Key key_of(const sockaddr* peer);

    std::mutex mutex_;
    std::map<Key, int> open_;
    int total_ = 0;
    int most_;
    int most_of_one_;
};

} // namespace stratum::link
