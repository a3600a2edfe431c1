// Putting a network configuration in place, and taking it back. The old files are kept beside the
// joiner's state until the new ones have been seen to work, so that a power cut in between still
// knows the way back.
#pragma once

#include <string>
#include <vector>

#include "installer/phases/network_plan.hpp"
#include "installer/phases/phase.hpp"

namespace stratum::installer {

class NetworkApply {
public:
    explicit NetworkApply(PhaseContext& context) : context_(context) {}

    // Keeps the files that are there now, unless an earlier run that was cut off already did: what
    // it kept is the configuration that last worked.
    Status keep_old();
    // Writes the files, and removes ours that are not among them.
    Status write(const std::vector<NetworkFile>& files);
    // Has systemd-networkd take the files in; a bond or VLAN that is there and whose file changed
    // is rebuilt, since networkd leaves a device that exists as it is.
    Status reload(const NetworkPlan& plan, const std::vector<std::string>& rebuild);
    // Puts the kept files back and has networkd take them in.
    Status roll_back(const NetworkPlan& plan);
    // The new configuration works: the kept one is no longer needed.
    Status forget_old();

    // Bonds and VLANs whose .netdev on disk differs from what will be written.
    [[nodiscard]] std::vector<std::string>
    changed_netdevs(const std::vector<NetworkFile>& files) const;

private:
    [[nodiscard]] std::string folder() const;
    [[nodiscard]] std::string kept() const;
    [[nodiscard]] Result<std::vector<std::string>> our_files() const;

    PhaseContext& context_;
};

} // namespace stratum::installer
