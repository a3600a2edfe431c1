// A founder with a real store, a clock moved by hand, and machines that speak the join protocol to
// it without a wire. Steps that a test only needs on its way fail the test when they are refused.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/facts/inventory.hpp"
#include "common/link/join_code.hpp"
#include "common/link/pairing.hpp"
#include "founder/founder.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_files.hpp"
#include "tests/fakes/temp_folder.hpp"

namespace stratum::founder {

inline constexpr const char* kRelease = "0.6.0";

link::Fingerprint fingerprint_of(std::uint8_t byte); // 32 times that byte

// A machine in the rack, number 1 to 9: its hardware and its half of the pairing.
struct Machine {
    explicit Machine(int number);

    int number;
    link::Fingerprint key;
    link::Nonce nonce{};
    std::string release = kRelease;
    bool self_upgrade = false;
    std::string address; // 10.20.0.(10 + number)
    facts::Inventory inventory;

    [[nodiscard]] Sha256 commitment() const { return link::commitment(nonce, key); }
    [[nodiscard]] std::string wwn() const { return inventory.disks.at(0).wwn; }
};

// A body of an approval: this name, storage on eth1, overlay on eth2, the one disk as compute.
Node approval_body(const Machine& machine, const std::string& name);
// The same with another member of the assignment set.
Node with(Node body, const std::string& name, Node value);
std::string founder_yaml(); // a whole founder's node.yaml

// What a refused answer says: its code's name, or "ok".
template<class T>
std::string code_of(const Answer<T>& answer) {
    return answer ? "ok" : std::string(link::info_of(answer.error().code).name);
}

class World {
public:
    explicit World(const std::string& upgrades_from = {});

    // The founder starts anew on the same store, as after a crash.
    void restart();
    // Another founder on the same store.
    std::unique_ptr<Founder> another_founder();

    link::JoinCode code(std::int64_t max_uses = 1, std::int64_t expires_in_seconds = 3600);
    [[nodiscard]] Node registration(const Machine& machine,
                                    const std::optional<link::JoinCode>& code) const;
    Answer<link::RegistrationAnswer> register_with(const Machine& machine,
                                                   const std::optional<link::JoinCode>& code);
    Answer<link::RegistrationAnswer> register_raw(const Machine& machine, const Node& body);
    bool made = false; // did the last registration make a join (201)

    Answer<link::JoinerView> reveal(const Machine& machine, const std::string& id);
    Answer<link::JoinerView> view(const Machine& machine, const std::string& id);
    Answer<std::int64_t> report(const Machine& machine, const std::string& id,
                                const link::Progress& progress);
    Answer<link::HeartbeatAnswer> beat(const Machine& machine, std::int64_t generation,
                                       bool healthy = true);

    // On the way: each goes as far as its name says and gives the join's id.
    std::string registered(const Machine& machine);
    std::string pending(const Machine& machine);
    std::string approved(const Machine& machine, const std::string& name);
    std::string delivering(const Machine& machine, const std::string& name);
    std::string installing(const Machine& machine, const std::string& name);
    std::string joined(const Machine& machine, const std::string& name); // and heard from
    std::string failed(const Machine& machine, const std::string& name);

    Answer<Approval> approve(const std::string& id, const Node& body);
    Answer<JoinDetail> reject(const std::string& id, bool force = false);
    JoinRecord record(const std::string& id);
    std::string state(const std::string& id);
    void tick(std::int64_t seconds = 0); // time passes, then the founder looks what is due
    std::string audit_actions();         // newest first, "action/result" separated by spaces
    std::int64_t generation();

    fakes::FakeClock clock;
    fakes::FakeFiles files;
    fakes::TempFolder folder;
    std::unique_ptr<Store> store;
    std::unique_ptr<Founder> founder;
    compat::Held own; // what the founder's own machine is seen as
    int looks = 0;    // how often it was looked at anew
    FounderOptions options;
    Caller admin{"tk-test", "192.0.2.1", "0123456789abcdef"};
    std::string token; // the bootstrap-admin's
};

} // namespace stratum::founder
