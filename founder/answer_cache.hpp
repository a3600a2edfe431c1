// Answers that are asked for again and again while nothing changes (a console that polls a list),
// kept as the text they were. A text holds as long as the store's version is the one it was kept
// under; the version is asked of the store, so that another founder's change counts too.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace stratum::founder {

// Safe from any thread. Keeps the texts of one version: with the first of another all go.
class AnswerCache {
public:
    [[nodiscard]] std::optional<std::string> find(std::uint64_t version, const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = version == version_ ? texts_.find(key) : texts_.end();
        return found == texts_.end() ? std::nullopt : std::optional(found->second);
    }

    // `version` is the store's from before the answer was made.
    void keep(std::uint64_t version, const std::string& key, const std::string& text) {
        const std::lock_guard lock(mutex_);
        if (version != version_ || texts_.size() >= kMostTexts) texts_.clear();
        version_ = version;
        if (text.size() <= kMostBytes) texts_.insert_or_assign(key, text);
    }

private:
    static constexpr std::size_t kMostTexts = 8;
    static constexpr std::size_t kMostBytes = 256u << 10;

    std::mutex mutex_;
    std::uint64_t version_ = 0;
    std::map<std::string, std::string> texts_;
};

} // namespace stratum::founder
