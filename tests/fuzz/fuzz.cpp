// Mutations of good input for every reader: fuzz TARGET SEED SECONDS FOLDER. The input of the run
// that is under way stands in FOLDER/TARGET.input, so that a crash leaves it there.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/net.hpp"
#include "common/base/text.hpp"
#include "common/base/version.hpp"
#include "common/config/assignment.hpp"
#include "common/config/node_config.hpp"
#include "common/facts/inventory.hpp"
#include "common/link/join_code.hpp"
#include "common/link/messages.hpp"
#include "common/link/problem.hpp"
#include "founder/api/policy.hpp"
#include "hwdiscovery/captured.hpp"
#include "hwdiscovery/lldp.hpp"
#include "installer/phases/tar_reader.hpp"
#include "installer/phases/volume_groups.hpp"
#include "tests/fuzz/targets.hpp"

namespace {

using stratum::Findings;
using stratum::Node;

bool json_round_trip(const std::string& text) {
    const auto parsed = stratum::parse_json(text);
    if (!parsed.root || !parsed.findings.empty()) return !parsed.findings.empty();
    const auto again = stratum::parse_json(stratum::write_json(*parsed.root));
    return again.root && *again.root == *parsed.root;
}

bool yaml_round_trip(const std::string& text) {
    const auto parsed = stratum::parse_yaml(text);
    if (!parsed.root || !parsed.findings.empty()) return !parsed.findings.empty();
    const auto again = stratum::parse_yaml(stratum::write_yaml(*parsed.root));
    return again.root && *again.root == *parsed.root;
}

// Reads a body as the listeners do; any outcome is fine that is no crash.
template<class Read>
std::function<bool(const std::string&)> body(Read read) {
    return [read](const std::string& text) {
        const auto parsed = stratum::parse_json(text);
        if (!parsed.root) return !parsed.findings.empty();
        Findings findings = parsed.findings;
        (void)read(*parsed.root, findings);
        return true;
    };
}

bool node_yaml(const std::string& text) {
    const auto checked = stratum::config::check_node_yaml(text);
    if (!checked.config) return !checked.findings.empty();
    const auto again =
        stratum::config::check_node_yaml(stratum::config::render_node_yaml(*checked.config));
    return again.config && *again.config == *checked.config;
}

bool versions(const std::string& text) {
    const auto half = text.size() / 2;
    const auto a = stratum::Version::parse(text.substr(0, half));
    const auto b = stratum::Version::parse(text.substr(half));
    (void)stratum::VersionRange::parse(text);
    if (!a || !b) return true;
    return (*a < *b) == (*b > *a) && (*a == *b) == (*b == *a);
}

bool addresses(const std::string& text) {
    const auto cidr = stratum::Cidr::parse(text);
    (void)stratum::MacAddress::parse(text);
    (void)stratum::HostPort::parse(text);
    if (!cidr) return true;
    const auto again = stratum::Cidr::parse(cidr->str());
    return again && *again == *cidr;
}

bool join_uri(const std::string& text) {
    (void)stratum::link::JoinCode::parse(text);
    const auto uri = stratum::link::JoinUri::parse(text);
    return !uri || stratum::link::JoinUri::parse(uri->str()).has_value();
}

bool ip_links(const std::string& text) {
    const auto parsed = stratum::parse_json(text);
    if (!parsed.root) return !parsed.findings.empty();
    const auto links = stratum::hw::parse_ip_links(*parsed.root);
    const auto again = stratum::hw::parse_ip_links(stratum::hw::ip_links_node(links));
    (void)stratum::hw::parse_ip_routes(*parsed.root);
    // What was odd about a device is gone after one writing.
    return again == stratum::hw::parse_ip_links(stratum::hw::ip_links_node(again));
}

bool lldp(const std::string& text) {
    const auto said =
        stratum::hw::parse_lldp({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return !said || (!said->chassis_id.empty() && !said->port_id.empty() &&
                     stratum::is_utf8(said->chassis_id + said->port_id + said->system_name));
}

std::string tar_of_one_file() {
    std::string tar(1024, '\0');
    tar.replace(0, 11, "bundle.json");
    tar.replace(100, 7, "0000644");
    tar.replace(124, 11, "00000000002");
    tar[156] = '0';
    tar.replace(257, 5, "ustar");
    tar.replace(512, 2, "{}");
    unsigned sum = 8 * ' ';
    for (int i = 0; i < 512; ++i) sum += static_cast<unsigned char>(tar[static_cast<size_t>(i)]);
    char text[8];
    (void)std::snprintf(text, sizeof text, "%06o", sum);
    tar.replace(148, 6, text, 6);
    return tar + std::string(1024, '\0');
}

const char* const kIpLinks =
    R"([{"ifindex":5,"ifname":"bond0","flags":["UP","LOWER_UP"],"mtu":1500,"link_type":"ether",
"address":"52:54:00:00:00:01","altnames":["b"],"linkinfo":{"info_kind":"bond","info_data":
{"mode":"802.3ad","miimon":100,"xmit_hash_policy":"layer2","ad_lacp_rate":"slow"}},
"addr_info":[{"local":"10.0.0.1","prefixlen":24,"scope":"link","dynamic":true}]},
{"ifname":"v","link":"bond0","linkinfo":{"info_kind":"vlan","info_data":{"id":42}}},
{"dst":"default","gateway":"10.0.0.1","dev":"bond0","nexthops":[{"dev":"v"}],"metric":5}])";
const std::string kLldp("\x02\x07\x04\x52\x54\0\xab\xcd\xef\x04\x05\x05swp7\x06\x02\0\x78"
                        "\x0a\x04leaf\xfe\x06\0\x80\xc2\x01\0\x2a\0\0",
                        36);
const char* const kAssignment =
    R"({"assignment":{"name":"beta","links":[{"name":"s","kind":"bond","interface":"bond0",
"bond":{"mode":"802.3ad"},"addresses":["10.0.0.2/24"],"mtu":9000,"purposes":["storage"]}],
"disks":[{"key":"wwn","role":"compute","confirm":"wwn"}]},"copyFrom":"none"})";
const char* const kNodeYaml = R"(version: 1
node: {id: n-a, name: a, role: hybrid}
mgmt: {interface: eth0, mac: "52:54:00:00:00:01", address: 10.0.0.1/24, gateway: 10.0.0.254}
network:
  connections:
    - {name: s, kind: ethernet, interface: eth1, mac: "52:54:00:00:00:02", purposes: [storage]}
disks: []
)";
const char* const kInventory =
    R"({"hostname":"a","disks":[{"name":"sda","path":"/dev/sda","sizeBytes":1,"holds":[{"type":"ext4"}],
"stack":[{"name":"md0","members":["sda"]}]}],"nics":[{"name":"e","mac":"52:54:00:00:00:01",
"addresses":[{"cidr":"10.0.0.1/24"}]}]})";
const char* const kPolicy =
    R"({"version":1,"statements":[{"effect":"allow","actions":["ha:*"],"resources":["join/*"]}]})";

std::vector<Target> targets() {
    using namespace stratum;
    return {
        {"json", {kAssignment, "[1.5e3,-0,\"\\u00e9\",{}]"}, json_round_trip},
        {"yaml", {kNodeYaml, "a: [1, 'x', \"y\\n\"]\nb: |\n  text\n"}, yaml_round_trip},
        {"node-yaml", {kNodeYaml}, node_yaml},
        {"approval", {kAssignment}, body([](const Node& node, Findings& findings) {
             return config::read_approval(node, findings);
         })},
        {"inventory", {kInventory}, body([](const Node& node, Findings& findings) {
             return facts::read_inventory(node, FieldPath(), findings);
         })},
        {"registration",
         {R"({"codeId":"6e66640c","codeProof":"00","release":"0.6.0","commitment":"00"})"},
         body([](const Node& node, Findings& findings) {
             return link::read_registration(node, findings);
         })},
        {"progress",
         {R"({"attempt":1,"steps":[{"name":"x","status":"done","percent":3}],"log":[{"seq":1,
"at":"2026-11-30T12:00:00Z","line":"x"}],"result":"joined"})"},
         body([](const Node& node, Findings& findings) {
             return link::read_progress(node, findings);
         })},
        {"policy", {kPolicy}, body([](const Node& node, Findings&) {
             return founder::api::read_policy(node).issues.size();
         })},
        {"versions",
         {"25.03.0-1ubuntu1"
          "1:3.5.0~beta1",
          ">=25.03 <26.00"},
         versions},
        {"addresses", {"10.20.0.11/24", "fe80::1/64", "[::1]:8443"}, addresses},
        {"join-uri",
         {"stratum-join://10.0.0.1:8444,[::1]:1/2345-6789-ABCD-EFGH?k=" + std::string(64, 'a')},
         join_uri},
        {"ip-links", {kIpLinks}, ip_links},
        {"lldp", {kLldp}, lldp},
        {"tar",
         {tar_of_one_file()},
         [](const std::string& text) {
             (void)installer::read_tar(text);
             return true;
         }},
        {"pvs",
         {R"({"report":[{"vg":[{"vg_name":"a","vg_uuid":"u","vg_tags":"t,s","pv_name":"/dev/x"}]}]})"},
         [](const std::string& text) {
             (void)installer::parse_volumes(text);
             return true;
         }},
    };
}

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : dice_(seed) {}

    std::string mutate(const std::vector<std::string>& seeds) {
        std::string text = seeds[below(seeds.size())];
        const std::size_t edits = 1 + below(8);
        for (std::size_t i = 0; i < edits; ++i) edit(text, seeds[below(seeds.size())]);
        return text;
    }

private:
    std::size_t below(std::size_t bound) {
        return bound == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, bound - 1)(dice_);
    }

    void edit(std::string& text, const std::string& other) {
        static const std::vector<std::string> kOdd = {"\"",
                                                      "\\",
                                                      "{",
                                                      "}",
                                                      "[",
                                                      "]",
                                                      ":",
                                                      ",",
                                                      "\n",
                                                      "\t",
                                                      " ",
                                                      "'",
                                                      "#",
                                                      "&a ",
                                                      "*a",
                                                      "!!",
                                                      "null",
                                                      "true",
                                                      "010",
                                                      "0x1F",
                                                      "1e999",
                                                      "-0",
                                                      "99999999999999999999",
                                                      "\xff",
                                                      "\xc3",
                                                      "\xed\xa0\x80",
                                                      std::string(1, '\0'),
                                                      "---\n",
                                                      "? ",
                                                      "- ",
                                                      "<<: ",
                                                      "\xef\xbb\xbf"};
        const std::size_t at = below(text.size() + 1);
        const std::size_t length = below(std::min<std::size_t>(text.size() - at, 16) + 1);
        switch (below(6)) {
        case 0:
            text.erase(at, length);
            break;
        case 1:
            text.insert(at, kOdd[below(kOdd.size())]);
            break;
        case 2:
            text.insert(at, text.substr(at, length));
            break;
        case 3:
            if (at < text.size()) text[at] = static_cast<char>(below(256));
            break;
        case 4:
            text.insert(at, other.substr(below(other.size() + 1), 24));
            break;
        default:
            text.replace(at, length, kOdd[below(kOdd.size())]);
            break;
        }
    }

    std::mt19937_64 dice_;
};

void write_file(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

int run(const Target& target, std::uint64_t seed, int seconds, const std::string& folder) {
    using Clock = std::chrono::steady_clock;
    const std::string path = folder + "/" + target.name + ".input";
    Mutator mutator(seed);
    const auto end = Clock::now() + std::chrono::seconds(seconds);
    std::size_t count = 0;
    for (; Clock::now() < end; ++count) {
        const std::string input = mutator.mutate(target.seeds);
        write_file(path, input);
        const auto began = Clock::now();
        const bool holds = target.holds(input);
        if (!holds || Clock::now() - began > std::chrono::seconds(5)) {
            std::cout << "  " << target.name << ": " << (holds ? "too slow" : "a broken promise")
                      << "\n";
            return 1;
        }
    }
    std::cout << "  " << target.name << ": " << count << " inputs, seed " << seed << std::endl;
    return std::remove(path.c_str()) == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    auto all = targets();
    for (auto&& more : {hardware_targets(), compat_targets()})
        all.insert(all.end(), more.begin(), more.end());
    if (argc == 2 && std::string(argv[1]) == "--list") {
        for (const Target& target : all) std::cout << target.name << "\n";
        return 0;
    }
    if (argc != 5) {
        std::cerr << "fuzz TARGET SEED SECONDS FOLDER, or fuzz --list\n";
        return 2;
    }
    for (const Target& target : all) {
        if (target.name != argv[1]) continue;
        return run(target, std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), argv[4]);
    }
    std::cerr << "there is no target " << argv[1] << "\n";
    return 2;
}
