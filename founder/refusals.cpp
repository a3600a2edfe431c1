#include "founder/refusals.hpp"

namespace stratum::founder {
namespace {

// What strangers can make us remember; at the limit a new address gets no entries.
constexpr std::size_t kMostAddresses = 4'000;
constexpr std::size_t kAddressesTold = 8;

} // namespace

bool Refusals::has_room(const std::string& actor, const std::string& from, std::int64_t now) {
    if (actor.starts_with("tk-")) return take_one(kTokenEntries, actors_[actor].entries, now) == 0;
    const std::string id = bucket_id(kAddressEntries, from);
    if (addresses_.size() >= kMostAddresses && !addresses_.contains(id)) {
        std::erase_if(addresses_,
                      [&](const auto& one) { return is_full(kAddressEntries, one.second, now); });
        if (addresses_.size() >= kMostAddresses) return false;
    }
    return take_one(kAddressEntries, addresses_[id], now) == 0 &&
           take_one(kStrangerEntries, actors_[actor].entries, now) == 0;
}

bool Refusals::admit(const std::string& actor, const std::string& from, std::int64_t now) {
    const std::lock_guard lock(mutex_);
    if (has_room(actor, from, now)) return true;
    count(actor, from, now);
    return false;
}

void Refusals::leave_out(const std::string& actor, const std::string& from, std::int64_t now) {
    const std::lock_guard lock(mutex_);
    count(actor, from, now);
}

void Refusals::count(const std::string& actor, const std::string& from, std::int64_t now) {
    RefusalCount& left_out = actors_[actor].left_out;
    if (left_out.count == 0) left_out = {actor, now, 0, {}};
    ++left_out.count;
    if (left_out.addresses.size() < kAddressesTold || left_out.addresses.contains(from))
        ++left_out.addresses[from];
}

std::vector<RefusalCount> Refusals::due(std::int64_t now, bool all) {
    const std::lock_guard lock(mutex_);
    std::vector<RefusalCount> told;
    for (auto at = actors_.begin(); at != actors_.end();) {
        Kept& kept = at->second;
        // A clock that was put back tells at once.
        const bool is_over =
            now < kept.left_out.since || now - kept.left_out.since >= kTellCountsEverySeconds;
        if (kept.left_out.count > 0 && (all || is_over)) {
            told.push_back(std::move(kept.left_out));
            kept.left_out = {};
        }
        const Rate& rate = at->first.starts_with("tk-") ? kTokenEntries : kStrangerEntries;
        const bool says_nothing = kept.left_out.count == 0 && is_full(rate, kept.entries, now);
        at = says_nothing ? actors_.erase(at) : std::next(at);
    }
    return told;
}

} // namespace stratum::founder
