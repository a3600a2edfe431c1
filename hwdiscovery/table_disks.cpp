#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/table_parts.hpp"

namespace stratum::hw {
namespace {

struct Word {
    std::string text;
    Ink ink = Ink::kPlain;
};

Word verdict_word(const facts::DiskVerdict& verdict) {
    if (!verdict.refusals.empty()) return {"not usable", Ink::kBad};
    switch (verdict.contents) {
    case facts::Contents::kBlank:
        return {"blank", Ink::kGood};
    case facts::Contents::kHolds:
        return {"holds data", Ink::kWarn};
    case facts::Contents::kUnknown:
        break;
    }
    return {"not known to be blank", Ink::kWarn};
}

std::string disk_title(const facts::Disk& disk) {
    std::vector<std::string> parts = {disk.path};
    add_part(parts, disk.size_bytes == 0 ? "" : human_bytes_decimal(disk.size_bytes));
    add_part(parts, disk.transport);
    if (disk.rotational && *disk.rotational && disk.transport != "virtio")
        add_part(parts, "spinning");
    return join(parts, "  ");
}

std::string what_it_is(const facts::Disk& disk) {
    std::vector<std::string> parts;
    add_part(parts, disk.model);
    add_part(parts, disk.serial.empty() ? "" : "serial " + disk.serial);
    return join(parts, ", ");
}

// Of an array that is not as it should be.
std::string layer_health(const facts::StackLayer& layer) {
    std::vector<std::string> parts;
    if (layer.degraded.value_or(false)) add_part(parts, "degraded");
    if (!layer.failed.empty()) add_part(parts, join(layer.failed, ", ") + " failed");
    if (!layer.sync.empty())
        add_part(parts, layer.sync + (layer.sync_percent
                                          ? " at " + std::to_string(*layer.sync_percent) + " %"
                                          : std::string{}));
    if (parts.empty()) return {};
    return std::string(trim(layer.path + " " + layer.level)) + ": " + join(parts, ", ");
}

std::string disk_health(const facts::Disk& disk) {
    std::vector<std::string> parts;
    for (const auto& layer : disk.stack) add_part(parts, layer_health(layer));
    return join(parts, "; ");
}

// What it takes to use a disk that nothing forbids.
std::string use_words(const facts::DiskVerdict& verdict) {
    if (!verdict.refusals.empty()) return {};
    switch (verdict.contents) {
    case facts::Contents::kBlank:
        return "it may be used: nothing is on it";
    case facts::Contents::kHolds:
        return "only with a confirmation: what it holds would be lost";
    case facts::Contents::kUnknown:
        break;
    }
    return "only with a confirmation: what is on it is not known, and would be lost";
}

} // namespace

void draw_disk(const facts::Disk& disk, TableText& text) {
    const auto verdict = facts::judge(disk);
    const Word word = verdict_word(verdict);
    text.heading(disk_title(disk), word.text, word.ink);
    text.field("what", what_it_is(disk));
    text.field("key", facts::best_key(disk));
    text.field("holds", short_list(verdict.losses));
    text.field("with", verdict.also_breaks.empty()
                           ? ""
                           : "wiping it also takes from " + join(verdict.also_breaks, ", "));
    text.field("health", disk_health(disk), Ink::kWarn);
    text.field("use", use_words(verdict));
    for (const auto& refusal : verdict.refusals) text.field("why not", "it " + refusal, Ink::kBad);
    for (const auto& warning : disk.warnings) text.field("note", warning, Ink::kFaint);
}

} // namespace stratum::hw
