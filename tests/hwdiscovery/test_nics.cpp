#include <algorithm>

#include "hwdiscovery/captured.hpp"
#include "hwdiscovery/nic_settings.hpp"
#include "hwdiscovery/nics.hpp"
#include "hwdiscovery/read_nics.hpp"
#include "tests/hwdiscovery/memory_tree.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

NicSysfs hardware(const std::string& name) {
    NicSysfs nic;
    nic.name = name;
    nic.path = "/sys/devices/pci0000:00/0000:00:06.0/net/" + name;
    nic.hardware_type = 1;
    nic.has_device = true;
    nic.driver = "e1000e";
    nic.mac = "52:54:00:aa:00:01";
    nic.permanent_mac = nic.mac;
    nic.carrier = true;
    nic.speed = 1000;
    return nic;
}

facts::Nic only_nic(const NicInput& input) {
    return make_nics(input).at(0);
}

NicInput one_nic() {
    return {{hardware("eth0")}, {}, {}};
}

NicInput with_address(AddressRecord address) {
    auto input = one_nic();
    LinkRecord link;
    link.name = "eth0";
    link.addresses = {std::move(address)};
    input.net.links = {link};
    return input;
}

std::string how(AddressRecord address) {
    return only_nic(with_address(std::move(address))).addresses.at(0).how;
}

} // namespace

TEST_GROUP(HwNics){};

TEST(HwNics, a_network_card_is_physical_with_its_driver_place_and_speed) {
    const auto nic = only_nic(one_nic());
    STRCMP_EQUAL("physical", nic.kind.c_str());
    STRCMP_EQUAL("e1000e", nic.driver.c_str());
    STRCMP_EQUAL("0000:00:06.0", nic.pci_address.c_str());
    LONGS_EQUAL(1000, nic.speed_mbps.value_or(0));
    CHECK(nic.state == facts::LinkState::kUp);
}

TEST(HwNics, what_a_driver_says_when_it_does_not_know_is_no_speed) {
    auto input = one_nic();
    for (std::int64_t speed : {-1ll, 0ll, 65535ll, 4294967295ll}) {
        input.sysfs[0].speed = speed;
        CHECK(!only_nic(input).speed_mbps.has_value());
    }
    input.sysfs[0].speed.reset();
    CHECK(!only_nic(input).speed_mbps.has_value());
    input.sysfs[0].speed = 200000;
    LONGS_EQUAL(200000, only_nic(input).speed_mbps.value_or(0));
}

TEST(HwNics, without_a_carrier_there_is_no_speed_and_the_link_is_down) {
    auto input = one_nic();
    input.sysfs[0].carrier = false;
    CHECK(!only_nic(input).speed_mbps.has_value());
    CHECK(only_nic(input).state == facts::LinkState::kDown);
    input.sysfs[0].carrier.reset();
    CHECK(only_nic(input).state == facts::LinkState::kUnknown);
}

TEST(HwNics, a_largest_mtu_of_zero_is_no_limit) {
    auto input = one_nic();
    input.net.links = {LinkRecord{}};
    input.net.links[0].name = "eth0";
    input.net.links[0].max_mtu = 0;
    CHECK(!only_nic(input).max_mtu.has_value());
    input.net.links[0].max_mtu = 9216;
    LONGS_EQUAL(9216, only_nic(input).max_mtu.value_or(0));
}

TEST(HwNics, an_address_says_how_it_came) {
    STRCMP_EQUAL("static", how({"10.0.0.1/24", false, false, false}).c_str());
    STRCMP_EQUAL("dhcp", how({"10.0.0.1/24", true, false, false}).c_str());
    STRCMP_EQUAL("link-local", how({"fe80::1/64", false, false, true}).c_str());
    STRCMP_EQUAL("link-local", how({"169.254.3.4/16", false, false, false}).c_str());
    STRCMP_EQUAL("temporary", how({"2001:db8::1/64", true, true, false}).c_str());
    STRCMP_EQUAL("unknown", how({"2001:db8::1/64", true, false, false}).c_str());
    auto leased = with_address({"10.0.0.1/24", false, false, false});
    leased.settings.leased["eth0"] = {"10.0.0.1"};
    STRCMP_EQUAL("dhcp", only_nic(leased).addresses.at(0).how.c_str());
}

TEST(HwNics, routes_are_ipv4_without_the_default_and_the_gateway_is_the_cheapest) {
    auto input = one_nic();
    input.net.routes = {{"", "10.0.0.9", "eth0", 200, true},
                        {"", "10.0.0.254", "eth0", 100, true},
                        {"", "fe80::1", "eth0", 1, false},
                        {"10.0.0.0/24", "", "eth0", 0, true},
                        {"10.9.9.9/32", "10.0.0.1", "eth0", 0, true},
                        {"2001:db8::/64", "", "eth0", 0, false},
                        {"10.5.0.0/16", "", "eth1", 0, true}};
    const auto nic = only_nic(input);
    CHECK(nic.routes == (std::vector<std::string>{"10.0.0.0/24", "10.9.9.9/32"}));
    STRCMP_EQUAL("10.0.0.254", nic.gateway.c_str());
}

TEST(HwNics, servers_of_no_interface_belong_to_the_one_with_the_default_route) {
    auto input = one_nic();
    input.settings.shared_dns = {"10.0.0.53"};
    CHECK(only_nic(input).dns.empty());
    input.net.routes = {{"", "10.0.0.254", "eth0", 100, true}};
    CHECK(only_nic(input).dns == std::vector<std::string>{"10.0.0.53"});
    input.settings.dns["eth0"] = {"10.0.0.54"};
    CHECK(only_nic(input).dns == std::vector<std::string>{"10.0.0.54"});
}

TEST(HwNics, hardware_comes_first_and_what_is_no_network_card_is_left_out) {
    NicInput input;
    input.sysfs = {hardware("br0"), hardware("eth10"), hardware("eth2"), hardware("tun0")};
    input.sysfs[0].has_device = false;
    input.sysfs[3].hardware_type = 65534;
    input.net.links = {LinkRecord{}};
    input.net.links[0].name = "br0";
    input.net.links[0].kind = "bridge";
    const auto nics = make_nics(input);
    LONGS_EQUAL(3, nics.size());
    STRCMP_EQUAL("br0", nics[2].name.c_str());
    STRCMP_EQUAL("bridge", nics[2].kind.c_str());
}

TEST(HwNics, a_management_controllers_card_is_marked_and_a_plain_usb_card_is_not) {
    auto input = one_nic();
    input.sysfs[0].driver = "cdc_ether";
    input.sysfs[0].usb_vendor = "046b";
    CHECK(only_nic(input).bmc);
    input.sysfs[0].usb_vendor = "0bda";
    input.sysfs[0].usb_product = "Realtek USB 10/100 LAN";
    CHECK(!only_nic(input).bmc);
    input.sysfs[0].usb_product = "Lenovo XClarity BMC Ethernet";
    CHECK(only_nic(input).bmc);
}

TEST(HwNics, a_sysfs_of_another_namespace_does_not_lend_its_devices) {
    NicInput input;
    input.sysfs = {hardware("eth0"), hardware("eth1")};
    input.sysfs[0].index = 2; // another eth0 than the kernel's
    LinkRecord link;
    link.name = "eth0";
    link.index = 7;
    link.hardware_type = 1;
    link.mac = "52:54:00:aa:00:77";
    link.carrier = true;
    input.net.links = {link};
    keep_to_kernels_list(input);
    const auto nics = make_nics(input);
    LONGS_EQUAL(1, nics.size());
    STRCMP_EQUAL("52:54:00:aa:00:77", nics[0].mac.c_str());
    STRCMP_EQUAL("", nics[0].driver.c_str());
    CHECK(nics[0].state == facts::LinkState::kUp);
}

TEST(HwNics, the_longest_route_says_which_interface_reaches_an_address) {
    const std::vector<RouteRecord> routes = {{"", "10.0.0.1", "eth0", 0, true},
                                             {"10.2.0.0/16", "", "eth1", 0, true},
                                             {"10.2.3.0/24", "", "eth2", 0, true}};
    const auto towards = [&](const char* text) {
        return interface_towards(*IpAddress::parse(text), routes);
    };
    STRCMP_EQUAL("eth2", towards("10.2.3.4").c_str());
    STRCMP_EQUAL("eth1", towards("10.2.9.9").c_str());
    STRCMP_EQUAL("eth0", towards("192.0.2.1").c_str());
    STRCMP_EQUAL("", towards("2001:db8::1").c_str());
}

TEST(HwNics, a_resolver_that_is_this_machine_is_no_server) {
    CHECK(parse_resolv_conf("# x\nnameserver 127.0.0.53\nnameserver 10.0.0.53\n"
                            "nameserver fe80::1%eth0\nnameserver nonsense\n") ==
          (std::vector<std::string>{"10.0.0.53", "fe80::1"}));
}

TEST(HwNics, networkds_state_gives_servers_and_leases) {
    MemoryTree tree;
    tree.files["/run/systemd/netif/leases/2"] = "ADDRESS=10.0.0.7\nDNS=10.0.0.53 10.0.0.54\n";
    tree.files["/run/systemd/netif/links/2"] = "ADMIN_STATE=configured\nDNS=10.0.0.55#name\n";
    auto nic = hardware("eth0");
    nic.index = 2;
    const auto settings = read_nic_settings(tree, {nic});
    CHECK(settings.leased.at("eth0") == std::vector<std::string>{"10.0.0.7"});
    CHECK(settings.dns.at("eth0") ==
          (std::vector<std::string>{"10.0.0.55", "10.0.0.53", "10.0.0.54"}));
}

TEST(HwNics, sysfs_alone_tells_bonds_vlans_and_the_address_a_member_came_with) {
    MemoryTree tree;
    const std::string member = "/sys/devices/pci0/0000:00:06.0/net/eth0";
    tree.links["/sys/class/net/eth0"] = "../../devices/pci0/0000:00:06.0/net/eth0";
    tree.files[member + "/ifindex"] = "2\n";
    tree.files[member + "/type"] = "1\n";
    tree.files[member + "/address"] = "52:54:00:AA:00:99\n";
    tree.files[member + "/bonding_slave/perm_hwaddr"] = "52:54:00:aa:00:01\n";
    tree.files[member + "/speed"] = "-1\n";
    tree.links[member + "/device"] = "../../../0000:00:06.0";
    const std::string vlan = "/sys/devices/virtual/net/eth0.42";
    tree.links["/sys/class/net/eth0.42"] = "../../devices/virtual/net/eth0.42";
    tree.files[vlan + "/ifindex"] = "3\n";
    tree.files[vlan + "/type"] = "1\n";
    tree.files["/proc/net/vlan/config"] = "VLAN Dev name | VLAN ID\neth0.42 | 42  | eth0\n";
    tree.files["/sys/class/net/bonding_masters"] = "bond0\n";
    const auto nics = read_nic_sysfs(tree);
    LONGS_EQUAL(2, nics.size());
    STRCMP_EQUAL("52:54:00:aa:00:01", nics[0].permanent_mac.c_str());
    STRCMP_EQUAL("52:54:00:aa:00:99", nics[0].mac.c_str());
    CHECK(nics[0].has_device);
    LONGS_EQUAL(-1, nics[0].speed.value_or(0));
    const auto links = links_from_sysfs(tree, nics);
    LONGS_EQUAL(42, links[1].vlan_id.value_or(0));
    STRCMP_EQUAL("eth0", links[1].parent.c_str());
}

TEST(HwNics, a_host_route_of_iproute2_gets_its_prefix) {
    const auto parsed = parse_json(
        R"([{"dst":"default","gateway":"10.0.0.1","dev":"eth0"},{"dst":"10.9.9.9","dev":"eth0"},
            {"dst":"nonsense","dev":"eth0"}])");
    const auto routes = parse_ip_routes(*parsed.root);
    LONGS_EQUAL(2, routes.size());
    STRCMP_EQUAL("", routes[0].destination.c_str());
    STRCMP_EQUAL("10.9.9.9/32", routes[1].destination.c_str());
}
