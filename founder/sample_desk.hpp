// What is remembered of members' reports beside the store: the reports as they were read (the store
// has their text, and hundreds of them are asked for at once), and what was said of those that were
// not taken. Safe from any thread; bounded by the members there are.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "common/compat/report.hpp"

namespace stratum::founder {

class SampleDesk {
public:
    using Report = std::shared_ptr<const compat::Report>;

    // The report that this text was read as, where it was read already; else null.
    [[nodiscard]] Report find(const std::string& node_id, const std::string& text) {
        const std::lock_guard lock(mutex_);
        const auto found = reports_.find(node_id);
        if (found == reports_.end() || found->second.first != text) return nullptr;
        return found->second.second;
    }
    void keep(const std::string& node_id, const std::string& text, const Report& report) {
        const std::lock_guard lock(mutex_);
        if (reports_.size() >= kMostNodes) reports_.clear();
        reports_.insert_or_assign(node_id, std::pair(text, report));
    }

    // True where another thing was said of this node's reports before; empty: that one was taken.
    bool is_new(const std::string& node_id, const std::string& refusal) {
        const std::lock_guard lock(mutex_);
        if (refusals_.size() >= kMostNodes) refusals_.clear();
        return std::exchange(refusals_[node_id], refusal) != refusal;
    }

private:
    static constexpr std::size_t kMostNodes = 2'000;

    std::mutex mutex_;
    std::map<std::string, std::pair<std::string, Report>> reports_; // text and what it is
    std::map<std::string, std::string> refusals_;
};

} // namespace stratum::founder
