#include <algorithm>
#include <array>

#include "common/base/text.hpp"

namespace stratum {
namespace {

constexpr std::size_t kMaxWordBytes = 64;
constexpr int kFar = 3;

// Insertions, removals, changes and swaps of neighbours that turn one into the other.
int edits_between(std::string_view a, std::string_view b) {
    std::array<std::array<int, kMaxWordBytes + 1>, kMaxWordBytes + 1> cost{};
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = static_cast<int>(i);
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int change = a[i - 1] == b[j - 1] ? 0 : 1;
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

int distance(std::string_view word, std::string_view candidate) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer > kMaxWordBytes || longer - shorter >= kFar) return kFar;
    if (lower(word) == lower(candidate)) return word == candidate ? 0 : 1;
    const int edits = edits_between(word, candidate);
    // Of a short word two edits leave nothing in common: "az" is not near "id".
    return shorter <= 3 && edits > 1 ? kFar : edits;
}

} // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
    const std::string* best = nullptr;
    int best_distance = kFar;
    for (const std::string& candidate : candidates) {
        const int edits = distance(word, candidate);
        if (edits >= best_distance) continue;
        best = &candidate;
        best_distance = edits;
    }
    return best == nullptr ? std::nullopt : std::optional<std::string>(*best);
}

} // namespace stratum
