// Rules about data disks. What may happen to a disk is facts::judge's verdict; here it is tied to
// what was asked for.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/rule_functions.hpp"
#include "common/config/words.hpp"

namespace stratum::config::rules {

namespace {

bool is_osd(const DiskChoice& choice) {
    return choice.role == "ceph-osd";
}

bool is_in_pool(const DiskChoice& choice, const std::optional<std::string>& pool) {
    return !is_osd(choice) && pool && choice.pool == pool;
}

const std::vector<DiskChoice>& choices(const Context& c) {
    return *c.assignment.disks;
}

// The first earlier disk of the same pool for which `differs` holds.
template<class Differs>
std::optional<std::size_t> earlier_in_pool(const Context& c, Place at, Differs differs) {
    if (is_osd(c.disk(at))) return {};
    for (std::size_t j = 0; j < at.i; ++j)
        if (is_in_pool(choices(c)[j], c.disk(at).pool) && differs(j)) return j;
    return {};
}

// A device that stands on one of them is made of the other, too.
bool is_member(const facts::Disk& disk, const std::vector<facts::StackLayer>& stack) {
    const auto names = [&](const std::string& member) {
        return member == disk.name || std::any_of(disk.partitions.begin(), disk.partitions.end(),
                                                  [&](const facts::Partition& one) {
                                                      return one.path == "/dev/" + member;
                                                  });
    };
    return std::any_of(stack.begin(), stack.end(), [&](const facts::StackLayer& layer) {
        return std::any_of(layer.members.begin(), layer.members.end(), names);
    });
}

bool share_a_layer(const facts::Disk& a, const facts::Disk& b) {
    if (is_member(a, b.stack) || is_member(b, a.stack)) return true;
    for (const facts::StackLayer& layer : a.stack)
        for (const facts::StackLayer& other : b.stack)
            if (layer.path == other.path && !layer.path.empty()) return true;
    return has_word(a.closure, b.path) || has_word(b.closure, a.path);
}

std::string media_words(bool rotational) {
    return rotational ? "rotational" : "flash";
}

} // namespace

Sentences disk_unknown(const Context& c, Place at) {
    const auto& found = c.disks[at.i].found;
    if (found) return {};
    return {found.error().message};
}

Sentences disk_twice(const Context& c, Place at) {
    const facts::Disk* disk = c.disk_found(at.i);
    if (!disk) return {};
    const std::string wwn = facts::world_wide_name(*disk);
    for (std::size_t j = 0; j < at.i; ++j) {
        const facts::Disk* other = c.disk_found(j);
        if (other == disk)
            return {
                say(disk->path, " is named twice: disks[", j, "] has it as ", choices(c)[j].key)};
        if (other && !wwn.empty() && facts::world_wide_name(*other) == wwn)
            return {say(disk->path, " is another path to ", other->path, ", which disks[", j,
                        "] names: both are ", wwn)};
    }
    return {};
}

Sentences disk_refused(const Context& c, Place at) {
    const facts::Disk* disk = c.disk_found(at.i);
    if (!disk || c.disks[at.i].verdict->refusals.empty()) return {};
    return {say(disk->path, " ", join(c.disks[at.i].verdict->refusals, "; it "))};
}

Sentences disk_stacked_on_system(const Context& c, Place at) {
    const facts::Disk* disk = c.disk_found(at.i);
    if (!disk) return {};
    for (const facts::Disk& other : c.machine.inventory().disks) {
        const bool is_systems = other.system || other.mounted;
        if (&other != disk && is_systems && share_a_layer(*disk, other))
            return {say(disk->path, " is in one stack with the system disk ", other.path,
                        ", which would break; choose another")};
    }
    return {};
}

Sentences disk_held_elsewhere(const Context& c, Place at) {
    const facts::Disk* disk = c.disk_found(at.i);
    const std::string wwn = disk ? facts::world_wide_name(*disk) : std::string{};
    if (wwn.empty()) return {};
    for (const Holder& holder : c.cluster.holders) {
        const bool holds = std::any_of(holder.disk_keys.begin(), holder.disk_keys.end(),
                                       [&](const std::string& key) { return lower(key) == wwn; });
        if (holds)
            return {say(wwn, " is a disk of node ",
                        holder.name.empty() ? holder.node_id : holder.name,
                        " too: a shared LUN, which only one node may have")};
    }
    return {};
}

Sentences pool_missing(const Context& c, Place at) {
    if (is_osd(c.disk(at)) || c.disk(at).pool) return {};
    return {say("missing: a compute disk needs a pool, such as ", c.cluster.default_pool)};
}

Sentences pool_on_osd(const Context& c, Place at) {
    if (!is_osd(c.disk(at)) || !c.disk(at).pool) return {};
    return {"a ceph-osd disk has no pool: Ceph decides; take it out"};
}

Sentences pool_no_label(const Context& c, Place at) {
    if (is_osd(c.disk(at)) || !c.disk(at).pool) return {};
    return sentences(label_fault(*c.disk(at).pool));
}

Sentences pool_mixes_media(const Context& c, Place at) {
    const facts::Disk* disk = c.disk_found(at.i);
    if (!disk || !disk->rotational) return {};
    const auto other = earlier_in_pool(c, at, [&](std::size_t j) {
        const facts::Disk* earlier = c.disk_found(j);
        return earlier && earlier->rotational && *earlier->rotational != *disk->rotational;
    });
    if (!other) return {};
    return {say("pool ", *c.disk(at).pool, " would mix ", media_words(!*disk->rotational), " (",
                c.disk_found(*other)->path, ") and ", media_words(*disk->rotational), " (",
                disk->path, ") disks; give this one another pool")};
}

Sentences pool_mixes_blocks(const Context& c, Place at) {
    const facts::Disk* disk = c.disk_found(at.i);
    if (!disk || !disk->logical_block_size) return {};
    const auto other = earlier_in_pool(c, at, [&](std::size_t j) {
        const facts::Disk* earlier = c.disk_found(j);
        return earlier && earlier->logical_block_size &&
               *earlier->logical_block_size != *disk->logical_block_size;
    });
    if (!other) return {};
    return {say("pool ", *c.disk(at).pool,
                " would mix block sizes: ", *c.disk_found(*other)->logical_block_size, " (",
                c.disk_found(*other)->path, ") and ", *disk->logical_block_size, " (", disk->path,
                "); give this one another pool")};
}

Sentences class_on_osd(const Context& c, Place at) {
    if (!is_osd(c.disk(at)) || !c.disk(at).storage_class) return {};
    return {"a ceph-osd disk has no storage class: Ceph decides; take it out"};
}

Sentences class_no_label(const Context& c, Place at) {
    if (is_osd(c.disk(at)) || !c.disk(at).storage_class) return {};
    return sentences(label_fault(*c.disk(at).storage_class));
}

Sentences class_differs_in_pool(const Context& c, Place at) {
    const auto& own = c.disk(at).storage_class;
    if (!own) return {};
    const auto other = earlier_in_pool(c, at, [&](std::size_t j) {
        return choices(c)[j].storage_class && choices(c)[j].storage_class != own;
    });
    if (!other) return {};
    return {say("pool ", *c.disk(at).pool, " has storage class ", *choices(c)[*other].storage_class,
                " at disks[", *other, "] and ", *own, " here; one pool has one")};
}

Sentences wipe_not_confirmed(const Context& c, Place at) {
    const facts::Disk* disk = c.disk_found(at.i);
    if (!disk) return {};
    const facts::DiskVerdict& verdict = *c.disks[at.i].verdict;
    const DiskChoice& choice = c.disk(at);
    if (verdict.contents == facts::Contents::kBlank || choice.confirm == choice.key) return {};
    std::string sentence =
        say(disk->path, " is not blank: ", listed(verdict.losses, "what it holds is not known"),
            " would be wiped");
    if (!verdict.also_breaks.empty())
        sentence += say(", and ", listed(verdict.also_breaks), " would lose something with it");
    return {sentence + say("; to allow that, set confirm to ", choice.key,
                           choice.confirm ? say(" (it is \"", *choice.confirm, "\")") : "")};
}

Sentences confirm_for_other_key(const Context& c, Place at) {
    const DiskChoice& choice = c.disk(at);
    if (!choice.confirm || *choice.confirm == choice.key || !c.disk_found(at.i)) return {};
    return {say("\"", *choice.confirm, "\" is not this disk's key, ", choice.key,
                "; the disk is blank and needs no confirmation")};
}

Sentences no_disk_for_vms(const Context& c, Place) {
    if (!choices(c).empty() || c.cluster.allow_no_compute) return {};
    if (c.machine.os_disk_layout() != "whole-disk") return {};
    std::vector<std::string> usable;
    for (const facts::Disk& disk : c.machine.inventory().disks)
        if (facts::judge(disk).refusals.empty())
            usable.push_back(say(facts::best_key(disk), " (", disk.path, ", ",
                                 human_bytes_decimal(disk.size_bytes), ")"));
    return {say("none is assigned, and the system has its own disks whole, so there is nothing "
                "to keep VMs on; assign one of ",
                listed(usable, "(this machine has no usable disk)"))};
}

} // namespace stratum::config::rules
