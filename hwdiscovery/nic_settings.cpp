#include "hwdiscovery/nic_settings.hpp"

#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

// NAME=a b c of networkd's state files.
std::vector<std::string> values_of(const std::string& text, std::string_view name) {
    for (const auto& line : split(text, '\n'))
        if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == '=')
            return words(line.substr(name.size() + 1));
    return {};
}

std::string unquoted(const std::vector<std::string>& values) {
    std::string text = values.empty() ? std::string{} : values.front();
    const bool is_quoted = text.size() >= 2 && text.front() == '\'' && text.back() == '\'';
    return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// What an initramfs configured has no end that the kernel knows of (klibc's ipconfig leaves
// /run/net-eth0.conf: DEVICE='eth0', PROTO='dhcp', IPV4ADDR='10.0.0.5').
void add_initramfs_lease(const Tree& tree, const std::string& name, NicSettings& settings) {
    const auto text = tree.bytes("/run/net-" + name + ".conf").value_or("");
    const std::string protocol = lower(unquoted(values_of(text, "PROTO")));
    const bool is_lent = protocol == "dhcp" || protocol == "bootp" || protocol == "rarp";
    const std::string address = unquoted(values_of(text, "IPV4ADDR"));
    if (is_lent && IpAddress::parse(address)) settings.leased[name].push_back(address);
}

void add_server(std::string_view text, std::vector<std::string>& servers) {
    // An address may carry its interface or a name: fe80::1%eth0, 1.1.1.1#one.
    const auto address = IpAddress::parse(text.substr(0, text.find_first_of("%#")));
    if (!address || address->is_loopback() || address->is_unspecified()) return;
    if (std::find(servers.begin(), servers.end(), address->str()) == servers.end())
        servers.push_back(address->str());
}

} // namespace

std::vector<std::string> parse_resolv_conf(std::string_view text) {
    std::vector<std::string> servers;
    for (const auto& line : split(text, '\n')) {
        const auto fields = words(line);
        if (fields.size() >= 2 && fields[0] == "nameserver") add_server(fields[1], servers);
    }
    return servers;
}

NicSettings read_nic_settings(const Tree& tree, const std::vector<NicSysfs>& nics) {
    NicSettings settings;
    for (const auto& nic : nics) {
        const std::string index = std::to_string(nic.index);
        const auto lease = tree.bytes("/run/systemd/netif/leases/" + index).value_or("");
        const auto state = tree.bytes("/run/systemd/netif/links/" + index).value_or("");
        settings.leased[nic.name] = values_of(lease, "ADDRESS");
        add_initramfs_lease(tree, nic.name, settings);
        auto& dns = settings.dns[nic.name];
        for (const auto& server : values_of(state, "DNS")) add_server(server, dns);
        for (const auto& server : values_of(lease, "DNS")) add_server(server, dns);
    }
    // The first is what resolved would ask; the second may name resolved itself.
    for (const char* path : {"/run/systemd/resolve/resolv.conf", "/etc/resolv.conf"})
        if (settings.shared_dns.empty())
            settings.shared_dns = parse_resolv_conf(tree.bytes(path).value_or(""));
    return settings;
}

} // namespace stratum::hw
