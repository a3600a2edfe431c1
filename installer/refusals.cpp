#include "installer/refusals.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kGetCode =
    "Make a join code on the founder (stratumctl admin join-codes create) and type it here.";

constexpr RefusalRow kRows[] = {
    {"JOIN_CODE_INVALID", Remedy::kAskCode,
     "The founder does not take this join code: unknown, expired, used up or mistyped.", kGetCode},
    {"RELEASE_MISMATCH", Remedy::kRetry, "This machine's release does not fit the cluster's.",
     "Boot this machine with the cluster's release, or upgrade the cluster."},
    {"TOO_MANY_REQUESTS", Remedy::kRetry, "The founder takes no new registrations for now.",
     "Wait; an admin can see why, and lift the pause, on the founder."},
    {"PAIRING_FAILED", Remedy::kPairing, "This run of pairing is over.", kGetCode},
    {"JOIN_KEY_MISMATCH", Remedy::kStop, "The founder knows this join by another key than ours.",
     "Press Enter to start again as a new join; it needs a join code."},
    {"JOIN_KEY_IN_USE", Remedy::kNewKey,
     "This machine's key belongs to another machine: its disk was probably cloned.",
     "Press Enter to make a new key on this machine and to start again with a join code."},
    {"JOIN_STATE_CONFLICT", Remedy::kStop,
     "The founder has another join of this machine that is already approved.",
     "Reject that join on the founder, then press Enter to start again."},
    {"NOT_FOUND", Remedy::kEnded, "The founder does not know this join (any more).",
     "Press Enter to start again; it needs a join code."},
    {"UNAUTHENTICATED", Remedy::kRetry, "The founder did not see this machine's certificate.",
     "Look at what stands between this machine and the founder: TLS must go through untouched."},
    {"FORBIDDEN", Remedy::kRetry, "The founder does not allow it.", "Look at the founder's log."},
    {"INVALID_INPUT", Remedy::kRetry, "The founder cannot read what this machine sends.",
     "Compare the releases of both; the founder's log has the details."},
    {"PAYLOAD_TOO_LARGE", Remedy::kRetry, "The founder does not take a message of this size.",
     "Compare the releases of both; the founder's log has the details."},
    {"RELEASE_BUSY", Remedy::kRetry, "The founder is busy with other downloads.", ""},
    {"INTERNAL", Remedy::kRetry, "The founder failed.", "Look at the founder's log."},
};

constexpr RefusalRow kUnreachable{"", Remedy::kRetry, "The founder is not reached.",
                                  "Check the cable, the founder's address, and that it runs."};
constexpr RefusalRow kWrongKey{
    "", Remedy::kRetry,
    "Somebody else answers at the founder's address, with another key. Nothing was sent there.",
    "Check the address. If the founder has a new key, type a new join code here."};
constexpr RefusalRow kOther{"", Remedy::kRetry, "The founder's answer is not understood.",
                            "Compare the releases of both; the founder's log has the details."};

} // namespace

std::span<const RefusalRow> refusal_rows() {
    return kRows;
}

const RefusalRow& row_of(const Refusal& refusal) {
    if (refusal.kind == Refusal::Kind::kUnreachable) return kUnreachable;
    if (refusal.kind == Refusal::Kind::kWrongKey) return kWrongKey;
    for (const RefusalRow& row : kRows) {
        if (refusal.kind == Refusal::Kind::kProblem && row.code == refusal.code) return row;
    }
    return kOther;
}

} // namespace stratum::installer
