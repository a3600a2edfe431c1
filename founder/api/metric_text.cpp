#include "founder/api/metric_text.hpp"

#include <utility>

namespace stratum::founder::api {

Metric::Metric(std::string name, const std::string& help, const char* type)
    : name_(std::move(name)),
      text_("# HELP " + name_ + " " + help + "\n# TYPE " + name_ + " " + type + "\n") {}

void Metric::add(const std::string& labels, std::int64_t value) {
    text_ +=
        name_ + (labels.empty() ? "" : "{" + labels + "}") + " " + std::to_string(value) + "\n";
}

std::string label(const char* name, const std::string& value) {
    std::string text = std::string(name) + "=\"";
    for (const char c : value) {
        if (c == '\\' || c == '"') text += '\\';
        text += c == '\n' ? "\\n" : std::string(1, c);
    }
    return text + '"';
}

} // namespace stratum::founder::api
