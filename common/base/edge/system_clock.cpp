#include <chrono>

#include "common/base/clock.hpp"

namespace stratum {
namespace {

class SystemClock final : public Clock {
public:
    [[nodiscard]] std::int64_t unix_seconds() const override {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        return std::chrono::floor<std::chrono::seconds>(now).count();
    }

    [[nodiscard]] std::int64_t steady_ms() const override {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::floor<std::chrono::milliseconds>(now).count();
    }
};

} // namespace

Clock& system_clock() {
    static SystemClock clock;
    return clock;
}

} // namespace stratum
