// A founder with state that stands behind fake HTTP clients: it does the real arithmetic of
// pairing, keeps joins by client key, and can be made to misbehave. Time is a clock moved by hand:
// a held view moves it by the seconds it was held.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/link/http_client.hpp"
#include "common/link/join_code.hpp"
#include "common/link/messages.hpp"
#include "common/link/pairing.hpp"
#include "common/link/problem.hpp"
#include "tests/fakes/fake_clock.hpp"

namespace stratum::fakes {

struct FakeJoin {
    std::string id;
    std::string state = "pending";
    link::Nonce founder_nonce{};
    Sha256 commitment{};
    Sha256 code_key{}; // K of the code it came with
    std::string joiner_key;
    std::int64_t made_at_ms = 0; // steady
    std::optional<link::Nonce> joiner_nonce;
    std::string pairing_code; // as the founder works it out
    Node inventory;
    std::int64_t revision = 1;
    int attempt = 1;
    std::string wait_reason, failed_step, failed_error, ended_reason, release;
    std::vector<link::Step> steps;
    std::vector<link::LogLine> log;
    std::string result;
    bool forgotten = false; // the key is free for a new join
};

struct FakeCode {
    std::string id;
    Sha256 key{};
    int uses_left = 1;
};

class FakeFounder {
public:
    explicit FakeFounder(FakeClock& its_clock);

    link::JoinCode make_code(int uses = 1);
    std::string uri(const link::JoinCode& code) const;
    // The join of the newest registration; the test fails where there is none.
    FakeJoin& join();
    void set_state(const std::string& state); // of join(); a new revision
    void approve();                           // approved, with a wait reason
    void deliver();                           // delivering; attempt and files as they are
    void retry();                             // approved again, one attempt more

    // What a client is told: a seam for run_join.
    Result<std::unique_ptr<link::HttpClient>> make_client(const link::ClientOptions& options);
    Result<link::Fingerprint> ask_key(const HostPort& server);

    FakeClock& clock;
    link::Fingerprint key; // may be changed in the middle of things
    HostPort address{"10.20.0.1", 8444};
    std::set<std::string> others; // HOST:PORT where somebody with another key answers
    bool is_down = false;
    std::map<std::string, FakeCode> codes; // by id
    std::vector<FakeJoin> joins;
    std::string release = "1.0.0";
    std::string node_yaml = "node\n", bundle;           // what it delivers
    std::function<std::string(const FakeJoin&)> render; // node.yaml, at each delivery
    std::string said_node_yaml_sha256;                  // empty: the true one

    // Misbehaviour, one use each unless said otherwise.
    int lose_answers = 0;                 // the request is served, its answer is lost
    bool change_nonce = false;            // every registration answers with another nonce (stays)
    bool change_id = false;               // likewise with another id (stays)
    bool forge_proof = false;             // stays
    bool leave_out_proof = false;         // stays
    std::deque<link::HttpAnswer> instead; // answers these first, without serving
    bool hold_views = false;   // a view is held until the client is stopped, in real time; stays
    std::string refuse_reveal; // a problem code; stays
    // Called before each request is served, with its method and path.
    std::function<void(const std::string& method, const std::string& path)> before;
    std::function<void(const std::string& method, const std::string& path)> after; // it was served

    // What came in.
    struct Seen {
        std::string method, path, body, client_key;
    };
    std::vector<Seen> seen;
    [[nodiscard]] int count(const std::string& method, const std::string& path_part) const;

private:
    friend class FakeClient;
    link::HttpAnswer serve(const link::HttpRequest& request, const link::Fingerprint& client);
    link::HttpAnswer register_key(const Node& body, const link::Fingerprint& client);
    link::HttpAnswer new_join(const link::Registration& message, const FakeCode& code,
                              const link::Fingerprint& client);
    link::HttpAnswer registration_answer(const FakeJoin& join, int status);
    link::HttpAnswer reveal(FakeJoin& join, const Node& body, const link::Fingerprint& client);
    link::HttpAnswer view(FakeJoin& join, const link::HttpRequest& request);
    link::HttpAnswer progress(FakeJoin& join, const Node& body);
    Node view_node(const FakeJoin& join) const;
    void end_overdue(FakeJoin& join);
};

link::HttpAnswer problem_answer(link::ProblemCode code, const std::string& detail,
                                std::vector<std::pair<std::string, std::string>> headers = {});

} // namespace stratum::fakes
