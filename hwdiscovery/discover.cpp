#include "hwdiscovery/discover.hpp"

#include <algorithm>
#include <utility>

#include "common/base/document.hpp"
#include "hwdiscovery/captured.hpp"
#include "hwdiscovery/content_json.hpp"
#include "hwdiscovery/disk_list.hpp"
#include "hwdiscovery/disk_reader.hpp"
#include "hwdiscovery/disk_use.hpp"
#include "hwdiscovery/disks.hpp"
#include "hwdiscovery/edge/child_prober.hpp"
#include "hwdiscovery/edge/ethtool.hpp"
#include "hwdiscovery/edge/live_tree.hpp"
#include "hwdiscovery/edge/lldp_socket.hpp"
#include "hwdiscovery/edge/netlink.hpp"
#include "hwdiscovery/edge/writers.hpp"
#include "hwdiscovery/machine.hpp"
#include "hwdiscovery/nic_settings.hpp"
#include "hwdiscovery/nics.hpp"
#include "hwdiscovery/read_nics.hpp"
#include "hwdiscovery/seen.hpp"

namespace stratum::hw {
namespace {

std::optional<Node> captured_document(const Tree& tree, const char* path) {
    // A thousand disks are more than documents usually hold.
    constexpr DocumentLimits kLimits{
        .max_bytes = 16u << 20, .max_depth = 32, .max_nodes = 2'000'000};
    const auto text = tree.bytes(path);
    return text ? parse_json(*text, kLimits).root : std::nullopt;
}

void read_captured_net(const Tree& tree, NetRecords& net) {
    if (const auto links = captured_document(tree, "/ip-addr.json"))
        net.links = parse_ip_links(*links);
    if (const auto routes = captured_document(tree, "/ip-route.json"))
        net.routes = parse_ip_routes(*routes);
}

void add_writers(DiskRecords& records) {
    const auto writers = find_writers();
    for (const auto& block : records.blocks)
        if (const auto writer = writers.find(block.dev); writer != writers.end())
            records.contents[block.name].writer = writer->second;
}

void read_contents_of(const Tree& tree, const DiscoverOptions& options, DiskRecords& records,
                      Seen* seen) {
    if (!options.probe_contents) return;
    if (options.root.empty()) {
        records.contents = make_child_prober()->probe(probe_targets(records.blocks));
        add_writers(records);
        records.is_probed = true;
        if (seen != nullptr) seen->contents = records.contents;
    } else if (const auto contents = captured_document(tree, "/contents.json")) {
        records.contents = read_contents(*contents);
        records.is_probed = true;
    }
}

void add_disks(const Tree& tree, const DiscoverOptions& options, Seen* seen,
               facts::Inventory& inventory) {
    DiskRecords records = read_disk_records(tree);
    read_contents_of(tree, options, records, seen);
    doubt_unplaced_use(records);
    inventory.disks = make_disks(records);
    inventory.warnings.insert(inventory.warnings.end(), records.warnings.begin(),
                              records.warnings.end());
    inventory.install_record = std::move(records.install_record);
    if (auto left_out = shorten_disks(inventory.disks); !left_out.empty())
        inventory.warnings.push_back(std::move(left_out));
    if (records.blocks.empty())
        inventory.warnings.push_back("the kernel lists no block devices (/sys/class/block)");
}

void hear_neighbours(const DiscoverOptions& options, const std::vector<LinkRecord>& links,
                     facts::Inventory& inventory) {
    if (options.lldp_seconds <= 0 || !options.root.empty()) return;
    std::vector<std::pair<std::string, int>> indexes;
    indexes.reserve(links.size());
    for (const auto& link : links) indexes.emplace_back(link.name, link.index);
    const auto ports = lldp_ports(inventory.nics, indexes);
    const auto heard =
        listen_for_lldp(ports, {options.lldp_seconds * std::int64_t{1000}, options.lldp_stop});
    if (!heard) return inventory.warnings.push_back(heard.error().message);
    for (auto& nic : inventory.nics) {
        const bool is_awaited = std::any_of(
            ports.begin(), ports.end(), [&](const auto& port) { return port.name == nic.name; });
        if (const auto found = heard->find(nic.name); found != heard->end())
            nic.lldp = found->second;
        else if (is_awaited)
            inventory.warnings.push_back(
                nic.name + ": no LLDP was heard within " + std::to_string(options.lldp_seconds) +
                " s (the switch may send none, or the card's firmware may keep it for itself)");
    }
}

void add_nics(const Tree& tree, const DiscoverOptions& options, Seen* seen,
              facts::Inventory& inventory) {
    NicInput input;
    input.sysfs = read_nic_sysfs(tree);
    if (!options.root.empty()) {
        read_captured_net(tree, input.net);
    } else if (auto net = read_net()) {
        input.net = std::move(*net);
        ask_drivers(input.net.links);
        if (seen != nullptr) seen->net = input.net;
    } else {
        inventory.warnings.push_back(net.error().message + ": addresses and routes are not known");
    }
    if (input.net.links.empty())
        input.net.links = links_from_sysfs(tree, input.sysfs);
    else
        keep_to_kernels_list(input);
    input.settings = read_nic_settings(tree, input.sysfs);
    inventory.warnings.insert(inventory.warnings.end(), input.net.warnings.begin(),
                              input.net.warnings.end());
    inventory.nics = make_nics(input, &inventory.warnings);
    hear_neighbours(options, input.net.links, inventory);
    if (!options.founder_address) return;
    inventory.founder_interface =
        options.root.empty() ? ask_interface_towards(*options.founder_address)
                             : interface_towards(*options.founder_address, input.net.routes);
}

} // namespace

facts::Inventory discover(const DiscoverOptions& options) {
    return discover(*open_tree(options.root), options, nullptr);
}

facts::Inventory discover(const Tree& tree, const DiscoverOptions& options, Seen* seen) {
    facts::Inventory inventory;
    inventory.hostname = read_hostname(tree);
    inventory.machine = read_machine(tree);
    inventory.cpu = read_cpu(tree);
    inventory.memory_bytes = parse_memory_bytes(tree.bytes("/proc/meminfo").value_or(""));
    add_disks(tree, options, seen, inventory);
    add_nics(tree, options, seen, inventory);
    return inventory;
}

} // namespace stratum::hw
