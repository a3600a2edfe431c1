// One metric in Prometheus' text format, version 0.0.4: its head, then its lines. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace stratum::founder::api {

class Metric {
public:
    // `type` as the format names it: gauge, or counter for what only grows.
    Metric(std::string name, const std::string& help, const char* type = "gauge");
    // `labels` are those of `label`, joined by commas; empty: none.
    void add(const std::string& labels, std::int64_t value);
    void add(std::int64_t value) { add("", value); }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string name_;
    std::string text_;
};

// NAME="VALUE". Whatever is in the value (members send some) stays inside its quotes.
std::string label(const char* name, const std::string& value);

} // namespace stratum::founder::api
