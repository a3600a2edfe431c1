// Discovery with its sources in the caller's hands: the tree that it reads, and a place for what
// came from the kernel otherwise than in files. For whoever writes a machine down (capture.hpp).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/discover.hpp"
#include "hwdiscovery/net_records.hpp"
#include "hwdiscovery/records.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

struct Seen {
    std::optional<std::map<std::string, ContentRecord>> contents; // of opened devices, by name
    std::optional<NetRecords> net;                                // of the route socket
};

// As discover(options), over the files of `tree`; `options.root` still says whether that is a
// captured machine. `seen` may be null; what comes out of files is not in it.
facts::Inventory discover(const Tree& tree, const DiscoverOptions& options, Seen* seen);

} // namespace stratum::hw
