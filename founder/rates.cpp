#include "founder/rates.hpp"

#include <algorithm>
#include <array>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::founder {
namespace {

constexpr std::int64_t kMilli = 1'000;
constexpr std::array kRates = {kAddressRate,    kCodeRate,       kWrongCodeRate,
                               kWrongTokenRate, kMoreWrongCodes, kCountWrites};
// What strangers can make us remember; at the limit nothing new is counted until some are full.
constexpr std::size_t kMostBuckets = 20'000;

const Rate* rate_of(std::string_view id) {
    const std::string_view name = id.substr(0, id.find('/'));
    const auto at = std::find_if(kRates.begin(), kRates.end(),
                                 [&](const Rate& one) { return one.name == name; });
    return at == kRates.end() ? nullptr : &*at;
}

} // namespace

BucketRecord refilled(const Rate& rate, const BucketRecord& bucket, std::int64_t now) {
    const std::int64_t full = rate.burst * kMilli;
    if (bucket.at == 0) return {full, now};
    // A day fills every bucket; more must not overflow.
    const std::int64_t passed = std::clamp<std::int64_t>(now - bucket.at, 0, 86'400);
    const std::int64_t left = std::clamp<std::int64_t>(bucket.left_milli, 0, full);
    return {std::min(full, left + passed * rate.milli_per_second), now};
}

bool is_full(const Rate& rate, const BucketRecord& bucket, std::int64_t now) {
    return refilled(rate, bucket, now).left_milli >= rate.burst * kMilli;
}

std::int64_t wait_seconds(const Rate& rate, const BucketRecord& bucket, std::int64_t now) {
    const std::int64_t missing = kMilli - refilled(rate, bucket, now).left_milli;
    if (missing <= 0) return 0;
    return std::max<std::int64_t>(1, (missing + rate.milli_per_second - 1) / rate.milli_per_second);
}

std::int64_t take_one(const Rate& rate, BucketRecord& bucket, std::int64_t now) {
    const std::int64_t wait = wait_seconds(rate, bucket, now);
    bucket = refilled(rate, bucket, now);
    if (wait == 0) bucket.left_milli -= kMilli;
    return wait;
}

std::string bucket_id(const Rate& rate, std::string_view who) {
    std::string name(who);
    if (const auto address = IpAddress::parse(who); address && !address->is_v4())
        name = Cidr::parse(address->str() + "/64")->network().str() + "/64";
    for (char& c : name)
        if (c <= 0x20 || c >= 0x7f) c = '_';
    return std::string(rate.name) + "/" + name.substr(0, 100);
}

std::int64_t Rates::take(const Rate& rate, std::string_view who, std::int64_t now) {
    const std::string id = bucket_id(rate, who);
    const std::lock_guard lock(mutex_);
    if (buckets_.size() >= kMostBuckets && !buckets_.contains(id)) {
        std::erase_if(buckets_, [&](const auto& one) {
            return is_full(one.second.rate, one.second.bucket, now) && !one.second.is_written;
        });
        if (buckets_.size() >= kMostBuckets) return 0;
    }
    Kept& kept = buckets_.try_emplace(id, Kept{rate, {}, false}).first->second;
    return take_one(rate, kept.bucket, now);
}

std::int64_t Rates::wait(const Rate& rate, std::string_view who, std::int64_t now) {
    const std::lock_guard lock(mutex_);
    const auto found = buckets_.find(bucket_id(rate, who));
    return found == buckets_.end() ? 0 : wait_seconds(rate, found->second.bucket, now);
}

void Rates::write_one(Ledger& ledger, const Rate& rate, std::string_view who) {
    const std::lock_guard lock(mutex_);
    const auto found = buckets_.find(bucket_id(rate, who));
    if (found == buckets_.end()) return;
    ledger.put(found->first, found->second.bucket);
    found->second.is_written = true;
}

void Rates::restore(Ledger& ledger) {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : ledger.entries(Kind::kBucket)) {
        const Rate* rate = rate_of(entry.id);
        BucketRecord bucket;
        if (rate == nullptr || rate->name == kWrongCodeRate.name || !decode(entry.value, bucket))
            continue;
        buckets_[entry.id] = {*rate, bucket, true};
    }
}

bool Rates::write_down(Ledger& ledger, std::int64_t now) {
    const std::lock_guard lock(mutex_);
    bool wrote = false;
    for (auto at = buckets_.begin(); at != buckets_.end();) {
        Kept& kept = at->second;
        const BucketRecord left = refilled(kept.rate, kept.bucket, now);
        const std::int64_t full = kept.rate.burst * kMilli;
        if (left.left_milli < full / 2) {
            ledger.put(at->first, left);
            wrote = kept.is_written = true;
        } else if (left.left_milli >= full) {
            if (kept.is_written) ledger.erase(Kind::kBucket, at->first);
            wrote = wrote || kept.is_written;
            at = buckets_.erase(at);
            continue;
        }
        ++at;
    }
    return wrote;
}

std::int64_t wrong_code_wait(Ledger& ledger, std::string_view address, std::int64_t now) {
    const auto bucket = ledger.get<BucketRecord>(bucket_id(kWrongCodeRate, address));
    return wait_seconds(kWrongCodeRate, bucket.value_or(BucketRecord{}), now);
}

void count_wrong_code(Ledger& ledger, std::string_view address, std::int64_t now,
                      std::int64_t more) {
    const std::string id = bucket_id(kWrongCodeRate, address);
    BucketRecord bucket = ledger.get<BucketRecord>(id).value_or(BucketRecord{});
    (void)take_one(kWrongCodeRate, bucket, now);
    ledger.put(id, bucket);
    const auto count = parse_decimal(ledger.text(Kind::kBucket, kWrongCodesCount).value_or("0"));
    ledger.put_text(Kind::kBucket, kWrongCodesCount,
                    std::to_string(static_cast<std::int64_t>(count.value_or(0)) + 1 + more));
}

bool forget_full_buckets(Ledger& ledger, std::int64_t now) {
    bool forgot = false;
    ListOptions options;
    options.prefix = std::string(kWrongCodeRate.name) + "/";
    for (const Entry& entry : ledger.entries(Kind::kBucket, options)) {
        BucketRecord bucket;
        if (decode(entry.value, bucket) && !is_full(kWrongCodeRate, bucket, now)) continue;
        ledger.erase(Kind::kBucket, entry.id);
        forgot = true;
    }
    return forgot;
}

link::Problem too_often(std::int64_t seconds, const std::string& detail) {
    link::Problem made;
    made.code = link::ProblemCode::kTooManyRequests;
    made.detail = detail + "; come again in " + std::to_string(seconds) +
                  (seconds == 1 ? " second" : " seconds");
    made.headers.emplace_back("Retry-After", std::to_string(seconds));
    return made;
}

} // namespace stratum::founder
