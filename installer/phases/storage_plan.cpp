#include "installer/phases/storage_plan.hpp"

#include <algorithm>

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

// A physical volume on the whole disk and nothing else, in our pool's group or in none yet.
bool holds_only_our_group(const facts::Disk& disk, const config::NodeDisk& order) {
    if (is_ceph(order) || !disk.holds || disk.holds->size() != 1) return false;
    const facts::Hold& hold = disk.holds->front();
    if (hold.type != "LVM2_member" || hold.device != disk.path) return false;
    const std::string ours = group_name(order.choice.pool.value_or(""));
    return std::all_of(disk.stack.begin(), disk.stack.end(),
                       [&](const facts::StackLayer& layer) { return layer.group == ours; });
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
    DiskPlanner(const config::NodeConfig& node, const JournalState& journal,
                const ReadFirstSector& first_sector)
        : node_(node), journal_(journal), first_sector_(first_sector) {}

    // The planned disk, or why not.
    Result<PlannedDisk> plan(const config::NodeDisk& order, const facts::Inventory& machine) const {
        const auto found = facts::find_disk(machine.disks, order.choice.key);
        if (!found) {
            return refuse(order, "is not present: " + found.error().message);
        }
        const facts::Disk& disk = **found;
        if (const std::string other = other_identity(order, disk); !other.empty()) {
            return refuse(order, other);
        }
        const facts::DiskVerdict verdict = facts::judge(disk);
        if (!verdict.refusals.empty()) return refuse(order, join(verdict.refusals, "; "));
        PlannedDisk planned{order, disk, plan_digest(node_.join_id, order), DiskWork::kFresh};
        return decide(std::move(planned), verdict);
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
        const auto mark = journal_.disks.find(planned.order.choice.key);
        const bool begun = journal_.join_id == node_.join_id && mark != journal_.disks.end() &&
                           mark->second.plan == planned.plan;
        const bool as_approved = hex(facts::contents_digest(planned.disk)) == planned.order.digest;
        if (!begun && as_approved) return planned;
        if (!begun) {
            return refuse(planned.order,
                          "no longer holds what was approved; now it holds " +
                              what_it_holds(verdict) +
                              ". Reject this join and let the machine register again");
        }
        if (mark->second.finished) return finished(std::move(planned), verdict);
        if (!as_approved && !is_our_own_work(planned, verdict)) {
            return refuse(planned.order, "was being written by this join, but now holds " +
                                             what_it_holds(verdict) +
                                             ", which this join did not write");
        }
        planned.work = DiskWork::kContinue;
        return planned;
    }

    [[nodiscard]] bool is_our_own_work(const PlannedDisk& planned,
                                       const facts::DiskVerdict& verdict) const {
        if (verdict.contents == facts::Contents::kBlank) return true;
        if (holds_only_our_group(planned.disk, planned.order)) return true;
        return marked_plan(first_sector_(planned.disk.path)) == planned.plan;
    }

    static Result<PlannedDisk> finished(PlannedDisk planned, const facts::DiskVerdict& verdict) {
        const bool stands = is_ceph(planned.order)
                                ? verdict.contents == facts::Contents::kBlank
                                : holds_only_our_group(planned.disk, planned.order);
        if (!stands) {
            return refuse(planned.order, "was finished by this join, but now holds " +
                                             what_it_holds(verdict) +
                                             "; somebody else has written to it");
        }
        planned.work = DiskWork::kDone;
        return planned;
    }

    const config::NodeConfig& node_;
    const JournalState& journal_;
    const ReadFirstSector& first_sector_;
};

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

tl::expected<StoragePlan, std::vector<std::string>>
plan_storage(const config::NodeConfig& node, const facts::Inventory& machine,
             const JournalState& journal, const ReadFirstSector& first_sector) {
    const DiskPlanner planner(node, journal, first_sector);
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
    if (!reasons.empty()) return tl::make_unexpected(std::move(reasons));
    return plan;
}

} // namespace stratum::installer
