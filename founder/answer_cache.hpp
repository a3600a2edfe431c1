// What is asked for again and again while nothing changes (a console that polls a list, the token
// it polls with), kept as it was. It holds as long as the store's version is the one it was kept
// under; the version is asked of the store, so that another founder's change counts too.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace stratum::founder {

// Safe from any thread. Keeps the values of one version: with the first of another all go.
template<class Value>
class VersionCache {
public:
    explicit VersionCache(std::size_t most) : most_(most) {}

    [[nodiscard]] std::optional<Value> find(std::uint64_t version, const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = version == version_ ? values_.find(key) : values_.end();
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }

    // `version` is the store's from before the value was read.
    void keep(std::uint64_t version, const std::string& key, const Value& value) {
        const std::lock_guard lock(mutex_);
        if (version != version_ || values_.size() >= most_) values_.clear();
        version_ = version;
        values_.insert_or_assign(key, value);
    }

private:
    std::mutex mutex_;
    std::size_t most_;
    std::uint64_t version_ = 0;
    std::map<std::string, Value> values_;
};

// Answers as the text they were; few, and none that is huge.
class AnswerCache : public VersionCache<std::string> {
public:
    AnswerCache() : VersionCache(kMostTexts) {}

    void keep(std::uint64_t version, const std::string& key, const std::string& text) {
        if (text.size() <= kMostBytes) VersionCache::keep(version, key, text);
    }

private:
    static constexpr std::size_t kMostTexts = 8;
    static constexpr std::size_t kMostBytes = 256u << 10;
};

} // namespace stratum::founder
