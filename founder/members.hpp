// The members, the networks and the cluster as a whole, and what a member's heartbeat does.
#pragma once

#include "founder/context.hpp"

namespace stratum::founder {

Answer<link::HeartbeatAnswer> take_heartbeat(Context& context, const Node& body,
                                             const link::Fingerprint& key);
Answer<std::vector<MemberRecord>> list_members(Context& context);
Answer<Networks> list_networks(Context& context);
Answer<ClusterStatus> cluster_status(Context& context);

// Pure: how many addresses of an IPv4 network the founder may still hand out, and how many are
// held.
NetworkUse use_of(const config::Network& network, const config::ClusterView& view);

} // namespace stratum::founder
