// Fills in what an assignment leaves open. What was chosen without being asked, or raised, is noted
// for the person who approves.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/config/approval.hpp"
#include "common/config/link_graph.hpp"
#include "common/config/machine_view.hpp"

namespace stratum::config {

struct DefaultsInput {
    const ClusterView& cluster;
    const JoinFacts& join;
    const MachineView& machine;
};

// Fields whose default is taken from another field of the assignment, by their paths: where that
// other one is wrong, nothing is said of the default.
using Follows = std::map<std::string, std::string, std::less<>>;

// All of them, in place. A default that cannot be found stays absent; a rule then says so.
Follows fill_defaults(const DefaultsInput& in, Assignment& assignment,
                      std::vector<std::string>& notes);

// Its parts.
std::string default_name(const DefaultsInput& in);
void fill_mgmt(const DefaultsInput& in, const LinkGraph& links, Mgmt& mgmt,
               std::vector<std::string>& notes);
// Where an mgmt address on that device may stand today without being new there: on the device, on
// the NICs below it, and on what the join registered from where the device is made over it.
std::vector<std::string> mgmt_places(const MachineView& machine, const LinkGraph& links,
                                     const std::string& device);
void fill_links(std::vector<Link>& links);
void fill_mtus(const DefaultsInput& in, std::vector<Link>& links, std::vector<std::string>& notes);
void fill_provider(const DefaultsInput& in, Assignment& assignment, Follows& follows);

// The MTU that the mgmt NIC, or a NIC that only carries VLANs, must be raised to, where no link
// says it; nothing where the usual one is enough.
std::optional<std::int64_t> raised_mtu(const MachineView& machine, const LinkGraph& links,
                                       const std::string& nic);

std::int64_t mtu_today(const MachineView& machine, const std::string& nic);

// The largest MTU that a device of the assignment can have; nothing where it is not known.
std::optional<std::int64_t> largest_mtu(const MachineView& machine, const LinkGraph& links,
                                        const std::string& device);
// The largest MTU that the link's networks need; 0 for none.
std::int64_t needed_mtu(const ClusterView& cluster, const Link& link);

} // namespace stratum::config
