#include "hwdiscovery/nic_kind.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::array<std::string_view, 3> kMadeOfOthers = {"bond", "vlan", "bridge"};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view without(std::string_view text, std::string_view prefix) {
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

std::string_view after_digits(std::string_view text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
    return text.substr(static_cast<std::size_t>(end - text.begin()));
}

// "pf0vf3", "c1pf0sf88", "pf0hpf": the switch's end of a function; "p0" is the cable's.
bool is_representor(std::string_view port) {
    if (port.starts_with("c") && port.size() > 1 && is_digit(port[1]))
        port = after_digits(port.substr(1));
    if (!port.starts_with("pf") || port.size() < 3 || !is_digit(port[2])) return false;
    return !after_digits(without(port, "pf")).empty();
}

bool works_below_hardware(const NicSysfs& nic, const LinkRecord& link, const NicInput& input) {
    const std::string& master = link.master.empty() ? nic.master : link.master;
    if (master.empty()) return false;
    const auto above = std::find_if(input.sysfs.begin(), input.sysfs.end(),
                                    [&](const auto& one) { return one.name == master; });
    return above != input.sysfs.end() && above->has_device;
}

} // namespace

bool is_hardware(const NicSysfs& nic, const LinkRecord& link) {
    return nic.has_device || !link.parent_device.empty();
}

std::string nic_kind(const NicSysfs& nic, const LinkRecord& link, const NicInput& input) {
    for (std::string_view kind : kMadeOfOthers)
        if (link.kind == kind) return std::string(kind);
    const bool is_port = is_hardware(nic, link) && !nic.is_virtual_function &&
                         !is_representor(nic.port_name) && !works_below_hardware(nic, link, input);
    return is_port ? "physical" : "other";
}

bool is_management_controller(const NicSysfs& nic) {
    static constexpr std::array<std::string_view, 5> kDrivers = {"cdc_ether", "cdc_eem", "cdc_ncm",
                                                                 "cdc_subset", "rndis_host"};
    // Makers whose only USB network card is a controller's; others make docks and adapters too.
    static constexpr std::array<std::string_view, 3> kVendors = {"046b", "0b1f", "04b3"};
    static constexpr std::array<std::string_view, 10> kWords = {
        "bmc",     "idrac",       "ilo ", "virtual ethernet", "rndis/ethernet gadget",
        "redfish", "virtual nic", "imm ", "xclarity",         "host interface"};
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

} // namespace stratum::hw
