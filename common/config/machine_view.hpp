// The joining machine as the rules ask about it: its NICs by name, the one that the join registered
// from, and what there is to choose from, in words. The inventory is put in a stable order first,
// so that no answer depends on the order in which it was reported.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/net.hpp"
#include "common/config/faults.hpp"
#include "common/facts/inventory.hpp"

namespace stratum::config {

// NICs in natural order of their names, disks by their best key and path; of both, the lists whose
// order means nothing.
facts::Inventory in_stable_order(facts::Inventory inventory);

class MachineView {
public:
    // `inventory` must outlive the view.
    MachineView(const facts::Inventory& inventory, std::string_view remote_address);

    [[nodiscard]] const facts::Inventory& inventory() const { return inventory_; }
    // Any network device of that name; nullptr for none.
    [[nodiscard]] const facts::Nic* device(std::string_view name) const;
    // A NIC that a link may use: physical, and not the BMC's.
    [[nodiscard]] const facts::Nic* nic(std::string_view name) const;
    // The NIC that has this as one of its alternative names; nullptr for none.
    [[nodiscard]] const facts::Nic* nic_also_called(std::string_view alt_name) const;
    // The device the join registered from: what holds its remote address, else (behind NAT) what
    // reaches the founder. nullptr: not known.
    [[nodiscard]] const facts::Nic* registered() const { return registered_; }
    [[nodiscard]] bool is_behind_nat() const { return behind_nat_; }
    // The physical NICs below a device of the machine, itself where it is one.
    [[nodiscard]] std::vector<std::string> physical_below(std::string_view name) const;
    // The device's address as it holds it now.
    [[nodiscard]] const facts::NicAddress* address_on(std::string_view device,
                                                      const IpAddress& address) const;
    // The NIC that stage 1 fixed as out-of-band, where mgmt is on another; else nullptr.
    [[nodiscard]] const facts::Nic* oob() const;
    // "this machine has enp87s0 (up, 10 Gb/s), enp88s0 (down)".
    [[nodiscard]] std::string choices() const;
    // compute-tail or whole-disk: of the install record, else read off the system disks.
    [[nodiscard]] std::string os_disk_layout() const;

private:
    const facts::Inventory& inventory_;
    const facts::Nic* registered_ = nullptr;
    bool behind_nat_ = false;
};

std::string nic_words(const facts::Nic& nic);
// Why the machine's NIC of that name would not be found again by its MAC: it has none of its own,
// or another NIC has the same. Nothing where no NIC has that name.
Fault nic_identity_fault(const MachineView& machine, std::string_view name);

} // namespace stratum::config
