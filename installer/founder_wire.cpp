#include "installer/founder_wire.hpp"

#include <utility>

#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::int64_t kMostRetryAfterSeconds = 3600;

Refusal refusal_of(const link::HttpAnswer& answer) {
    const link::ReceivedProblem problem = link::read_problem(answer.status, answer.body);
    Refusal refusal;
    refusal.kind = problem.code.empty() ? Refusal::Kind::kNonsense : Refusal::Kind::kProblem;
    refusal.status = answer.status;
    refusal.code = problem.code;
    refusal.message = problem.detail.empty() ? problem.title : problem.detail;
    // Everything wrong with what we sent is said, not only that something is.
    for (const Finding& error : problem.errors) {
        refusal.message += "; " + error.field + ": " + error.message;
        if (refusal.message.size() > 1000) break;
    }
    refusal.message = to_valid_utf8(refusal.message.substr(0, 1200));
    if (const auto after = answer.header("Retry-After")) {
        if (const auto seconds = parse_decimal(trim(*after))) {
            refusal.retry_after_s =
                std::min<std::uint64_t>(*seconds, std::uint64_t{kMostRetryAfterSeconds});
        }
    }
    return refusal;
}

} // namespace

std::string at_address(const HostPort& address, const std::string& message) {
    const std::string where = address.str();
    return message.starts_with(where) ? message : where + ": " + message;
}

void FounderWire::set_founder(std::vector<HostPort> addresses,
                              std::optional<link::Fingerprint> key) {
    if (addresses == addresses_ && key == key_) return;
    addresses_ = std::move(addresses);
    key_ = key;
    index_ = 0;
    replace_client(nullptr);
}

void FounderWire::replace_client(std::unique_ptr<link::HttpClient> client) {
    const std::lock_guard lock(mutex_);
    client_ = std::move(client);
    // A stop that came before this client was there counts for it, too.
    if (stopped_ && client_) client_->stop();
}

void FounderWire::forget() {
    replace_client(nullptr);
}

void FounderWire::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (client_) client_->stop();
}

void FounderWire::interrupt() {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    if (client_) client_->stop();
}

// An interruption that came after its call ended leaves a stopped client behind.
void FounderWire::begin_call() {
    const std::lock_guard lock(mutex_);
    if (std::exchange(interrupted_, false)) client_.reset();
}

// Why no other address needs to be tried; empty: one may be.
std::string FounderWire::why_ended() {
    const std::lock_guard lock(mutex_);
    if (stopped_) return "the program is ending";
    return interrupted_ ? "the call was cut short by this machine itself" : "";
}

std::string FounderWire::address() const {
    return addresses_.empty() ? std::string() : addresses_[index_].str();
}

std::string FounderWire::host() const {
    return addresses_.empty() ? std::string() : addresses_[index_].host;
}

Result<link::HttpAnswer> FounderWire::send_to(std::size_t index, const link::HttpRequest& request) {
    if (index != index_) replace_client(nullptr);
    index_ = index;
    if (!client_) {
        link::ClientOptions options;
        options.server = addresses_[index];
        options.pins = {*key_};
        options.identity = identity_;
        auto made = make_(options);
        if (!made) return tl::make_unexpected(made.error());
        replace_client(std::move(*made));
    }
    auto answer = client_->send(request);
    // A connection that failed is never used again: what is left in it belongs to no request.
    if (!answer) replace_client(nullptr);
    return answer;
}

Answer<link::HttpAnswer> FounderWire::send(const link::HttpRequest& request) {
    Refusal refusal;
    refusal.message = "no founder's address and key are known";
    if (addresses_.empty() || !key_) return tl::make_unexpected(refusal);
    refusal.message.clear();
    begin_call();
    const std::size_t first = index_;
    for (std::size_t tried = 0; tried < addresses_.size(); ++tried) {
        const std::size_t index = (first + tried) % addresses_.size();
        auto answer = send_to(index, request);
        if (answer) {
            if ((answer->status >= 200 && answer->status < 300) || answer->status == 304) {
                return std::move(*answer);
            }
            return tl::make_unexpected(refusal_of(*answer));
        }
        if (auto why = why_ended(); !why.empty()) {
            refusal.message = std::move(why);
            return tl::make_unexpected(refusal);
        }
        // The worst news stays: somebody else at one address matters more than silence at another.
        if (answer.error().code == ErrorCode::kDenied) refusal.kind = Refusal::Kind::kWrongKey;
        if (!refusal.message.empty()) refusal.message += "; ";
        refusal.message += at_address(addresses_[index], answer.error().message);
    }
    index_ = (first + 1) % addresses_.size();
    replace_client(nullptr);
    return tl::make_unexpected(refusal);
}

} // namespace stratum::installer
