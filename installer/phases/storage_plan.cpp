#include "installer/phases/storage_plan.hpp"

#include <algorithm>
#include <set>

#include "common/base/hash.hpp"
#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kMarkerHead = "STRATUM-WIPE 1 ";
constexpr std::size_t kSectorBytes = 512;

std::string hex(const Sha256& digest) {
    return to_hex(digest);
}

bool is_ceph(const config::NodeDisk& order) {
    return order.choice.role == "ceph-osd";
}

bool is_compute(const config::NodeDisk& order) {
    return order.choice.role.value_or("compute") == "compute";
}

std::string group_of(const config::NodeDisk& order) {
    return group_name(order.choice.pool.value_or(""));
}

// The volume on the whole disk, if it is one in this join's own group and nothing stands beside it.
// What is inside the group's logical volumes is the join steps' work.
const PhysicalVolume* volume_in_our_group(const facts::Disk& disk, const config::NodeDisk& order,
                                          const std::vector<PhysicalVolume>& volumes,
                                          const std::string& tag) {
    if (!is_compute(order) || !disk.holds || !disk.partitions.empty()) return nullptr;
    std::vector<const facts::Hold*> own;
    for (const facts::Hold& hold : *disk.holds) {
        if (hold.device == disk.path || hold.device.empty()) own.push_back(&hold);
    }
    if (own.size() != 1 || own.front()->type != "LVM2_member") return nullptr;
    const auto at = std::find_if(volumes.begin(), volumes.end(), [&](const PhysicalVolume& volume) {
        return !volume.uuid.empty() && volume.uuid == own.front()->uuid;
    });
    if (at == volumes.end() || !is_in_our_group(*at, group_of(order), tag)) return nullptr;
    const bool is_only_ours =
        std::all_of(disk.stack.begin(), disk.stack.end(), [&](const facts::StackLayer& layer) {
            return layer.group.empty() || layer.group == at->group;
        });
    return is_only_ours ? &*at : nullptr;
}

// What `ceph-volume` makes of a disk that it was given blank.
bool is_ceph_work(const facts::Disk& disk) {
    if (!disk.holds || !disk.partitions.empty()) return false;
    return std::all_of(disk.holds->begin(), disk.holds->end(), [&](const facts::Hold& hold) {
        const bool is_group = hold.type == "LVM2_member" && hold.label.starts_with("ceph-");
        return is_group || hold.type == "ceph_bluestore" || hold.device != disk.path;
    });
}

std::string name_of(const config::NodeDisk& order) {
    return order.choice.key + (order.path.empty() ? "" : " (approved as " + order.path + ")");
}

std::string what_it_holds(const facts::DiskVerdict& verdict) {
    if (verdict.contents == facts::Contents::kBlank) return "nothing";
    if (verdict.losses.empty()) return "something that could not be read";
    return join(verdict.losses, ", ");
}

class DiskPlanner {
public:
    DiskPlanner(const config::NodeConfig& node, const OwnTraces& traces)
        : node_(node), traces_(traces), tag_(join_tag(node.join_id)) {}

    // The planned disk, or why not.
    Result<PlannedDisk> plan(const config::NodeDisk& order, const facts::Inventory& machine) const {
        if (!is_compute(order) && !is_ceph(order)) {
            return refuse(order, "has the role “" + *order.choice.role +
                                     "”; compute and ceph-osd are what can be built");
        }
        if (is_compute(order) && order.choice.pool.value_or("").empty()) {
            return refuse(order, "is a compute disk without a pool");
        }
        const auto found = facts::find_disk(machine.disks, order.choice.key);
        if (!found) {
            return refuse(order, "is not present: " + found.error().message);
        }
        const facts::Disk& disk = **found;
        if (const std::string other = other_identity(order, disk); !other.empty()) {
            return refuse(order, other);
        }
        PlannedDisk planned{order, disk, plan_digest(node_.join_id, order), DiskWork::kFresh,
                            false};
        planned.is_in_group = volume_in_our_group(disk, order, traces_.volumes, tag_) != nullptr;
        return decide(std::move(planned), facts::judge(disk));
    }

private:
    static tl::unexpected<Error> refuse(const config::NodeDisk& order, const std::string& why) {
        return fail(ErrorCode::kConflict, "disk " + name_of(order) + " " + why);
    }

    static std::string other_identity(const config::NodeDisk& order, const facts::Disk& disk) {
        if (disk.serial != order.serial) {
            return "has serial “" + disk.serial + "”, approved was “" + order.serial + "”";
        }
        if (disk.size_bytes != order.size_bytes) {
            return "has " + std::to_string(disk.size_bytes) + " bytes, approved were " +
                   std::to_string(order.size_bytes);
        }
        return {};
    }

    [[nodiscard]] Result<PlannedDisk> decide(PlannedDisk planned,
                                             const facts::DiskVerdict& verdict) const {
        const JournalState& journal = traces_.journal;
        const auto mark = journal.disks.find(planned.order.choice.key);
        const bool begun = journal.join_id == node_.join_id && mark != journal.disks.end() &&
                           mark->second.plan == planned.plan;
        // Nothing is written to a finished disk, so that what a join step made of it since then
        // (and mounted) is no reason against it.
        if (begun && mark->second.finished) return finished(std::move(planned), verdict);
        if (!verdict.refusals.empty()) {
            return refuse(planned.order, join(verdict.refusals, "; "));
        }
        if (!begun && is_as_approved(planned.order, planned.disk)) return planned;
        if (!begun) {
            return refuse(planned.order,
                          "no longer holds what was approved; now it holds " +
                              what_it_holds(verdict) +
                              ". Reject this join and let the machine register again");
        }
        planned.work = DiskWork::kContinue;
        const auto sector = traces_.first_sector(planned.disk.path);
        if (planned.is_in_group || may_be_wiped(planned, planned.disk, sector)) return planned;
        return refuse(planned.order, "was being written by this join, but now holds " +
                                         what_it_holds(verdict) +
                                         ", which this join did not write");
    }

    [[nodiscard]] static bool is_as_approved(const config::NodeDisk& order,
                                             const facts::Disk& disk) {
        return !order.digest.empty() && hex(facts::contents_digest(disk)) == order.digest;
    }

    static Result<PlannedDisk> finished(PlannedDisk planned, const facts::DiskVerdict& verdict) {
        const bool stands = is_ceph(planned.order) ? verdict.contents == facts::Contents::kBlank ||
                                                         is_ceph_work(planned.disk)
                                                   : planned.is_in_group;
        if (!stands) {
            return refuse(planned.order, "was finished by this join, but now holds " +
                                             what_it_holds(verdict) +
                                             "; somebody else has written to it");
        }
        planned.work = DiskWork::kDone;
        return planned;
    }

    const config::NodeConfig& node_;
    const OwnTraces& traces_;
    std::string tag_;
};

// A pool whose group's name another group already has, on disks that are not ordered: found now,
// not after the ordered disks were emptied. What is on an ordered disk goes with its wiping.
void refuse_foreign_groups(const config::NodeConfig& node, const StoragePlan& plan,
                           const OwnTraces& traces, std::vector<std::string>& reasons) {
    const std::string tag = join_tag(node.join_id);
    std::set<std::string> names, wiped;
    for (const PlannedDisk& planned : plan.disks) {
        if (is_compute(planned.order)) names.insert(group_of(planned.order));
        for (const facts::Hold& hold : planned.disk.holds.value_or(std::vector<facts::Hold>{})) {
            if (hold.type == "LVM2_member") wiped.insert(hold.uuid);
        }
        for (const facts::Partition& partition : planned.disk.partitions) {
            for (const auto& hold : partition.holds.value_or(std::vector<facts::Hold>{})) {
                if (hold.type == "LVM2_member") wiped.insert(hold.uuid);
            }
        }
    }
    for (const PhysicalVolume& volume : traces.volumes) {
        const bool is_named = names.contains(volume.group);
        if (!is_named || wiped.contains(volume.uuid)) continue;
        if (is_in_our_group(volume, volume.group, tag)) {
            reasons.push_back("volume group " + volume.group + " of this join is also on " +
                              volume.path + ", which is not among the ordered disks");
            continue;
        }
        reasons.push_back("a volume group " + volume.group + " (" + volume.group_uuid +
                          ") is already on " + volume.path +
                          ", which is no ordered disk: rename it, or choose another pool");
    }
}

// Two orders that name one disk would wipe it twice.
void refuse_twice(const StoragePlan& plan, std::vector<std::string>& reasons) {
    for (std::size_t i = 0; i < plan.disks.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (plan.disks[i].disk.name != plan.disks[j].disk.name) continue;
            reasons.push_back("disk " + name_of(plan.disks[i].order) + " is the same disk as " +
                              name_of(plan.disks[j].order));
        }
    }
}

} // namespace

std::string plan_digest(const std::string& join_id, const config::NodeDisk& order) {
    Node text = Node::object();
    text.set("join", join_id);
    text.set("key", order.choice.key);
    text.set("role", order.choice.role.value_or(""));
    text.set("pool", order.choice.pool.value_or(""));
    text.set("storageClass", order.choice.storage_class.value_or(""));
    text.set("serial", order.serial);
    text.set("sizeBytes", Node::integer(static_cast<std::int64_t>(order.size_bytes)));
    text.set("digest", order.digest);
    return hex(sha256(bytes_of(write_json(text))));
}

std::string wipe_marker(const std::string& join_id, const std::string& plan) {
    std::string marker = std::string(kMarkerHead) + plan + " " + join_id + "\n";
    marker.resize(kSectorBytes, '\0');
    return marker;
}

std::string marked_plan(std::string_view first_sector) {
    constexpr std::size_t kPlanChars = 64;
    if (first_sector.substr(0, kMarkerHead.size()) != kMarkerHead) return {};
    const std::string_view plan = first_sector.substr(kMarkerHead.size(), kPlanChars);
    return from_hex(plan) && plan.size() == kPlanChars ? std::string(plan) : std::string{};
}

std::string group_name(const std::string& pool) {
    return "stratum-" + pool;
}

bool may_be_wiped(const PlannedDisk& planned, const facts::Disk& now,
                  std::string_view first_sector) {
    const std::string& approved = planned.order.digest;
    if (!approved.empty() && hex(facts::contents_digest(now)) == approved) return true;
    if (marked_plan(first_sector) == planned.plan) return true;
    return facts::judge(now).contents == facts::Contents::kBlank;
}

tl::expected<StoragePlan, std::vector<std::string>> plan_storage(const config::NodeConfig& node,
                                                                 const facts::Inventory& machine,
                                                                 const OwnTraces& traces) {
    const DiskPlanner planner(node, traces);
    StoragePlan plan;
    std::vector<std::string> reasons;
    for (const config::NodeDisk& order : node.disks) {
        auto planned = planner.plan(order, machine);
        if (planned) {
            plan.disks.push_back(std::move(*planned));
        } else {
            reasons.push_back(planned.error().message);
        }
    }
    refuse_twice(plan, reasons);
    refuse_foreign_groups(node, plan, traces, reasons);
    if (!reasons.empty()) return tl::make_unexpected(std::move(reasons));
    return plan;
}

tl::expected<StoragePlan, std::vector<std::string>>
plan_storage_now(PhaseContext& context, const facts::Inventory& machine) {
    if (context.node.disks.empty()) return StoragePlan{};
    const auto volumes = list_volumes(context, {});
    if (!volumes) return tl::make_unexpected(std::vector{volumes.error().message});
    const ReadFirstSector first_sector = [&context](const std::string& path) {
        return context.blocks->read(path, 0, kSectorBytes).value_or("");
    };
    return plan_storage(context.node, machine, {context.journal.state(), *volumes, first_sector});
}

} // namespace stratum::installer
