#include "hwdiscovery/nics.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kEthernet = 1, kInfiniband = 32;
constexpr std::size_t kMostNics = 512, kMostEntries = 256;
// What drivers answer instead of "I do not know": 16 and 32 bits of ones.
constexpr std::int64_t kUnknown16 = 65535, kUnknown32 = 4294967295;

std::optional<std::uint32_t> speed_of(const NicSysfs& nic, std::optional<bool> carrier) {
    // Without a carrier a driver tells what it last had, or what it could have.
    if (!carrier.value_or(false) || !nic.speed) return std::nullopt;
    if (*nic.speed <= 0 || *nic.speed == kUnknown16 || *nic.speed >= kUnknown32)
        return std::nullopt;
    return static_cast<std::uint32_t>(*nic.speed);
}

// The last 0000:03:00.0 on the way to the device.
std::string pci_address_of(const NicSysfs& nic) {
    std::string found;
    for (const auto& part : split(nic.path, '/')) {
        const bool fits = part.size() >= 12 && part[part.size() - 8] == ':' &&
                          part[part.size() - 5] == ':' && part[part.size() - 2] == '.';
        if (fits) found = part;
    }
    return nic.has_device ? found : std::string{};
}

std::string kind_of(const NicSysfs& nic, const LinkRecord& link) {
    for (const char* kind : {"bond", "vlan", "bridge"})
        if (link.kind == kind) return kind;
    return nic.has_device ? "physical" : "other";
}

// A management controller shows itself to its host as a USB network card.
bool is_bmc(const NicSysfs& nic) {
    static constexpr std::array<std::string_view, 5> kDrivers = {"cdc_ether", "cdc_eem", "cdc_ncm",
                                                                 "cdc_subset", "rndis_host"};
    static constexpr std::array<std::string_view, 5> kVendors = {"046b", "0b1f", "413c", "04b3",
                                                                 "17ef"};
    static constexpr std::array<std::string_view, 7> kWords = {
        "bmc", "idrac", "ilo ", "virtual ethernet", "rndis/ethernet gadget", "redfish", "imm"};
    const auto any_is = [](const auto& list, std::string_view value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    if (!any_is(kDrivers, nic.driver) || nic.usb_vendor.empty()) return false;
    if (any_is(kVendors, nic.usb_vendor)) return true;
    const std::string product = lower(nic.usb_product) + " ";
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
        return product.find(word) != std::string::npos;
    });
}

std::string how_of(const AddressRecord& address, const std::vector<std::string>& leased) {
    if (address.is_temporary) return "temporary";
    const std::string bare = address.cidr.substr(0, address.cidr.find('/'));
    const auto parsed = IpAddress::parse(bare);
    if (address.is_link || (parsed && parsed->is_link_local())) return "link-local";
    if (std::find(leased.begin(), leased.end(), bare) != leased.end()) return "dhcp";
    if (!address.is_dynamic) return "static";
    // IPv4 addresses end when a lease does. An IPv6 one that ends may also come from a router.
    return parsed && parsed->is_v4() ? "dhcp" : "unknown";
}

const std::vector<std::string>& entry(const std::map<std::string, std::vector<std::string>>& map,
                                      const std::string& name) {
    static const std::vector<std::string> kNone;
    const auto found = map.find(name);
    return found == map.end() ? kNone : found->second;
}

void fill_routes(const NicInput& input, facts::Nic& nic) {
    const RouteRecord* best = nullptr;
    for (const auto& route : input.net.routes) {
        if (route.interface != nic.name) continue;
        if (!route.destination.empty()) {
            const bool is_new = std::find(nic.routes.begin(), nic.routes.end(),
                                          route.destination) == nic.routes.end();
            if (route.is_v4 && is_new && nic.routes.size() < kMostEntries)
                nic.routes.push_back(route.destination);
            continue;
        }
        if (route.gateway.empty()) continue;
        const bool is_better = best == nullptr || (route.is_v4 && !best->is_v4) ||
                               (route.is_v4 == best->is_v4 && route.metric < best->metric);
        if (is_better) best = &route;
    }
    if (best != nullptr) nic.gateway = best->gateway;
}

void fill_make_up(const NicSysfs& sysfs, const LinkRecord& link, facts::Nic& nic) {
    nic.kind = kind_of(sysfs, link);
    nic.master = link.master.empty() ? sysfs.master : link.master;
    if (nic.kind == "vlan") {
        nic.vlan_id = link.vlan_id;
        nic.parent = link.parent;
    }
    if (nic.kind == "bond") {
        nic.bond.emplace();
        nic.bond->mode = sysfs.bond_mode;
        nic.bond->members = sysfs.bond_members;
    }
}

facts::Nic make_nic(const NicSysfs& sysfs, const LinkRecord& link, const NicInput& input) {
    facts::Nic nic;
    nic.name = sysfs.name;
    nic.alt_names = link.alt_names;
    nic.mac = link.mac.empty() ? sysfs.mac : link.mac;
    nic.permanent_mac = link.permanent_mac.empty() ? sysfs.permanent_mac : link.permanent_mac;
    const auto carrier = sysfs.carrier ? sysfs.carrier : link.carrier;
    if (carrier) nic.state = *carrier ? facts::LinkState::kUp : facts::LinkState::kDown;
    nic.driver = to_valid_utf8(sysfs.driver);
    nic.pci_address = pci_address_of(sysfs);
    nic.speed_mbps = speed_of(sysfs, carrier);
    nic.mtu = link.mtu ? link.mtu : sysfs.mtu;
    // 0 says that the driver sets no limit.
    if (link.max_mtu.value_or(0) > 0) nic.max_mtu = link.max_mtu;
    fill_make_up(sysfs, link, nic);
    for (const auto& address : link.addresses)
        if (nic.addresses.size() < kMostEntries)
            nic.addresses.push_back(
                {address.cidr, how_of(address, entry(input.settings.leased, nic.name))});
    fill_routes(input, nic);
    nic.dns = entry(input.settings.dns, nic.name);
    if (nic.dns.empty() && !nic.gateway.empty()) nic.dns = input.settings.shared_dns;
    nic.bmc = is_bmc(sysfs);
    return nic;
}

} // namespace

void keep_to_kernels_list(NicInput& input) {
    const auto link_of = [&](const NicSysfs& nic) {
        return std::find_if(input.net.links.begin(), input.net.links.end(), [&](const auto& link) {
            return link.name == nic.name && link.index == nic.index;
        });
    };
    std::erase_if(input.sysfs,
                  [&](const NicSysfs& nic) { return link_of(nic) == input.net.links.end(); });
    for (const auto& link : input.net.links) {
        const bool is_known = std::any_of(input.sysfs.begin(), input.sysfs.end(),
                                          [&](const auto& nic) { return nic.name == link.name; });
        if (is_known) continue;
        NicSysfs nic;
        nic.name = link.name;
        nic.index = link.index;
        nic.hardware_type = link.hardware_type;
        input.sysfs.push_back(std::move(nic));
    }
}

std::vector<facts::Nic> make_nics(const NicInput& input) {
    std::vector<facts::Nic> nics;
    for (const auto& sysfs : input.sysfs) {
        if (sysfs.hardware_type != kEthernet && sysfs.hardware_type != kInfiniband) continue;
        const auto link = std::find_if(input.net.links.begin(), input.net.links.end(),
                                       [&](const auto& one) { return one.name == sysfs.name; });
        nics.push_back(
            make_nic(sysfs, link == input.net.links.end() ? LinkRecord{} : *link, input));
    }
    std::stable_sort(nics.begin(), nics.end(), [](const facts::Nic& a, const facts::Nic& b) {
        const auto rank = [](const facts::Nic& nic) {
            return nic.kind == "physical" ? 0 : nic.kind == "other" ? 2 : 1;
        };
        return rank(a) < rank(b);
    });
    if (nics.size() > kMostNics) nics.resize(kMostNics);
    return nics;
}

std::string interface_towards(const IpAddress& address, const std::vector<RouteRecord>& routes) {
    const RouteRecord* best = nullptr;
    int best_prefix = -1;
    for (const auto& route : routes) {
        int prefix = 0;
        if (route.destination.empty()) {
            if (route.is_v4 != address.is_v4()) continue;
        } else {
            const auto network = Cidr::parse(route.destination);
            if (!network || !network->contains(address)) continue;
            prefix = network->prefix();
        }
        const bool is_better =
            prefix > best_prefix || (prefix == best_prefix && route.metric < best->metric);
        if (!is_better) continue;
        best = &route;
        best_prefix = prefix;
    }
    return best == nullptr ? std::string{} : best->interface;
}

} // namespace stratum::hw
