#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include <net/if.h>

#include "common/base/text.hpp"
#include "hwdiscovery/edge/lldp_socket.hpp"
#include "hwdiscovery/lldp.hpp"
#include "tests/hwdiscovery/network_namespace.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

std::string part(int type, const std::string& value) {
    const auto head = static_cast<unsigned>(type) << 9 | static_cast<unsigned>(value.size());
    return std::string{static_cast<char>(head >> 8), static_cast<char>(head & 0xff)} + value;
}

const std::string kMac("\x04\x52\x54\x00\xab\xcd\xef", 7);
const std::string kHead = part(1, kMac) +
                          part(2, "\x05"
                                  "Ethernet1/7") +
                          part(3, {"\0\x78", 2});
const std::string kEndPart("\0\0", 2);

std::optional<facts::LldpNeighbour> parse(const std::string& bytes) {
    return parse_lldp({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::string port_of(const std::string& value) {
    const auto said = parse(part(1, kMac) + part(2, value) + part(3, {"\0\x78", 2}) + kEndPart);
    return said ? said->port_id : "refused";
}

} // namespace

TEST_GROUP(HwLldp){};

TEST(HwLldp, a_switch_says_who_it_is_and_which_port_this_is) {
    const auto said =
        parse(kHead + part(4, "to rack-7") + part(5, "leaf-3.example") +
              part(7, {"\0\x14\0\x14", 4}) + part(127, {"\0\x80\xc2\x01\0\x2a", 6}) +
              part(127, {"\0\x12\x0f\x01\x03", 5}) + kEndPart + std::string(20, '\0'));
    CHECK(said.has_value());
    CHECK(*said == (facts::LldpNeighbour{"52:54:00:ab:cd:ef", "Ethernet1/7", "leaf-3.example",
                                         "to rack-7", 42}));
}

TEST(HwLldp, the_three_that_must_be_there_are_enough_and_the_end_may_be_the_frames) {
    CHECK(parse(kHead).has_value());
    CHECK(parse(kHead)->system_name.empty());
    CHECK(!parse(kHead)->vlan_id.has_value());
}

TEST(HwLldp, what_is_cut_anywhere_is_none) {
    const std::string whole = kHead + part(5, "leaf-3") + part(127, {"\0\x80\xc2\x01\0\x2a", 6});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const bool is_whole_part = size == kHead.size() || size == kHead.size() + 8;
        CHECK_EQUAL(is_whole_part, parse(whole.substr(0, size)).has_value());
    }
}

TEST(HwLldp, a_mandatory_part_that_is_missing_twice_empty_or_out_of_order_makes_it_none) {
    const std::string chassis = part(1, kMac),
                      port = part(2, "\x05"
                                     "e1"),
                      life = part(3, {"\0\x78", 2});
    CHECK(parse(chassis + port + life + kEndPart).has_value());
    CHECK(!parse(port + chassis + life + kEndPart).has_value());
    CHECK(!parse(chassis + life + kEndPart).has_value());
    CHECK(!parse(chassis + port + kEndPart).has_value());
    CHECK(!parse(chassis + port + life + port + kEndPart).has_value());
    CHECK(!parse(part(1, "") + port + life + kEndPart).has_value());
    CHECK(!parse(chassis + part(2, "\x05") + life + kEndPart).has_value());
    CHECK(!parse(chassis + port + part(3, "\x78") + kEndPart).has_value());
    CHECK(!parse(chassis + part(2, "\x05" + std::string(256, 'a')) + life).has_value());
}

TEST(HwLldp, whatever_comes_is_a_neighbour_with_a_name_or_none) {
    const std::string whole = kHead + part(4, "to rack-7") + part(5, "leaf-3") +
                              part(127, {"\0\x80\xc2\x01\0\x2a", 6}) + kEndPart;
    std::mt19937 dice(20261130);
    for (int run = 0; run < 20'000; ++run) {
        std::string bytes = whole.substr(0, dice() % (whole.size() + 1));
        for (unsigned edits = dice() % 4; edits > 0 && !bytes.empty(); --edits)
            bytes[dice() % bytes.size()] = static_cast<char>(dice());
        const auto said = parse(bytes);
        if (!said) continue;
        CHECK(!said->chassis_id.empty() && !said->port_id.empty());
        CHECK(is_utf8(said->chassis_id + said->port_id + said->system_name));
    }
}

TEST(HwLldp, one_that_takes_its_leave_is_no_neighbour) {
    CHECK(!parse(part(1, kMac) +
                 part(2, "\x05"
                         "e1") +
                 part(3, {"\0\0", 2}) + kEndPart));
}

TEST(HwLldp, an_identifier_is_text_a_mac_an_address_or_hex) {
    STRCMP_EQUAL("swp7", port_of("\x05swp7").c_str());
    STRCMP_EQUAL("swp7", port_of(std::string("\x05swp7\0", 6)).c_str());
    STRCMP_EQUAL("52:54:00:00:00:07", port_of({"\x03\x52\x54\0\0\0\x07", 7}).c_str());
    STRCMP_EQUAL("10.0.0.7", port_of({"\x04\x01\x0a\0\0\x07", 6}).c_str());
    STRCMP_EQUAL("2001:db8::7",
                 port_of("\x04\x02" + std::string("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07", 16))
                     .c_str());
    STRCMP_EQUAL("0a0000", port_of({"\x04\x0a\0\0", 4}).c_str()); // of no family
    STRCMP_EQUAL("fffe", port_of("\x05\xff\xfe").c_str());
    STRCMP_EQUAL("RT", port_of("\x03\x52\x54").c_str()); // too short for a MAC
}

TEST(HwLldp, a_vlan_outside_1_to_4094_or_of_another_organisation_is_none) {
    const auto vlan = [](const std::string& value) {
        return parse(kHead + part(127, value) + kEndPart).value().vlan_id.value_or(-1);
    };
    LONGS_EQUAL(4094, vlan({"\0\x80\xc2\x01\x0f\xfe", 6}));
    LONGS_EQUAL(-1, vlan({"\0\x80\xc2\x01\0\0", 6}));
    LONGS_EQUAL(-1, vlan({"\0\x80\xc2\x01\x0f\xff", 6}));
    LONGS_EQUAL(-1, vlan({"\0\x80\xc3\x01\0\x2a", 6}));
    LONGS_EQUAL(-1, vlan({"\0\x80\xc2\x02\0\x2a", 6}));
    LONGS_EQUAL(-1, vlan({"\0\x80\xc2\x01\0", 5}));
    LONGS_EQUAL(-1, vlan(""));
}

TEST(HwLldp, text_of_a_switch_cannot_spoil_a_terminal_or_a_document) {
    const auto said = parse(kHead + part(5, "a\x1b[31m\xff") + kEndPart);
    CHECK(is_utf8(said.value().system_name));
    CHECK(said->system_name.find('\x1b') == std::string::npos);
}

TEST(HwLldp, listened_at_are_cards_with_a_carrier) {
    facts::Nic nic;
    nic.name = "eth0";
    nic.state = facts::LinkState::kUp;
    const std::vector<std::pair<std::string, int>> indexes = {{"lo", 1}, {"eth0", 2}};
    LONGS_EQUAL(1, lldp_ports({nic}, indexes).size());
    LONGS_EQUAL(2, lldp_ports({nic}, indexes)[0].index);
    auto other = nic;
    other.kind = "bond";
    LONGS_EQUAL(0, lldp_ports({other}, indexes).size());
    other = nic;
    other.state = facts::LinkState::kDown;
    LONGS_EQUAL(0, lldp_ports({other}, indexes).size());
    other = nic;
    other.bmc = true;
    LONGS_EQUAL(0, lldp_ports({other}, indexes).size());
    other = nic;
    other.name = "eth1"; // gone again
    LONGS_EQUAL(0, lldp_ports({other}, indexes).size());
}

TEST(HwLldp, a_real_frame_is_heard_at_the_other_end_and_what_we_send_ourselves_is_not) {
    const std::string answer = in_network_namespace([]() -> std::string {
        if (!add_veth_pair("here", "there")) return "no veth pair";
        const std::string frame =
            std::string("\x01\x80\xc2\0\0\x0e\x52\x54\0\0\0\x01\x88\xcc", 14) + kHead +
            part(5, "leaf-3") + kEndPart + std::string(30, '\0');
        const std::string own = frame.substr(0, 14) + kHead + part(5, "ourselves") + kEndPart;
        const std::vector<LldpPort> ports = {{static_cast<int>(::if_nametoindex("here")), "here"}};
        // A switch sends again and again; nobody can tell when this end begins to listen.
        std::atomic<bool> is_heard = false;
        std::thread a_switch([&] {
            while (!is_heard) {
                send_frame("here", own);
                send_frame("there", frame);
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        });
        const auto heard = listen_for_lldp(ports, {10'000, -1});
        is_heard = true;
        a_switch.join();
        if (!heard) return heard.error().message;
        if (heard->count("here") != 1 || heard->at("here").size() != 1) return "nothing was heard";
        return heard->at("here")[0].system_name == "leaf-3" ? "" : "somebody else was heard";
    });
    STRCMP_EQUAL("", answer.c_str());
}

TEST(HwLldp, a_silent_port_costs_the_limit_and_a_port_that_is_gone_nothing) {
    const std::string answer = in_network_namespace([]() -> std::string {
        if (!add_veth_pair("here", "there")) return "no veth pair";
        const auto silent =
            listen_for_lldp({{static_cast<int>(::if_nametoindex("here")), "here"}}, {50, -1});
        if (!silent || !silent->empty()) return "a silent port was heard";
        const auto gone = listen_for_lldp({{4711, "gone"}}, {10'000, -1});
        return gone && gone->empty() ? "" : "a port that is gone was heard";
    });
    STRCMP_EQUAL("", answer.c_str());
}
