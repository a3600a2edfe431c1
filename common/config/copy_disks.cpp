#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "common/config/copy.hpp"
#include "common/config/words.hpp"
#include "common/facts/disk_verdict.hpp"

namespace stratum::config {

namespace {

struct Wanted {
    DiskChoice choice;
    const facts::Disk* disk;
};

std::string first_id(const facts::Disk& disk) {
    const auto least = std::min_element(disk.by_id.begin(), disk.by_id.end());
    return least == disk.by_id.end() ? facts::best_key(disk) : *least;
}

bool by_id_less(const facts::Disk& a, const facts::Disk& b) {
    return first_id(a) < first_id(b);
}

// Exact model; sizes that differ by at most one in a hundred.
bool is_alike(const facts::Disk& a, const facts::Disk& b) {
    const std::uint64_t larger = std::max(a.size_bytes, b.size_bytes);
    const std::uint64_t apart = larger - std::min(a.size_bytes, b.size_bytes);
    return !a.model.empty() && a.model == b.model && apart <= larger / 100;
}

std::string disk_words(const facts::Disk& disk) {
    return say(disk.model.empty() ? "a disk" : disk.model, ", ",
               human_bytes_decimal(disk.size_bytes));
}

// "compute in pool fast (gold)", "ceph-osd".
std::string becomes(const DiskChoice& choice) {
    std::string words = choice.role.value_or("compute");
    if (choice.pool) words += say(" in pool ", *choice.pool);
    if (choice.storage_class && choice.storage_class != choice.pool)
        words += say(" (", *choice.storage_class, ")");
    return words;
}

// The disks that may be given, in by-id order.
std::vector<const facts::Disk*> usable_disks(const MachineView& machine) {
    std::vector<const facts::Disk*> usable;
    for (const facts::Disk& disk : machine.inventory().disks)
        if (facts::judge(disk).refusals.empty()) usable.push_back(&disk);
    std::stable_sort(usable.begin(), usable.end(),
                     [](const auto* a, const auto* b) { return by_id_less(*a, *b); });
    return usable;
}

class DiskCopier {
public:
    DiskCopier(const CopySource& source, const MachineView& machine)
        : source_(source), free_(usable_disks(machine)) {}

    CopiedDisks copy() {
        for (const Wanted& wanted : wanted_disks()) place(wanted);
        note_ties();
        note_exchangeable();
        return std::move(result_);
    }

private:
    std::vector<Wanted> wanted_disks() {
        std::vector<Wanted> all;
        for (const DiskChoice& choice :
             source_.assignment.disks.value_or(std::vector<DiskChoice>{})) {
            const auto disk = facts::find_disk(source_.inventory.disks, choice.key);
            if (disk)
                all.push_back({choice, *disk});
            else
                result_.notes.push_back(say("disk ", choice.key, " of ", name_of(source_),
                                            " is left out: that node's inventory does not "
                                            "have it"));
        }
        std::stable_sort(all.begin(), all.end(), [](const Wanted& a, const Wanted& b) {
            return by_id_less(*a.disk, *b.disk);
        });
        return all;
    }

    void place(const Wanted& wanted) {
        const auto found = std::find_if(free_.begin(), free_.end(), [&](const facts::Disk* disk) {
            return is_alike(*wanted.disk, *disk);
        });
        if (found == free_.end()) return leave_out(wanted);
        DiskChoice choice = wanted.choice;
        choice.key = facts::best_key(**found);
        choice.confirm.reset();
        result_.disks.push_back(std::move(choice));
        placed_.push_back(wanted.disk);
        taken_.push_back(*found);
        free_.erase(found);
    }

    void leave_out(const Wanted& wanted) {
        std::vector<std::string> there;
        for (const facts::Disk* disk : free_)
            there.push_back(say(disk_words(*disk), " (", facts::best_key(*disk), ")"));
        result_.notes.push_back(say("a disk like ", wanted.choice.key, " of ", name_of(source_),
                                    " (", disk_words(*wanted.disk),
                                    ") is left out: no usable disk here has this model and size; "
                                    "free are ",
                                    listed(there)));
    }

    // More disks would have fitted than were needed: which of them were taken was the order's
    // doing.
    void note_ties() {
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            std::vector<std::string> others;
            for (const facts::Disk* disk : free_)
                if (is_alike(*placed_[i], *disk)) others.push_back(facts::best_key(*disk));
            if (!others.empty())
                result_.notes.push_back(say("disk ", result_.disks[i].key, " (",
                                            disk_words(*placed_[i]),
                                            ") was chosen by the order of names alone; ",
                                            listed(others), " would fit as well: check it"));
        }
    }

    // Disks that could change places and become different things: the order decided which is which.
    void note_exchangeable() {
        std::vector<bool> told(placed_.size(), false);
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            std::set<std::string> kinds;
            std::vector<std::string> disks;
            for (std::size_t j = i; j < placed_.size(); ++j) {
                if (told[j] || !could_change_places(i, j)) continue;
                told[j] = true;
                kinds.insert(becomes(result_.disks[j]));
                disks.push_back(say(result_.disks[j].key, " (", becomes(result_.disks[j]), ")"));
            }
            if (kinds.size() > 1)
                result_.notes.push_back(say("the disks ", listed(disks), " are alike (",
                                            disk_words(*placed_[i]),
                                            "): which of them becomes what was decided by the "
                                            "order of names alone: check it"));
        }
    }

    bool could_change_places(std::size_t i, std::size_t j) const {
        return is_alike(*placed_[i], *taken_[j]) && is_alike(*placed_[j], *taken_[i]);
    }

    const CopySource& source_;
    std::vector<const facts::Disk*> free_;
    std::vector<const facts::Disk*> placed_; // the source's, beside result_.disks
    std::vector<const facts::Disk*> taken_;  // this machine's, likewise
    CopiedDisks result_;
};

} // namespace

CopiedDisks copy_disks(const CopySource& source, const MachineView& machine) {
    return DiskCopier(source, machine).copy();
}

} // namespace stratum::config
