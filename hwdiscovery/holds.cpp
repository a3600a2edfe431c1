#include "hwdiscovery/holds.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

std::string kind_of(const std::string& usage, const std::string& type) {
    if (type == "swap" || type == "swsuspend") return "swap";
    if (type.starts_with("LVM")) return "lvm";
    if (usage == "crypto") return "crypt";
    if (usage == "filesystem" || usage == "raid") return usage;
    return "other";
}

void add_once(std::vector<facts::Hold>& holds, facts::Hold hold) {
    if (std::find(holds.begin(), holds.end(), hold) == holds.end())
        holds.push_back(std::move(hold));
}

// The protective table that a GPT puts in front of itself is not a table of its own.
bool is_protective_of(const TableRecord& table, const std::vector<TableRecord>& tables) {
    return table.type == "PMBR" && std::any_of(tables.begin(), tables.end(), [](const auto& other) {
               return other.type == "gpt";
           });
}

void add_from_udev(const UdevRecord& udev, const std::string& device,
                   std::vector<facts::Hold>& holds) {
    if (const auto type = udev.property("ID_FS_TYPE"); !type.empty())
        holds.push_back(hold_of(SignatureRecord{udev.property("ID_FS_USAGE"),
                                                type,
                                                udev.property("ID_FS_LABEL"),
                                                udev.property("ID_FS_UUID"),
                                                {},
                                                {},
                                                {}},
                                device));
    // udev gives a partition its disk's table too.
    if (!udev.property("ID_PART_ENTRY_NUMBER").empty()) return;
    if (const auto type = udev.property("ID_PART_TABLE_TYPE"); !type.empty())
        holds.push_back(
            hold_of(TableRecord{type, udev.property("ID_PART_TABLE_UUID"), {}, false}, device));
}

void add_from_content(const std::vector<SignatureRecord>& signatures,
                      const std::vector<TableRecord>& tables, const std::string& device,
                      std::vector<facts::Hold>& holds) {
    for (const auto& table : tables)
        if (!is_protective_of(table, tables)) add_once(holds, hold_of(table, device));
    for (const auto& signature : signatures) add_once(holds, hold_of(signature, device));
}

std::string problem_of(const ContentRecord& content) {
    if (!content.problem.empty()) return content.problem;
    if (content.exclusive == Exclusive::kBusy) return "something in the kernel has it open";
    return content.exclusive == Exclusive::kUnknown ? "it could not be opened alone" : "";
}

} // namespace

facts::Hold hold_of(const SignatureRecord& signature, const std::string& device) {
    const std::string kind = kind_of(signature.usage, signature.type);
    const std::string& label = signature.group.empty() ? signature.label : signature.group;
    return {
        kind,   to_valid_utf8(signature.type), to_valid_utf8(label), to_valid_utf8(signature.uuid),
        device, signature.offset_bytes};
}

facts::Hold hold_of(const TableRecord& table, const std::string& device) {
    return {"partition-table",
            to_valid_utf8(table.type) + (table.is_backup_only ? " (backup only)" : ""),
            "",
            to_valid_utf8(table.uuid),
            device,
            table.offset_bytes};
}

DeviceHolds holds_of(const BlockRecord& block, const ContentRecord* content) {
    DeviceHolds result;
    if (content != nullptr) {
        add_from_content(content->signatures, content->tables, block.path(), result.holds);
        result.problem = problem_of(*content);
        result.is_unread = !content->problem.empty();
        result.is_proved = content->is_complete && content->exclusive == Exclusive::kFree;
    }
    // What udev saw is heard only where nobody could look: it may be from before a wipe.
    if (content == nullptr || (!content->is_complete && result.holds.empty()))
        if (block.udev) add_from_udev(*block.udev, block.path(), result.holds);
    return result;
}

DeviceHolds holds_in_place(const std::string& disk_path, const TablePartition& partition,
                           bool is_complete) {
    DeviceHolds result;
    add_from_content(partition.signatures, partition.tables, disk_path, result.holds);
    for (auto& hold : result.holds)
        if (hold.offset_bytes) *hold.offset_bytes += partition.start_bytes;
    result.is_proved = is_complete;
    return result;
}

} // namespace stratum::hw
