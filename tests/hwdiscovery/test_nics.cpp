#include <algorithm>

#include "common/base/text.hpp"
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

TEST(HwNics, duplex_is_full_half_or_not_known) {
    auto input = one_nic();
    for (const char* word : {"full", "half"}) {
        input.sysfs[0].duplex = word;
        STRCMP_EQUAL(word, only_nic(input).duplex.c_str());
    }
    input.sysfs[0].duplex = "unknown";
    STRCMP_EQUAL("", only_nic(input).duplex.c_str());
    input.sysfs[0].duplex = "full";
    input.sysfs[0].carrier = false; // what it last had
    STRCMP_EQUAL("", only_nic(input).duplex.c_str());
}

TEST(HwNics, a_permanent_address_stays_through_a_bond_and_a_new_name) {
    auto input = one_nic();
    LinkRecord link;
    link.name = "enp6s0f0np0"; // enp6s0f0 before the driver's update
    link.alt_names = {"enp6s0f0", "enxffff"};
    link.mac = "3a:c6:07:80:36:72"; // the bond's
    link.permanent_mac = "52:54:00:aa:00:01";
    link.master = "bond0";
    input.sysfs[0].name = link.name;
    input.net.links = {link};
    const auto nic = only_nic(input);
    STRCMP_EQUAL("3a:c6:07:80:36:72", nic.mac.c_str());
    STRCMP_EQUAL("52:54:00:aa:00:01", nic.permanent_mac.c_str());
    STRCMP_EQUAL("bond0", nic.master.c_str());
    CHECK(nic.alt_names == (std::vector<std::string>{"enp6s0f0", "enxffff"}));
    STRCMP_EQUAL("physical", nic.kind.c_str());
}

TEST(HwNics, what_can_be_no_cards_address_is_no_permanent_one) {
    auto input = one_nic();
    std::vector<std::string> warnings;
    input.sysfs[0].permanent_mac = "00:00:00:00:00:00";
    STRCMP_EQUAL("", make_nics(input, &warnings).at(0).permanent_mac.c_str());
    CHECK(warnings.empty());
    input.sysfs[0].permanent_mac = "01:00:5e:00:00:01";
    STRCMP_EQUAL("", make_nics(input, &warnings).at(0).permanent_mac.c_str());
    LONGS_EQUAL(1, warnings.size());
    // A bond or a bridge has none of its own, whatever stands there.
    auto made_up = one_nic();
    made_up.sysfs[0].has_device = false;
    STRCMP_EQUAL("", only_nic(made_up).permanent_mac.c_str());
}

TEST(HwNics, two_ports_of_one_permanent_address_are_said) {
    NicInput input;
    input.sysfs = {hardware("eth0"), hardware("eth1")};
    std::vector<std::string> warnings;
    make_nics(input, &warnings);
    LONGS_EQUAL(1, warnings.size());
    CHECK(warnings[0].find("eth0 and eth1") != std::string::npos);
    warnings.clear();
    input.sysfs[1].permanent_mac = "52:54:00:aa:00:02";
    make_nics(input, &warnings);
    CHECK(warnings.empty());
}

TEST(HwNics, firmware_is_what_the_driver_says_and_no_answer_is_none) {
    auto input = one_nic();
    input.net.links = {LinkRecord{}};
    input.net.links[0].name = "eth0";
    const auto firmware = [&](const char* text) {
        input.net.links[0].firmware_version = text;
        return only_nic(input).firmware_version;
    };
    STRCMP_EQUAL("14.27.6008 (DEL0000000015)", firmware("14.27.6008 (DEL0000000015) ").c_str());
    for (const char* none : {"", "N/A", "n/a", " ", "unknown"})
        STRCMP_EQUAL("", firmware(none).c_str());
    STRCMP_EQUAL("1.\xEF\xBF\xBD", firmware("1.\xff").c_str());
}

TEST(HwNics, what_is_no_hardware_has_no_firmware) {
    auto input = one_nic();
    input.net.links = {LinkRecord{}};
    input.net.links[0].name = "eth0";
    input.net.links[0].firmware_version = "2";
    input.sysfs[0].has_device = false;
    STRCMP_EQUAL("", only_nic(input).firmware_version.c_str());
}

TEST(HwNics, a_virtual_function_beside_its_card_is_no_port_and_one_alone_is) {
    auto input = one_nic();
    input.sysfs[0].is_virtual_function = true;
    input.sysfs[0].physical_function = "enp3s0f0";
    auto nic = only_nic(input);
    STRCMP_EQUAL("other", nic.kind.c_str());
    STRCMP_EQUAL("enp3s0f0", nic.parent.c_str());
    input.sysfs[0].is_virtual_function = false; // handed through into a virtual machine
    STRCMP_EQUAL("physical", only_nic(input).kind.c_str());
}

TEST(HwNics, a_port_that_stands_for_a_function_is_no_port_and_the_cables_end_is) {
    auto input = one_nic();
    for (const char* port : {"pf0vf3", "pf1sf88", "c1pf0vf0", "pf0hpf"}) {
        input.sysfs[0].port_name = port;
        STRCMP_EQUAL("other", only_nic(input).kind.c_str());
    }
    for (const char* port : {"", "p0", "p1", "1", "pf0", "c1", "uplink"}) {
        input.sysfs[0].port_name = port;
        STRCMP_EQUAL("physical", only_nic(input).kind.c_str());
    }
}

TEST(HwNics, the_card_that_works_below_a_paravirtual_one_is_not_a_second_port) {
    NicInput input;
    input.sysfs = {hardware("eth0"), hardware("enP1s1")};
    input.sysfs[0].driver = "hv_netvsc";
    input.sysfs[1].driver = "mlx5_core";
    input.sysfs[1].master = "eth0";
    std::vector<std::string> warnings;
    const auto nics = make_nics(input, &warnings);
    STRCMP_EQUAL("eth0", nics[0].name.c_str());
    STRCMP_EQUAL("physical", nics[0].kind.c_str());
    STRCMP_EQUAL("other", nics[1].kind.c_str());
    CHECK(warnings.empty());
}

TEST(HwNics, a_veth_and_its_like_are_other) {
    auto input = one_nic();
    input.sysfs[0].has_device = false;
    input.net.links = {LinkRecord{}};
    input.net.links[0].name = "eth0";
    for (const char* kind : {"veth", "dummy", "macvlan", ""}) {
        input.net.links[0].kind = kind;
        STRCMP_EQUAL("other", only_nic(input).kind.c_str());
    }
    // Its sysfs is another namespace's, but the kernel says what is behind it.
    input.net.links[0].parent_bus = "pci";
    input.net.links[0].parent_device = "0000:03:00.0";
    STRCMP_EQUAL("physical", only_nic(input).kind.c_str());
    STRCMP_EQUAL("0000:03:00.0", only_nic(input).pci_address.c_str());
}

TEST(HwNics, a_bond_has_its_members_and_the_options_that_its_mode_has) {
    NicInput input;
    input.sysfs = {hardware("bond0"), hardware("eth10"), hardware("eth2")};
    input.sysfs[0].has_device = false;
    for (const char* name : {"bond0", "eth10", "eth2"}) {
        input.net.links.emplace_back();
        input.net.links.back().name = name;
        if (name != std::string("bond0")) input.net.links.back().master = "bond0";
    }
    input.net.links[0].kind = "bond";
    input.net.links[0].bond = {"802.3ad", "layer3+4", "fast", 100};
    auto bond = make_nics(input).at(2).bond.value();
    CHECK(bond == (facts::NicBond{"802.3ad", {"eth2", "eth10"}, "layer3+4", "fast", 100}));
    input.net.links[0].bond.mode = "active-backup";
    bond = make_nics(input).at(2).bond.value();
    CHECK(bond == (facts::NicBond{"active-backup", {"eth2", "eth10"}, "", "", 100}));
    // The kernel's route socket did not tell: sysfs has the same.
    input.net.links[0].bond = {};
    input.sysfs[0].bond = {"balance-xor", "layer2", "slow", {}};
    input.sysfs[0].bond_members = {"eth2"};
    bond = make_nics(input).at(2).bond.value();
    CHECK(bond == (facts::NicBond{"balance-xor", {"eth2"}, "layer2", "", {}}));
}

TEST(HwNics, a_bridge_has_its_members_and_another_kind_has_none) {
    NicInput input;
    input.sysfs = {hardware("br0"), hardware("eth0")};
    input.sysfs[0].has_device = false;
    input.sysfs[1].master = "br0";
    input.net.links = {LinkRecord{}};
    input.net.links[0].name = "br0";
    input.net.links[0].kind = "bridge";
    const auto nics = make_nics(input);
    CHECK(nics[1].bridge_members == std::vector<std::string>{"eth0"});
    CHECK(nics[0].bridge_members.empty());
    STRCMP_EQUAL("br0", nics[0].master.c_str());
}

TEST(HwNics, one_odd_device_costs_what_is_odd_with_a_word_about_it) {
    NicInput input;
    input.sysfs = {hardware("eth0"), hardware("et\xffh1"), hardware("v0"), hardware("b0")};
    input.sysfs[0].mac.clear();
    input.sysfs[0].permanent_mac.clear();
    input.sysfs[2].has_device = input.sysfs[3].has_device = false;
    input.net.links.resize(3);
    input.net.links[0].name = "v0";
    input.net.links[0].kind = "vlan";
    input.net.links[1].name = "b0";
    input.net.links[1].kind = "bond";
    input.net.links[2].name = "eth0";
    for (int i = 0; i < 300; ++i)
        input.net.links[2].addresses.push_back({"10.0." + std::to_string(i) + ".1/24"});
    std::vector<std::string> warnings;
    facts::Inventory inventory;
    inventory.nics = make_nics(input, &warnings);
    LONGS_EQUAL(4, inventory.nics.size());
    const auto said = join(warnings, "\n");
    for (const char* part : {"eth0: its MAC address cannot be read", "eth0: it has 300 addresses",
                             "v0: its VLAN id cannot be read", "b0: its bond mode cannot be read"})
        CHECK_TEXT(said.find(part) != std::string::npos, part);
    // The founder takes it, odd as it is.
    Findings findings;
    CHECK(facts::read_inventory(facts::to_node(inventory), {}, findings).nics == inventory.nics);
    for (const auto& finding : findings.lines()) FAIL(finding.c_str());
}

TEST(HwNics, a_type_that_sysfs_does_not_tell_is_the_kernels) {
    auto input = one_nic();
    input.sysfs[0].hardware_type.reset();
    LONGS_EQUAL(0, make_nics(input).size());
    input.net.links = {LinkRecord{}};
    input.net.links[0].name = "eth0";
    input.net.links[0].hardware_type = 1;
    LONGS_EQUAL(1, make_nics(input).size());
}

TEST(HwNics, names_that_are_no_text_do_not_spoil_the_document) {
    NicInput input;
    input.sysfs = {hardware("b\xff"), hardware("e\xff")};
    input.sysfs[0].has_device = false;
    input.sysfs[1].master = "b\xff";
    input.net.links = {LinkRecord{}};
    input.net.links[0].name = "b\xff";
    input.net.links[0].kind = "bond";
    const auto nics = make_nics(input);
    STRCMP_EQUAL("b\xef\xbf\xbd", nics[0].master.c_str());
    CHECK(nics[1].bond.value().members == std::vector<std::string>{"e\xef\xbf\xbd"});
}

TEST(HwNics, more_devices_than_the_api_takes_are_cut_with_a_word_about_it) {
    NicInput input;
    for (int i = 0; i < 600; ++i) {
        input.sysfs.push_back(hardware("eth" + std::to_string(i)));
        input.sysfs.back().permanent_mac.clear();
    }
    std::vector<std::string> warnings;
    LONGS_EQUAL(512, make_nics(input, &warnings).size());
    LONGS_EQUAL(1, warnings.size());
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
    // Routers announce networks; a single address was given by a server.
    STRCMP_EQUAL("dhcp", how({"2001:db8::17/128", true, false, false}).c_str());
    STRCMP_EQUAL("static", how({"2001:db8::17/128", false, false, false}).c_str());
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
    STRCMP_EQUAL("eth2", nics[0].name.c_str()); // by number, wherever it stood
    STRCMP_EQUAL("eth10", nics[1].name.c_str());
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
    // Dell makes both.
    input.sysfs[0].usb_vendor = "413c";
    input.sysfs[0].usb_product = "Dell Universal Dock D6000";
    CHECK(!only_nic(input).bmc);
    input.sysfs[0].usb_product = "iDRAC Virtual NIC USB Device";
    CHECK(only_nic(input).bmc);
    input.sysfs[0].driver = "r8152";
    CHECK(!only_nic(input).bmc);
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

TEST(HwNics, what_an_initramfs_was_lent_is_leased_and_what_it_was_told_is_not) {
    MemoryTree tree;
    auto nic = hardware("eth0");
    const auto leased = [&](const std::string& conf) {
        tree.files["/run/net-eth0.conf"] = conf;
        return read_nic_settings(tree, {nic}).leased.at("eth0");
    };
    CHECK(leased("DEVICE='eth0'\nPROTO='dhcp'\nIPV4ADDR='10.0.0.5'\n") ==
          std::vector<std::string>{"10.0.0.5"});
    CHECK(leased("DEVICE='eth0'\nPROTO='none'\nIPV4ADDR='10.0.0.5'\n").empty());
    CHECK(leased("PROTO='dhcp'\nIPV4ADDR='nonsense'\n").empty());
    CHECK(leased("PROTO='dhcp'\nIPV4ADDR='\n").empty());
    CHECK(leased("").empty());
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

TEST(HwNics, sysfs_tells_duplex_bond_options_a_bridges_ports_and_a_functions_card) {
    MemoryTree tree;
    const auto add = [&](const std::string& name, const std::string& folder) {
        tree.links["/sys/class/net/" + name] = "../../devices/" + folder + "/net/" + name;
        std::string path = "/sys/devices/" + folder + "/net/" + name;
        tree.files[path + "/ifindex"] = "2\n";
        tree.files[path + "/type"] = "1\n";
        return path;
    };
    const auto vf = add("enp3s0f0v0", "pci0/0000:03:02.0");
    tree.files[vf + "/duplex"] = "full\n";
    tree.files[vf + "/phys_port_name"] = "p0\n";
    tree.links[vf + "/device"] = "../../../0000:03:02.0";
    tree.links["/sys/devices/pci0/0000:03:02.0/physfn"] = "../0000:03:00.0";
    tree.files["/sys/devices/pci0/0000:03:00.0/net/enp3s0f0/ifindex"] = "9\n";
    const auto bond = add("bond0", "virtual");
    tree.files[bond + "/bonding/mode"] = "802.3ad 4\n";
    tree.files[bond + "/bonding/xmit_hash_policy"] = "layer3+4 1\n";
    tree.files[bond + "/bonding/lacp_rate"] = "fast 1\n";
    tree.files[bond + "/bonding/miimon"] = "100\n";
    tree.files[bond + "/bonding/slaves"] = "eth0 eth1\n";
    const auto bridge = add("br0", "virtual");
    tree.files[bridge + "/bridge/bridge_id"] = "8000\n";
    tree.links[bridge + "/brif/bond0"] = "../../bond0/brport";
    const auto nics = read_nic_sysfs(tree);
    LONGS_EQUAL(3, nics.size());
    CHECK(nics[0].bond == (BondRecord{"802.3ad", "layer3+4", "fast", 100}));
    CHECK(nics[1].bridge_members == std::vector<std::string>{"bond0"});
    CHECK(!nics[1].is_bond);
    STRCMP_EQUAL("full", nics[2].duplex.c_str());
    CHECK(nics[2].is_virtual_function);
    STRCMP_EQUAL("enp3s0f0", nics[2].physical_function.c_str());
}

TEST(HwNics, where_proc_has_no_vlans_what_a_device_stands_on_is_its_parent) {
    MemoryTree tree;
    const std::string vlan = "/sys/devices/virtual/net/eth0.7";
    tree.links["/sys/class/net/eth0.7"] = "../../devices/virtual/net/eth0.7";
    tree.files[vlan + "/ifindex"] = "3\n";
    tree.files[vlan + "/type"] = "1\n";
    tree.files[vlan + "/uevent"] = "DEVTYPE=vlan\nINTERFACE=eth0.7\n";
    tree.links[vlan + "/lower_eth0"] = "../../pci0/net/eth0";
    const auto links = links_from_sysfs(tree, read_nic_sysfs(tree));
    STRCMP_EQUAL("vlan", links.at(0).kind.c_str());
    STRCMP_EQUAL("eth0", links.at(0).parent.c_str());
}

TEST(HwNics, iproute2_tells_a_bonds_options_and_the_hardware_behind) {
    const auto parsed = parse_json(
        R"([{"ifindex":5,"ifname":"bond0","flags":["UP"],"linkinfo":{"info_kind":"bond","info_data":
             {"mode":"802.3ad","miimon":100,"xmit_hash_policy":"layer2","ad_lacp_rate":"slow"}}},
            {"ifindex":6,"ifname":"eth0","parentbus":"pci","parentdev":"0000:03:00.0",
             "linkinfo":{"info_slave_data":{"perm_hwaddr":"52:54:00:AA:00:01"}}}])");
    const auto links = parse_ip_links(*parsed.root);
    CHECK(links[0].bond == (BondRecord{"802.3ad", "layer2", "slow", 100}));
    STRCMP_EQUAL("52:54:00:aa:00:01", links[1].permanent_mac.c_str());
    STRCMP_EQUAL("0000:03:00.0", links[1].parent_device.c_str());
    // What we write is what we read.
    CHECK(parse_ip_links(ip_links_node(links)) == links);
}

TEST(HwNics, iproute2s_routes_of_several_hops_and_those_that_lead_nowhere) {
    const auto parsed = parse_json(
        R"([{"dst":"10.8.0.0/16","nexthops":[{"gateway":"10.0.0.1","dev":"eth0"},
                                              {"gateway":"10.1.0.1","dev":"eth1"}]},
            {"type":"unreachable","dst":"10.9.0.0/16","dev":"lo"},
            {"dst":"default","via":{"family":"inet6","host":"fe80::1"},"dev":"eth0",
             "family":"inet"}])");
    const auto routes = parse_ip_routes(*parsed.root);
    LONGS_EQUAL(3, routes.size());
    STRCMP_EQUAL("eth1", routes[1].interface.c_str());
    STRCMP_EQUAL("10.1.0.1", routes[1].gateway.c_str());
    CHECK(routes[2].is_v4);
    STRCMP_EQUAL("fe80::1", routes[2].gateway.c_str());
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
