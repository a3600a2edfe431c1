// Who holds which address in the cluster, and which one is free: members and joins, VIPs, gateways
// and reserved ranges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/cluster_view.hpp"
#include "common/config/faults.hpp"

namespace stratum::config {

class AddressBook {
public:
    explicit AddressBook(const ClusterView& cluster);

    // Takes one more address out of what is free.
    void take(const IpAddress& address, std::string by);
    // "node beta has it", "it is the gateway of network storage", …; nothing where it is free.
    [[nodiscard]] std::optional<std::string> holder_of(const IpAddress& address) const;
    // The same of another node or a virtual address only: gateways and reserved ranges left out.
    [[nodiscard]] std::optional<std::string> node_or_vip_at(const IpAddress& address) const;
    // The lowest free IPv4 host address of the network's range; nothing where it is full.
    [[nodiscard]] std::optional<IpAddress> lowest_free(const Network& network) const;

private:
    struct Entry {
        AddressSpan span;
        std::string by;
        bool is_machine = true;
    };
    [[nodiscard]] const Entry* entry_at(const IpAddress& address, bool machines_only) const;

    std::vector<Entry> entries_;
};

} // namespace stratum::config
