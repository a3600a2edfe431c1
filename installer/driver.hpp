// One attempt of an installation: the phases before the join, the bundle's steps, the phases after
// it, in this order. What the journal says is done is not run again. Ends at the first step that
// fails.
#pragma once

#include <functional>
#include <string>

#include "installer/join.hpp"
#include "installer/reporter.hpp"

namespace stratum::installer {

struct DriveInput {
    const JoinOptions& options;
    JoinSeams& seams;
    Journal& journal; // begun for this join, attempt and node.yaml
    Reporter& reporter;
    const config::NodeConfig& node;
    const std::string& node_yaml;
    const std::string& bundle_tar;
    std::function<Result<facts::Inventory>()> look;
    std::function<bool()> founder_reachable;
    std::function<void()> show;                  // steps have changed
    std::function<void(const std::string&)> say; // a line for the console's tail
    std::function<bool(std::int64_t)> sleep_ms;  // false: the program should end
};

struct DriveResult {
    enum class Kind {
        kDone,
        kFailed,  // `step` failed with `error`
        kStopped, // the program should end; the step under way is run again at its next start
        kRefused, // the founder takes no reports of this attempt any more
    };
    Kind kind = Kind::kDone;
    std::string step, title, error;
};

DriveResult drive(DriveInput& input);

} // namespace stratum::installer
