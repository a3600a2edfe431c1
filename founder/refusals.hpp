// Which refused attempts get an entry of the audit of their own, and which are counted. Whoever may
// ask may be refused as often as it likes, and must not fill the disk by it: without a token so
// many entries at once and then two in a minute (and of one address some of these), with one 300
// and then 20 in a minute. The others are told by one entry a minute, with how many there were and
// from where. Counts that were not told yet end with a founder that is killed.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "founder/rates.hpp"

namespace stratum::founder {

inline constexpr Rate kStrangerEntries{"entries", 100, 33}; // without a token, of each listener
inline constexpr Rate kAddressEntries{"address-entries", 20, 10}; // of one address among these
inline constexpr Rate kTokenEntries{"token-entries", 300, 333};   // of one token
inline constexpr std::int64_t kTellCountsEverySeconds = 60;

// Attempts that have no entry.
struct RefusalCount {
    std::string actor;
    std::int64_t since = 0;
    std::int64_t count = 0;
    std::map<std::string, std::int64_t> addresses; // the first few of them
};

// Safe from any thread.
class Refusals {
public:
    // True: this one gets an entry. False: it is counted. `actor` is a token's id, or a word for
    // those who have none.
    bool admit(const std::string& actor, const std::string& from, std::int64_t now);
    // Counts one that was admitted and whose entry could not be written.
    void leave_out(const std::string& actor, const std::string& from, std::int64_t now);
    // Takes the counts that are to be told now; `all`: those of this minute too.
    std::vector<RefusalCount> due(std::int64_t now, bool all);

private:
    struct Kept {
        BucketRecord entries;
        RefusalCount left_out;
    };
    void count(const std::string& actor, const std::string& from, std::int64_t now);
    bool has_room(const std::string& actor, const std::string& from, std::int64_t now);

    std::mutex mutex_;
    std::map<std::string, Kept> actors_;
    std::map<std::string, BucketRecord> addresses_;
};

} // namespace stratum::founder
