// The bundle that a joiner gets: a tar with bundle.json (the join steps in order) and files/, both
// rendered from the cluster's bundle folder. In each text, {{name}} is replaced by a value of this
// node; a name that is not known is an error, so that no half-filled file is ever delivered.
//
//   bundle.json   {"version": 1, "steps": [{"name", "title", "argv": […], "timeoutSeconds"?}],
//                  "secrets": ["files/…", …]}
//   files/…       0755 each, those in "secrets" 0600 on the joiner
#pragma once

#include <map>
#include <string>

#include "common/base/files.hpp"
#include "common/config/node_config.hpp"

namespace stratum::founder {

using Values = std::map<std::string, std::string>;

inline constexpr std::size_t kMostBundleBytes = 16u << 20;

// node.id, node.name, node.role, node.rack, node.az, node.mgmtAddress, cluster.name,
// cluster.generation, founder.addresses, members.names and members.mgmtAddresses (comma separated,
// without this node), join.id, join.attempt.
Values bundle_values(const config::NodeConfig& node);

// Pure: the text with every {{name}} replaced; kInvalid names what is not known.
Result<std::string> fill_in(const std::string& text, const Values& values);

// Pure: kInvalid with the first fault of a bundle.json.
Status check_bundle_json(const std::string& text);

// The tar. An empty folder name gives a bundle without steps. kInvalid, kIo, kTooLarge.
Result<std::string> make_bundle(const Files& files, const std::string& folder,
                                const Values& values);

} // namespace stratum::founder
