// One join for a person at a terminal.
#include <algorithm>

#include "common/base/text.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr std::size_t kLogLines = 15;

const std::vector<Node>& items_of(const Node& object, std::string_view name) {
    static const std::vector<Node> none;
    const Node* list = object.find(name);
    return list == nullptr ? none : list->items();
}

std::string size_text(const Node& disk) {
    const Node* size = disk.find("sizeBytes");
    if (size == nullptr) return "-";
    return human_bytes_decimal(static_cast<std::uint64_t>(size->as_int()));
}

std::string holds_text(const Node& disk) {
    const std::string unusable = cell(disk, "unusable");
    if (unusable != "-") return "not usable: " + unusable;
    if (cell(disk, "system") == "yes") return "the system's";
    const Node* holds = disk.find("holds");
    if (holds == nullptr) return "not known";
    if (holds->items().empty()) return "blank";
    std::vector<std::string> kinds;
    for (const Node& hold : holds->items()) kinds.push_back(cell(hold, "type"));
    return join(kinds, ", ");
}

std::string key_text(const Node& disk) {
    if (std::string wwn = cell(disk, "wwn"); wwn != "-") return wwn;
    const auto& by_id = items_of(disk, "byId");
    return by_id.empty() ? "-" : by_id.front().as_string();
}

void add_hardware(std::string& out, const Node& inventory) {
    std::vector<Row> disks;
    for (const Node& disk : items_of(inventory, "disks")) {
        disks.push_back({cell(disk, "name"), size_text(disk), cell(disk, "model"), holds_text(disk),
                         key_text(disk)});
    }
    out += "\n" + render({"DISK", "SIZE", "MODEL", "HOLDS", "KEY"}, disks);
    std::vector<Row> nics;
    for (const Node& nic : items_of(inventory, "nics")) {
        std::vector<std::string> addresses;
        for (const Node& one : items_of(nic, "addresses")) {
            addresses.push_back(one.is_string() ? one.as_string() : cell(one, "cidr"));
        }
        nics.push_back({cell(nic, "name"), cell(nic, "kind"), cell(nic, "state"),
                        cell(nic, "speedMbps"), cell(nic, "mac"), join(addresses, ", ")});
    }
    out += "\n" + render({"NIC", "KIND", "STATE", "MB/S", "MAC", "ADDRESSES"}, nics);
}

void add_steps(std::string& out, const Node& join) {
    std::vector<Row> rows;
    for (const Node& step : items_of(join, "steps")) {
        rows.push_back({cell(step, "status"), cell(step, "title"), cell(step, "error")});
    }
    if (!rows.empty()) out += "\n" + render({"STEP", "WHAT", "ERROR"}, rows);
}

void add_log(std::string& out, const Node& join) {
    const auto& lines = items_of(join, "log");
    const std::size_t first = lines.size() - std::min(lines.size(), kLogLines);
    if (!lines.empty()) out += "\n";
    for (std::size_t i = first; i < lines.size(); ++i) {
        out +=
            to_valid_utf8(short_time(cell(lines[i], "at")) + "  " + cell(lines[i], "line")) + "\n";
    }
}

} // namespace

std::string describe_join(const Node& join) {
    std::string out;
    for (const auto& [label, name] :
         std::vector<std::pair<std::string, std::string>>{{"join", "id"},
                                                          {"state", "state"},
                                                          {"pairing code", "pairingCode"},
                                                          {"waits for", "waitReason"},
                                                          {"failed at", "failedStepTitle"},
                                                          {"because", "failedError"},
                                                          {"ended because", "endedReason"},
                                                          {"node", "nodeId"},
                                                          {"name", "name"},
                                                          {"from", "address"},
                                                          {"release", "release"},
                                                          {"key", "keyFingerprint"},
                                                          {"registered", "registeredAt"},
                                                          {"expires", "expiresAt"}}) {
        const std::string text = cell(join, name);
        if (text == "-") continue;
        out += label + std::string(15 - label.size(), ' ') + to_valid_utf8(text) + "\n";
    }
    if (const Node* inventory = join.find("inventory")) add_hardware(out, *inventory);
    if (const Node* assignment = join.find("assignment")) {
        out += "\nassignment\n" + write_yaml(*assignment);
    }
    add_steps(out, join);
    add_log(out, join);
    return out;
}

} // namespace stratum::ctl
