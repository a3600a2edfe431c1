// Which look at this machine's substrate the founder has not heard of: each goes out with one
// heartbeat, again until one that had it was answered. So what a founder holds for fresh was looked
// at lately, and a machine that does not look any more becomes stale.
#pragma once

#include <optional>
#include <string>

#include "common/base/document.hpp"
#include "common/compat/keeper.hpp"

namespace stratum::member {

class Sampler {
public:
    // Takes the last look; what `due` gives is it, or nothing. A line for the log where it is too
    // large to be sent, once; else empty.
    std::string look(std::optional<compat::Held> seen);
    [[nodiscard]] const std::optional<Node>& due() const { return due_; }
    // A heartbeat with it was answered, with why it is not taken (empty: it is). It does not go out
    // again either way: the next look does. A line for the log where that is new, else empty.
    std::string answered(const std::string& refusal);

private:
    std::optional<compat::Held> seen_; // the last one that was looked at here
    std::optional<Node> due_;
    std::string said_; // of the last one
};

} // namespace stratum::member
