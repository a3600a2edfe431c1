// What is told to the line from outside while it is used.
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "installer/founder_wire.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;

namespace {

// Answers until it is stopped, as a real one does.
class StoppableClient final : public link::HttpClient {
public:
    explicit StoppableClient(std::function<void()> during) : during_(std::move(during)) {}
    Result<link::HttpAnswer> send(const link::HttpRequest& /*request*/) override {
        if (during_) during_();
        if (is_stopped_) return fail(ErrorCode::kUnavailable, "stopped");
        return link::HttpAnswer{200, {}, "{}"};
    }
    Result<link::HttpAnswer> stream(const link::HttpRequest& request,
                                    const std::function<bool(std::string_view)>&) override {
        return send(request);
    }
    void stop() override { is_stopped_ = true; }

private:
    std::function<void()> during_;
    std::atomic<bool> is_stopped_ = false;
};

} // namespace

TEST_GROUP(FounderWire) {
    int made = 0;
    std::function<void()> during; // each call
    FounderWire wire{
        [this](const link::ClientOptions&) -> Result<std::unique_ptr<link::HttpClient>> {
            ++made;
            return std::make_unique<StoppableClient>(during);
        },
        nullptr};
    void setup() override {
        wire.set_founder({HostPort{"10.0.0.1", 8444}, HostPort{"10.0.0.2", 8444}},
                         link::Fingerprint(sha256(bytes_of("key"))));
    }
    bool is_answered() {
        return wire.send({}).has_value();
    }
};

TEST(FounderWire, an_interruption_ends_its_call_without_trying_another_address) {
    during = [this] { wire.interrupt(); };
    const auto answer = wire.send({});
    CHECK(!answer.has_value());
    LONGS_EQUAL(1, made);
    CHECK(answer.error().kind == Refusal::Kind::kUnreachable);
    CHECK(answer.error().message.find("cut short") != std::string::npos);
    STRCMP_EQUAL("10.0.0.1:8444", wire.address().c_str());
}

TEST(FounderWire, the_call_after_an_interruption_goes_ahead) {
    bool is_first = true;
    during = [&] {
        if (std::exchange(is_first, false)) wire.interrupt();
    };
    CHECK(!is_answered());
    CHECK(is_answered());
    LONGS_EQUAL(2, made);
}

TEST(FounderWire, an_interruption_between_two_calls_costs_the_connection_and_no_call) {
    CHECK(is_answered());
    wire.interrupt();
    CHECK(is_answered());
    LONGS_EQUAL(2, made);
    CHECK(is_answered());
    LONGS_EQUAL(2, made);
}

TEST(FounderWire, after_a_stop_no_call_goes_ahead) {
    CHECK(is_answered());
    wire.stop();
    CHECK(!is_answered());
    wire.interrupt();
    CHECK(!is_answered());
}
