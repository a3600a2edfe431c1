#include "common/link/step_titles.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::link {
namespace {

struct Title {
    std::string_view name;
    std::string_view title;
};

constexpr Title kTitles[] = {
    {"verify", "Checking what was delivered against this machine"},
    {"identity", "Taking on the node's name"},
    {"network", "Setting up the network"},
    {"time", "Setting up the clock"},
    {"storage", "Preparing the confirmed disks"},
    {"finish", "Becoming a member"},
    {"join", "Joining the cluster"},
    {"join/raft-openbao", "Joining the OpenBao raft"},
    {"join/patroni", "Joining the Patroni cluster"},
    {"join/etcd", "Joining the etcd cluster"},
    {"join/ceph", "Joining the Ceph cluster"},
    {"join/ovn", "Joining the OVN network"},
    {"upgrade", "Upgrading to the cluster's release"},
    {"upgrade/manifest", "Checking the release's manifest"},
    {"upgrade/download", "Downloading the release"},
    {"upgrade/verify", "Checking the release's files"},
    {"upgrade/stage", "Putting the release in its place"},
    {"upgrade/activate", "Switching to the release"},
    {"upgrade/restart", "Restarting on the release"},
};

} // namespace

std::string_view known_step_title(std::string_view name) {
    const auto* const found = std::find_if(std::begin(kTitles), std::end(kTitles),
                                           [&](const Title& row) { return row.name == name; });
    return found == std::end(kTitles) ? std::string_view() : found->title;
}

std::string step_title(std::string_view name, std::string_view sent) {
    if (!sent.empty()) return std::string(sent);
    if (const std::string_view known = known_step_title(name); !known.empty())
        return std::string(known);
    std::string readable;
    for (const std::string& word : split(name, '/'))
        for (const std::string& part : split(word, '-'))
            for (const std::string& each : split(part, '_'))
                if (!each.empty()) readable += (readable.empty() ? "" : " ") + each;
    if (readable.empty()) return std::string(name);
    readable[0] = upper(readable.substr(0, 1))[0];
    return readable;
}

} // namespace stratum::link
