#include "member/sampler.hpp"

#include <utility>

#include "common/link/messages.hpp"

namespace stratum::member {

std::string Sampler::look(std::optional<compat::Held> seen) {
    if (!seen) return {};
    // The clock may be set between two looks; two within one second may differ.
    const bool is_known =
        seen_ && seen->probed_at == seen_->probed_at && seen->report == seen_->report;
    if (is_known) return {};
    Node node = compat::to_node(seen->report);
    seen_ = std::move(seen);
    const std::size_t size = write_json(node).size();
    if (size <= link::kMostSampleBytes) {
        due_ = std::move(node);
        return {};
    }
    due_.reset();
    const std::string line = "this machine's report of its substrate has " + std::to_string(size) +
                             " bytes, at most " + std::to_string(link::kMostSampleBytes) +
                             " are sent: leave components out of its pins";
    return std::exchange(said_, line) == line ? "" : line;
}

std::string Sampler::answered(const std::string& refusal) {
    if (!due_) return {};
    due_.reset();
    const std::string line =
        refusal.empty()
            ? ""
            : "the founder does not take this machine's report of its substrate: " + refusal;
    return std::exchange(said_, line) == line ? "" : line;
}

} // namespace stratum::member
