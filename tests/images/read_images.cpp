// Reads image files and devices as discovery reads disks, and prints for each what was read and the
// disk that is made of it: read_images FILE…
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/facts/disk_verdict.hpp"
#include "common/facts/inventory.hpp"
#include "hwdiscovery/content_json.hpp"
#include "hwdiscovery/disks.hpp"
#include "hwdiscovery/edge/child_prober.hpp"

namespace {

using namespace stratum;

// Devices have a size too, if not one that their folder knows.
std::uint64_t size_of(const char* path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    return file ? static_cast<std::uint64_t>(file.tellg()) : 0;
}

std::string word_of(const facts::Disk& disk) {
    const auto contents = facts::judge(disk).contents;
    if (contents == facts::Contents::kBlank) return "blank";
    return disk.holds ? "data" : "unknown";
}

} // namespace

int main(int argc, char** argv) {
    hw::DiskRecords records;
    records.is_probed = true;
    records.usage.is_complete = true;
    std::vector<hw::ProbeTarget> targets;
    for (int i = 1; i < argc; ++i) {
        hw::BlockRecord block;
        block.name = "image" + std::to_string(i);
        block.size_bytes = size_of(argv[i]);
        targets.push_back({block.name, argv[i], "", "", true});
        records.blocks.push_back(std::move(block));
    }
    records.contents = hw::make_child_prober()->probe(targets);
    facts::Inventory inventory;
    inventory.disks = hw::make_disks(records);
    Node list = Node::array();
    const Node written = to_node(inventory);
    const auto& disks = written.find("disks")->items();
    for (std::size_t i = 0; i < disks.size(); ++i) {
        const auto& disk = inventory.disks[i];
        Node one = Node::object();
        one.set("file", argv[std::stoi(disk.name.substr(5))]);
        one.set("verdict", word_of(disk));
        one.set("content", to_node(records.contents.at(disk.name)));
        one.set("disk", disks[i]);
        list.push(std::move(one));
    }
    std::cout << write_json(list, 1) << "\n";
    return 0;
}
