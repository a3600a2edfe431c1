// Putting a network configuration in place, and taking it back. The old files are kept beside the
// joiner's state until the new ones have been seen to work, so that a power cut in between still
// knows the way back.
#pragma once

#include <map>
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
    // Is there a configuration that last worked, because a run was cut off before its end.
    [[nodiscard]] bool has_kept() const;
    // Writes the files, and removes ours that are not among them.
    Status write(const std::vector<NetworkFile>& files);
    // Has systemd-networkd take the files in. Bonds and VLANs named by `rebuild` are removed first,
    // since networkd leaves a device that exists as it is, and one whose file is gone too; `nics`
    // are configured anew.
    Status reload(const std::vector<std::string>& rebuild, const std::vector<std::string>& nics);
    // Puts the kept files back and has networkd take them in.
    Status roll_back(const std::vector<std::string>& nics);
    // The new configuration works: the kept one is no longer needed.
    Status forget_old();

    // Bonds and VLANs whose .netdev is not the same in what is kept, in what is there and in what
    // will be written. To be asked before `write`.
    [[nodiscard]] Result<std::vector<std::string>>
    devices_to_rebuild(const std::vector<NetworkFile>& files) const;

private:
    using Contents = std::map<std::string, std::string>; // by file name

    [[nodiscard]] std::string folder() const;
    [[nodiscard]] std::string kept() const;
    [[nodiscard]] Result<Contents> our_files(const std::string& folder) const;

    PhaseContext& context_;
};

} // namespace stratum::installer
