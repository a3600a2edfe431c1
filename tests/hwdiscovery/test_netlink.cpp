#include <algorithm>

#include "hwdiscovery/edge/ethtool.hpp"
#include "hwdiscovery/edge/netlink.hpp"
#include "tests/hwdiscovery/network_namespace.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

const LinkRecord* find(const NetRecords& net, const std::string& name) {
    const auto found = std::find_if(net.links.begin(), net.links.end(),
                                    [&](const auto& link) { return link.name == name; });
    return found == net.links.end() ? nullptr : &*found;
}

std::string check_pair_and_bridge() {
    if (!add_veth_pair("one", "two") || !add_bridge("br7", "one")) return "not made";
    auto net = read_net();
    if (!net) return net.error().message;
    ask_drivers(net->links);
    const auto *one = find(*net, "one"), *bridge = find(*net, "br7");
    if (one == nullptr || bridge == nullptr) return "not listed";
    if (one->kind != "veth" || bridge->kind != "bridge") return "of another kind";
    if (one->master != "br7" || !bridge->master.empty()) return "another master";
    if (one->carrier != true || bridge->carrier.has_value()) return "another carrier";
    if (one->mac.size() != 17 || one->hardware_type != 1u) return "no MAC";
    if (one->driver != "veth" || bridge->driver != "bridge") return "another driver";
    if (!one->permanent_mac.empty() || !one->parent_device.empty()) return "hardware";
    if (!set_link("two", false)) return "not set";
    net = read_net();
    if (!net || find(*net, "one")->carrier != false) return "a carrier without a peer";
    return "";
}

} // namespace

TEST_GROUP(HwNetlink){};

TEST(HwNetlink, the_kernel_tells_kinds_masters_carriers_and_drivers) {
    STRCMP_EQUAL("", in_network_namespace(check_pair_and_bridge).c_str());
}

TEST(HwNetlink, a_link_that_is_gone_or_none_costs_its_drivers_answer) {
    std::vector<LinkRecord> links(2);
    links[0].name = "nosuchlink0";
    links[1].name = std::string(100, 'x');
    ask_drivers(links);
    STRCMP_EQUAL("", links[0].driver.c_str());
    STRCMP_EQUAL("", links[1].permanent_mac.c_str());
}

TEST(HwNetlink, the_same_machine_gives_the_same_records) {
    const std::string answer = in_network_namespace([]() -> std::string {
        if (!add_veth_pair("one", "two")) return "not made";
        // The pair's own addresses come when the kernel has seen both ends.
        for (int tries = 0; tries < 1000; ++tries) {
            const auto before = read_net(), again = read_net();
            if (before && again && *before == *again) return "";
        }
        return "another answer each time";
    });
    STRCMP_EQUAL("", answer.c_str());
}
