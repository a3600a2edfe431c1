// What the founder delivers: node.yaml and the bundle. It counts only where it is what the founder
// said (SHA-256), readable, of this join and attempt, and from the one founder's key; kept on disk,
// so that an installation goes on without the network.
#pragma once

#include <string>

#include "common/config/node_config.hpp"
#include "installer/session.hpp"

namespace stratum::installer {

struct Delivery {
    std::string node_yaml, bundle_tar; // the bundle is empty where there is none
    config::NodeConfig node;
};

Status require_hash(std::string_view what, const std::string& content, const std::string& due);
// Everything that makes a node.yaml ours.
Result<config::NodeConfig> judge_node_yaml(const Session& session, const std::string& node_yaml);
Status store_delivery(Session& session, const std::string& node_yaml, const std::string& bundle);
// What is on disk, judged again: it may have been damaged since.
Result<Delivery> read_delivery(Session& session);
void forget_bundle(Session& session);

} // namespace stratum::installer
