// How often somebody may ask: token buckets. Some live in memory and are written down now and then
// (an address's requests, a join code's registrations), so that a restart does not fill them.
// Guesses (wrong join codes, wrong tokens) are rows of the store, written before the guess is
// answered, so that a founder that is killed again and again forgets none. So that a flood from
// many addresses costs no write each, 500 of them at once and 50 a second are; what is more is
// counted in memory.
//
// The sizes are far above what honest machines do: 500 machines from 500 addresses that register
// with five codes of 100 uses and poll, all at once, meet none of them.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "common/link/problem.hpp"
#include "founder/store/ledger.hpp"

namespace stratum::founder {

struct Rate {
    std::string_view name;
    std::int64_t burst = 0;            // so many at once
    std::int64_t milli_per_second = 0; // thousandths that come back each second
};
inline constexpr Rate kAddressRate{"address", 2'000, 200'000};    // requests to the join listener
inline constexpr Rate kCodeRate{"code", 200, 5'000};              // new machines with one join code
inline constexpr Rate kWrongCodeRate{"wrong-code", 20, 200};      // wrong codes from one address
inline constexpr Rate kWrongTokenRate{"wrong-token", 300, 2'000}; // calls without a valid token
inline constexpr Rate kMoreWrongCodes{"wrong-code-more", 20, 200}; // those that were not written
inline constexpr Rate kCountWrites{"count-writes", 500, 50'000};   // guesses written at once

// Pure: what is left now; a clock that went back gives nothing.
BucketRecord refilled(const Rate& rate, const BucketRecord& bucket, std::int64_t now);
// Nothing of it was taken lately: as good as none.
bool is_full(const Rate& rate, const BucketRecord& bucket, std::int64_t now);
// Pure: seconds until one may pass; 0: now.
std::int64_t wait_seconds(const Rate& rate, const BucketRecord& bucket, std::int64_t now);
// Takes one away, if there is one. 0, or the seconds until there is.
std::int64_t take_one(const Rate& rate, BucketRecord& bucket, std::int64_t now);

// "address/10.0.0.1": an IPv6 address by its /64, which is what one machine can have of them.
std::string bucket_id(const Rate& rate, std::string_view who);

// The buckets in memory. Safe from any thread.
class Rates {
public:
    std::int64_t take(const Rate& rate, std::string_view who, std::int64_t now);
    // Seconds until there is one. Only looks.
    std::int64_t wait(const Rate& rate, std::string_view who, std::int64_t now);
    // May a guess be written now? One that may is counted.
    bool may_write(std::int64_t now) { return take(kCountWrites, "all", now) == 0; }
    // Writes this one down.
    void write_one(Ledger& ledger, const Rate& rate, std::string_view who);
    // Reads what was written down (once, at the start).
    void restore(Ledger& ledger);
    // Writes down those that are less than half full, forgets those that are full again. True where
    // anything was written.
    bool write_down(Ledger& ledger, std::int64_t now);

private:
    struct Kept {
        Rate rate;
        BucketRecord bucket;
        bool is_written = false;
    };
    std::mutex mutex_;
    std::map<std::string, Kept> buckets_;
};

// What counts wrong join codes of one address: seconds until it may try again, 0: now. Only looks.
std::int64_t wrong_code_wait(Ledger& ledger, std::string_view address, std::int64_t now);
// `more`: those before it that were not written, for the count of all there ever were.
void count_wrong_code(Ledger& ledger, std::string_view address, std::int64_t now,
                      std::int64_t more = 0);
inline constexpr const char* kWrongCodesCount = "count/wrong-codes"; // all there ever were
// Rows that are full again say nothing any more.
bool forget_full_buckets(Ledger& ledger, std::int64_t now);

link::Problem too_often(std::int64_t seconds, const std::string& detail);

} // namespace stratum::founder
