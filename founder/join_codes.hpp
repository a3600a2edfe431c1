// Join codes and what protects them: who may use one, what a failed reveal costs, when registration
// pauses. The founder keeps K, never the code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/link/pairing.hpp"
#include "founder/context.hpp"
#include "founder/lifecycle.hpp"

namespace stratum::founder {

inline constexpr std::int64_t kRevealSeconds = 60;
inline constexpr std::int64_t kExpiresAfterCodeSeconds = 24 * 3600;
inline constexpr std::int64_t kFailedRevealsLockCode = 3;
inline constexpr std::size_t kFailedRevealsPause = 20; // founder-wide, in kPauseWindowSeconds
inline constexpr std::int64_t kPauseWindowSeconds = 3600;

// Pure: when registration of new keys goes on; 0 where it is not paused.
std::int64_t paused_until(const GuardRecord& guard, std::int64_t now);
// Pure: may a machine register with it now.
bool is_open(const JoinCodeRecord& code, std::int64_t now);

// What came with a registration, to be proved.
struct CodeClaim {
    std::string code_id;
    Sha256 proof{};
    link::Fingerprint joiner;
    Sha256 commitment{};
};
// The code that the proof holds for, open or not; nothing for an unknown code or a proof that does
// not hold. The same work is done in every case.
std::optional<JoinCodeRecord> prove_code(Ledger& ledger, const link::Fingerprint& founder,
                                         const CodeClaim& claim);

// A reveal of a join of this code failed or never came: counted, and the third locks the code.
void count_failed_reveal(Ledger& ledger, const std::string& code_id, const Occasion& occasion);

GuardRecord guard_record(Ledger& ledger);

Answer<MadeJoinCode> create_join_code(Context& context, const JoinCodeRequest& request,
                                      const Caller& caller);
Answer<std::vector<JoinCodeRecord>> list_join_codes(Context& context);
Answer<void> revoke_join_code(Context& context, const std::string& id, const Caller& caller);
Answer<void> lift_pause(Context& context, const Caller& caller);

// Where a joiner is told to go: what the options or init say, port 0 filled in.
std::vector<HostPort> advertised(const Context& context, const ClusterRecord& cluster);

} // namespace stratum::founder
