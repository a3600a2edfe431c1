// What of a join must survive a restart: one small file, session.json, mode 0600, written whole
// before anything that depends on it is sent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/files.hpp"
#include "common/link/pairing.hpp"
#include "installer/find_code.hpp"
#include "installer/states.hpp"

namespace stratum::installer {

// What is kept of a join code: enough to prove it, not to read it. Gone once the reveal is through.
struct KeptCode {
    std::string id;       // 8 hex digits
    Sha256 key{};         // K; a secret
    bool is_long = false; // it came with the founder's key
    std::string origin;
    friend bool operator==(const KeptCode&, const KeptCode&) = default;
};

// The founder's half of a run of pairing, whole. Once here it is the only one that is accepted.
struct KeptPairing {
    link::Fingerprint founder_key;
    link::Nonce founder_nonce{};
    std::string join_id;
    Sha256 founder_proof{};
    friend bool operator==(const KeptPairing&, const KeptPairing&) = default;
};

struct JoinerRecord {
    JoinerState state = JoinerState::kNeedsCode;
    std::string message, error, next_step; // what the state was entered with, for the console
    std::string release;                   // that registered
    std::vector<HostPort> founders;
    std::optional<link::Fingerprint> founder_key; // from the first contact to the end
    std::optional<KeptCode> code;
    std::optional<link::Nonce> nonce; // ours
    std::optional<KeptPairing> pairing;
    int fresh_pairings = 0;              // since the last key press
    std::vector<std::string> used_codes; // ids that are not tried again without a key press
    bool new_key_wanted = false;         // the client key belongs to another machine
    std::string inventory_sha256;        // of what the founder has
    int attempt = 0;
    std::string node_yaml_sha256, bundle_sha256, node_id, name;
    std::string result; // "", joined, failed: reported until it is acknowledged
    friend bool operator==(const JoinerRecord&, const JoinerRecord&) = default;
};

Status write_record(Files& files, const std::string& path, const JoinerRecord& record);
// A missing file is a fresh record. kInvalid: damaged, or written by a version of the program whose
// record this one does not know; the caller starts clean and says so.
Result<JoinerRecord> read_record(const Files& files, const std::string& path);

// A fresh start with this code: everything of the join before is gone, but the codes already used.
JoinerRecord begin_with(const JoinerRecord& before, const GivenCode& code);
// The code of `record` may be tried without anybody pressing a key.
bool is_untried(const JoinerRecord& record, const link::JoinCode& code);
void mark_used(JoinerRecord& record);

} // namespace stratum::installer
