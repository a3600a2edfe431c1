// Taking down what udev has merely assembled on a disk: arrays, logical volumes, opened encryption.
// Nothing that somebody uses; facts::judge refused such a disk before.
#pragma once

#include "installer/phases/phase.hpp"

namespace stratum::installer {

// Every layer over this disk, each before what it stands on, by its uuid. kConflict where one is of
// a kind that firstboot cannot take down.
Status take_down(PhaseContext& context, const facts::Disk& disk);

// The tools that it needs for that disk: mdadm, dmsetup.
std::vector<std::string> take_down_tools(const facts::Disk& disk);

} // namespace stratum::installer
