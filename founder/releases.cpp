// Which release may register: the cluster's; an older one that can upgrade itself; no other.

#include "common/base/version.hpp"
#include "founder/pairing_desk.hpp"

namespace stratum::founder {

ReleaseVerdict judge_release(const FounderOptions& options, const std::string& release,
                             bool self_upgrade) {
    const auto theirs = Version::parse(release);
    const auto ours = Version::parse(options.release);
    if (!theirs || !ours) return ReleaseVerdict::kRefused;
    if (*theirs == *ours) return ReleaseVerdict::kSame;
    // No downgrades: a newer joiner waits for a newer cluster.
    if (*theirs > *ours || !self_upgrade || options.upgrades_from.empty())
        return ReleaseVerdict::kRefused;
    const auto from = VersionRange::parse(options.upgrades_from);
    if (!from || !from->contains(*theirs)) return ReleaseVerdict::kRefused;
    return ReleaseVerdict::kMayUpgrade;
}

} // namespace stratum::founder
