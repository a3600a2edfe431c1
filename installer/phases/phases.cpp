#include "installer/phases/bodies.hpp"

namespace stratum::installer {

const std::vector<Phase>& phases_before_join() {
    static const std::vector<Phase> phases = {
        {"verify", "Checking what was delivered against this machine", run_verify},
        {"identity", "Taking on the node's name", run_identity},
        {"network", "Setting up the network", run_network},
        {"time", "Setting up the clock", run_time},
        {"storage", "Preparing the confirmed disks", run_storage},
    };
    return phases;
}

const std::vector<Phase>& phases_after_join() {
    static const std::vector<Phase> phases = {
        {"finish", "Becoming a member", run_finish},
    };
    return phases;
}

} // namespace stratum::installer
