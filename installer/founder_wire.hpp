// The joiner's line to its founder: several addresses, one key. Every call goes to the address that
// answered last; where it does not answer, or another key answers, the next is tried. Nothing of a
// request leaves before the pinned key has been seen.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/link/http_client.hpp"
#include "common/link/messages.hpp"
#include "common/link/problem.hpp"

namespace stratum::installer {

// Why a call gave no value.
struct Refusal {
    enum class Kind {
        kUnreachable, // no address answers
        kWrongKey,    // somebody answers, none of them with the founder's key; nothing was sent
        kProblem,     // the founder refused; `code` says why
        kNonsense,    // an answer that is none of the protocol
    };
    Kind kind = Kind::kUnreachable;
    int status = 0;
    std::string code;    // JOIN_CODE_INVALID, …; empty where the answer was no problem document
    std::string message; // for a person
    std::optional<std::int64_t> retry_after_s;
};
template<class T>
using Answer = tl::expected<T, Refusal>;

// "10.0.0.1:8444: connection refused", also where the message names the address by itself.
std::string at_address(const HostPort& address, const std::string& message);

using MakeClient =
    std::function<Result<std::unique_ptr<link::HttpClient>>(const link::ClientOptions&)>;

// One thread at a time, but stop().
class FounderWire {
public:
    // `identity` must outlive the wire. No founder or no key: every call is kUnreachable.
    FounderWire(MakeClient make, const link::KeyPair* identity) noexcept
        : make_(std::move(make)), identity_(identity) {}
    // Other addresses or another key: the connection is given up. The same: nothing happens.
    void set_founder(std::vector<HostPort> addresses, std::optional<link::Fingerprint> key);

    // The next call makes a new connection: the identity has changed.
    void forget();
    // From another thread: the call under way ends, and every later one is refused at once.
    void stop();
    // From another thread: the call under way ends as unreachable; later ones go ahead, over a new
    // connection.
    void interrupt();

    // 2xx and 304 are values.
    Answer<link::HttpAnswer> send(const link::HttpRequest& request);
    // The address in use (or to be tried next); empty where there is none.
    [[nodiscard]] std::string address() const;
    [[nodiscard]] std::string host() const;

private:
    void replace_client(std::unique_ptr<link::HttpClient> client);
    void begin_call();
    std::string why_ended();
    Result<link::HttpAnswer> send_to(std::size_t index, const link::HttpRequest& request);

    MakeClient make_;
    const link::KeyPair* identity_;
    std::vector<HostPort> addresses_;
    std::optional<link::Fingerprint> key_;
    std::size_t index_ = 0;
    std::mutex mutex_; // of client_ (for stop) and the two below that are told from outside
    std::unique_ptr<link::HttpClient> client_; // to addresses_[index_]
    bool stopped_ = false;
    bool interrupted_ = false; // the call under way was
};

// The calls of the protocol. `etag` is kept by the caller: sent as If-None-Match, replaced by the
// answer's; no view: it has not changed (304).
struct ViewAnswer {
    std::optional<link::JoinerView> view;
    std::string etag;
};

Answer<link::RegistrationAnswer> post_registration(FounderWire& wire,
                                                   const link::Registration& registration);
Answer<link::JoinerView> post_reveal(FounderWire& wire, const std::string& join_id,
                                     const link::Reveal& reveal);
Answer<void> put_inventory(FounderWire& wire, const std::string& join_id, const Node& inventory);
// wait_s 0: at once.
Answer<ViewAnswer> get_view(FounderWire& wire, const std::string& join_id, const std::string& etag,
                            int wait_s);
// `what`: "node.yaml" or "bundle".
Answer<std::string> get_delivery(FounderWire& wire, const std::string& join_id,
                                 std::string_view what);
// The founder's lastSeq.
Answer<std::int64_t> post_progress(FounderWire& wire, const std::string& join_id,
                                   const link::Progress& progress);

} // namespace stratum::installer
