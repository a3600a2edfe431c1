#include "hwdiscovery/nics.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "hwdiscovery/nic_addresses.hpp"
#include "hwdiscovery/nic_kind.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kEthernet = 1, kInfiniband = 32;
constexpr std::size_t kMostNics = 512, kMostEntries = 256;
// What drivers answer instead of "I do not know": 16 and 32 bits of ones.
constexpr std::int64_t kUnknown16 = 65535, kUnknown32 = 4294967295;

// What a person should know of one device.
struct NicNotes {
    std::string name;
    std::vector<std::string>& said;
    void add(const std::string& text) const { said.push_back(to_valid_utf8(name) + ": " + text); }
};

template<class List>
bool is_in(const List& list, std::string_view value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

std::optional<std::uint32_t> speed_of(const NicSysfs& nic, std::optional<bool> carrier) {
    // Without a carrier a driver tells what it last had, or what it could have.
    if (!carrier.value_or(false) || !nic.speed) return std::nullopt;
    if (*nic.speed <= 0 || *nic.speed == kUnknown16 || *nic.speed >= kUnknown32)
        return std::nullopt;
    return static_cast<std::uint32_t>(*nic.speed);
}

std::string duplex_of(const NicSysfs& nic, std::optional<bool> carrier) {
    const bool is_told = nic.duplex == "full" || nic.duplex == "half";
    return carrier.value_or(false) && is_told ? nic.duplex : std::string{};
}

// The last 0000:03:00.0 on the way to the device.
std::string pci_address_of(const NicSysfs& nic, const LinkRecord& link) {
    std::string found;
    for (const auto& part : split(nic.path, '/')) {
        const bool fits = part.size() >= 12 && part[part.size() - 8] == ':' &&
                          part[part.size() - 5] == ':' && part[part.size() - 2] == '.';
        if (fits) found = part;
    }
    if (nic.has_device) return found;
    return link.parent_bus == "pci" ? link.parent_device : std::string{};
}

// Drivers without an answer say so in several words.
std::string firmware_of(const LinkRecord& link) {
    std::string text = to_valid_utf8(trim(link.firmware_version));
    const std::string word = lower(text);
    const bool is_none = word == "n/a" || word == "unknown" || word == "none" || word == "0";
    return is_none ? std::string{} : text;
}

// Of hardware alone. What is no address of one machine (zeros, a group's) is none.
std::string permanent_mac_of(const NicSysfs& nic, const LinkRecord& link, std::string& odd) {
    if (!is_hardware(nic, link)) return {};
    const std::string& text = link.permanent_mac.empty() ? nic.permanent_mac : link.permanent_mac;
    if (text.empty() || nic.hardware_type == kInfiniband) return text;
    const auto mac = MacAddress::parse(text);
    if (mac && mac->is_plausible()) return text;
    const bool is_zero = text.find_first_not_of("0:") == std::string::npos;
    if (!is_zero) odd = "its permanent MAC address " + to_valid_utf8(text) + " can be no card's";
    return {};
}

std::vector<std::string> members_of(const std::string& name, const NicInput& input) {
    std::vector<std::string> members;
    for (const auto& link : input.net.links)
        if (link.master == name) members.push_back(link.name);
    for (const auto& nic : input.sysfs)
        if (nic.master == name && !is_in(members, nic.name)) members.push_back(nic.name);
    std::sort(members.begin(), members.end(), natural_less);
    return members;
}

// Only the modes that have the option; the kernel keeps a value for every one.
facts::NicBond bond_of(const NicSysfs& sysfs, const LinkRecord& link, const NicInput& input) {
    static constexpr std::array<std::string_view, 4> kHashing = {"802.3ad", "balance-xor",
                                                                 "balance-tlb", "balance-alb"};
    const BondRecord& told = link.bond.mode.empty() ? sysfs.bond : link.bond;
    facts::NicBond bond;
    bond.mode = told.mode;
    bond.members = sysfs.bond_members.empty() ? members_of(sysfs.name, input) : sysfs.bond_members;
    if (is_in(kHashing, told.mode)) bond.xmit_hash_policy = told.xmit_hash_policy;
    if (told.mode == "802.3ad") bond.lacp_rate = told.lacp_rate;
    bond.miimon_ms = told.miimon_ms;
    return bond;
}

void fill_make_up(const NicSysfs& sysfs, const LinkRecord& link, const NicInput& input,
                  facts::Nic& nic) {
    nic.kind = nic_kind(sysfs, link, input);
    nic.master = link.master.empty() ? sysfs.master : link.master;
    if (nic.kind == "vlan") {
        nic.vlan_id = link.vlan_id;
        nic.parent = link.parent;
    }
    if (nic.kind == "bond") nic.bond = bond_of(sysfs, link, input);
    if (nic.kind == "bridge")
        nic.bridge_members =
            sysfs.bridge_members.empty() ? members_of(nic.name, input) : sysfs.bridge_members;
    if (sysfs.is_virtual_function) nic.parent = sysfs.physical_function;
}

void fill_link(const NicSysfs& sysfs, const LinkRecord& link, NicNotes& notes, facts::Nic& nic) {
    const auto carrier = sysfs.carrier ? sysfs.carrier : link.carrier;
    if (carrier) nic.state = *carrier ? facts::LinkState::kUp : facts::LinkState::kDown;
    nic.driver = to_valid_utf8(sysfs.driver.empty() ? link.driver : sysfs.driver);
    // The bonding driver answers with its own interface's number.
    if (sysfs.has_device) nic.firmware_version = firmware_of(link);
    nic.pci_address = pci_address_of(sysfs, link);
    nic.speed_mbps = speed_of(sysfs, carrier);
    nic.duplex = duplex_of(sysfs, carrier);
    nic.mtu = link.mtu ? link.mtu : sysfs.mtu;
    // 0 says that the driver sets no limit.
    if (link.max_mtu.value_or(0) > 0) nic.max_mtu = link.max_mtu;
    std::string odd;
    nic.permanent_mac = permanent_mac_of(sysfs, link, odd);
    if (!odd.empty()) notes.add(odd);
}

// The kernel takes nearly any byte in a name; a document does not.
void make_names_text(facts::Nic& nic) {
    for (auto* name : {&nic.name, &nic.master, &nic.parent}) *name = to_valid_utf8(*name);
    for (auto& member : nic.bridge_members) member = to_valid_utf8(member);
    if (!nic.bond) return;
    for (auto& member : nic.bond->members) member = to_valid_utf8(member);
}

facts::Nic make_nic(const NicSysfs& sysfs, const LinkRecord& link, const NicInput& input,
                    NicNotes notes) {
    facts::Nic nic;
    nic.name = sysfs.name;
    for (const auto& name : link.alt_names) {
        if (nic.alt_names.size() < kMostEntries) nic.alt_names.push_back(to_valid_utf8(name));
    }
    nic.mac = link.mac.empty() ? sysfs.mac : link.mac;
    if (nic.mac.empty()) {
        // The API wants one of every device; zeros are nobody's.
        nic.mac = "00:00:00:00:00:00";
        notes.add("its MAC address cannot be read");
    }
    fill_link(sysfs, link, notes, nic);
    fill_make_up(sysfs, link, input, nic);
    if (nic.kind == "vlan" && !nic.vlan_id) notes.add("its VLAN id cannot be read");
    if (nic.bond && nic.bond->mode.empty()) notes.add("its bond mode cannot be read");
    fill_addresses(input, link, nic);
    if (link.addresses.size() > nic.addresses.size())
        notes.add("it has " + std::to_string(link.addresses.size()) + " addresses, the first " +
                  std::to_string(nic.addresses.size()) + " are listed");
    nic.bmc = is_management_controller(sysfs);
    make_names_text(nic);
    return nic;
}

// Nothing tells two ports of one permanent address apart.
void warn_of_twins(const std::vector<facts::Nic>& nics, std::vector<std::string>& warnings) {
    for (std::size_t i = 0; i < nics.size(); ++i)
        for (std::size_t j = i + 1; j < nics.size(); ++j) {
            const facts::Nic &a = nics[i], &b = nics[j];
            const bool are_twins = a.kind == "physical" && b.kind == "physical" &&
                                   !a.permanent_mac.empty() && a.permanent_mac == b.permanent_mac;
            if (are_twins)
                warnings.push_back(a.name + " and " + b.name + " have the same permanent MAC " +
                                   a.permanent_mac + ": nothing tells them apart for certain");
        }
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

std::vector<facts::Nic> make_nics(const NicInput& input, std::vector<std::string>* warnings) {
    std::vector<std::string> unheard;
    std::vector<std::string>& said = warnings == nullptr ? unheard : *warnings;
    std::vector<facts::Nic> nics;
    for (const auto& sysfs : input.sysfs) {
        const auto found = std::find_if(input.net.links.begin(), input.net.links.end(),
                                        [&](const auto& one) { return one.name == sysfs.name; });
        const LinkRecord link = found == input.net.links.end() ? LinkRecord{} : *found;
        const auto type = sysfs.hardware_type ? sysfs.hardware_type : link.hardware_type;
        if (type != kEthernet && type != kInfiniband) continue;
        nics.push_back(make_nic(sysfs, link, input, {sysfs.name, said}));
    }
    std::stable_sort(nics.begin(), nics.end(), [](const facts::Nic& a, const facts::Nic& b) {
        const auto rank = [](const facts::Nic& nic) {
            return nic.kind == "physical" ? 0 : nic.kind == "other" ? 2 : 1;
        };
        return rank(a) != rank(b) ? rank(a) < rank(b) : natural_less(a.name, b.name);
    });
    if (nics.size() > kMostNics) {
        said.push_back("this machine has " + std::to_string(nics.size()) +
                       " network devices, the first " + std::to_string(kMostNics) + " are listed");
        nics.resize(kMostNics);
    }
    warn_of_twins(nics, said);
    return nics;
}

} // namespace stratum::hw
