#include "common/base/findings.hpp"

#include <algorithm>

namespace stratum {

void Findings::keep(Finding finding) {
    if (all_.size() > kMaxFindings) return;
    if (all_.size() == kMaxFindings) {
        finding = {
            {}, "there are more problems; these are the first " + std::to_string(kMaxFindings), {}};
    }
    all_.push_back(std::move(finding));
}

void Findings::add(const FieldPath& field, std::string message, std::optional<Position> at) {
    keep({field.str(), std::move(message), at});
}

void Findings::append(const Findings& others) {
    // By index and by count: `others` may be this list itself.
    const std::size_t count = others.all_.size();
    for (std::size_t i = 0; i < count; ++i) keep(Finding(others.all_[i]));
}

bool Findings::has_at(const FieldPath& field) const {
    const std::string& wanted = field.str();
    return std::any_of(all_.begin(), all_.end(), [&](const Finding& finding) {
        if (wanted.empty()) return true;
        if (finding.field.compare(0, wanted.size(), wanted) != 0) return false;
        if (finding.field.size() == wanted.size()) return true;
        const char next = finding.field[wanted.size()];
        return next == '.' || next == '[';
    });
}

std::vector<std::string> Findings::lines() const {
    std::vector<std::string> lines;
    lines.reserve(all_.size());
    for (const Finding& finding : all_) {
        lines.push_back(finding.field.empty() ? finding.message
                                              : finding.field + ": " + finding.message);
    }
    return lines;
}

} // namespace stratum
