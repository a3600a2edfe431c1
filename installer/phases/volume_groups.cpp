#include "installer/phases/volume_groups.hpp"

#include <algorithm>

#include "common/base/document.hpp"
#include "common/base/text.hpp"
#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

// The appliance sets going the volumes of groups with this tag at boot, and no others.
constexpr const char* kOursTag = "stratum";

// More disks than any machine has; LVM waits for locks and slow disks.
constexpr std::int64_t kLvmMs = 120'000;

std::string text_of(const Node& row, std::string_view name) {
    const Node* member = row.find(name);
    return member == nullptr ? std::string{} : member->as_string();
}

PhysicalVolume read_row(const Node& row) {
    PhysicalVolume volume{text_of(row, "pv_name"),
                          text_of(row, "pv_uuid"),
                          text_of(row, "vg_name"),
                          text_of(row, "vg_uuid"),
                          {}};
    for (const std::string& tag : split(text_of(row, "vg_tags"), ',')) {
        if (!tag.empty()) volume.tags.push_back(tag);
    }
    return volume;
}

bool has_tag(const PhysicalVolume& volume, const std::string& tag) {
    return std::find(volume.tags.begin(), volume.tags.end(), tag) != volume.tags.end();
}

// Does our group stand (it may be incomplete); another's group of that name is an error.
Result<bool> has_our_group(const std::vector<PhysicalVolume>& volumes, const std::string& name,
                           const std::string& tag) {
    std::string ours;
    for (const PhysicalVolume& volume : volumes) {
        if (volume.group != name) continue;
        if (!has_tag(volume, tag) || (!ours.empty() && ours != volume.group_uuid)) {
            return fail(ErrorCode::kConflict,
                        "a volume group " + name + " (" + volume.group_uuid + ") is already on " +
                            volume.path +
                            " and this join did not make it: rename it, or choose another pool");
        }
        ours = volume.group_uuid;
    }
    return !ours.empty();
}

std::vector<std::string> limited_to(std::vector<std::string> argv,
                                    const std::vector<std::string>& devices) {
    argv.insert(argv.end(), {"--devices", join(devices, ","), "--yes"});
    return argv;
}

// The ordered devices are all in our group, and the group is on nothing else.
Status require_group(PhaseContext& context, const GroupOrder& order) {
    const std::string tag = join_tag(context.node.join_id);
    const auto ordered = list_volumes(context, order.devices);
    if (!ordered) return tl::make_unexpected(ordered.error());
    const auto all = list_volumes(context, {});
    if (!all) return tl::make_unexpected(all.error());
    const auto is_ours = [&](const PhysicalVolume& volume) {
        return is_in_our_group(volume, order.name, tag);
    };
    const auto in_it = std::count_if(ordered->begin(), ordered->end(), is_ours);
    const auto of_it = std::count_if(all->begin(), all->end(), is_ours);
    const auto due = static_cast<std::ptrdiff_t>(order.devices.size());
    if (in_it == due && of_it == due) return {};
    return fail(ErrorCode::kInternal, "volume group " + order.name + " reads back with " +
                                          std::to_string(in_it) + " of the ordered devices (" +
                                          join(order.devices, ", ") + ") and " +
                                          std::to_string(of_it) + " devices in all");
}

} // namespace

std::string join_tag(const std::string& join_id) {
    return "stratum.join=" + join_id;
}

bool is_in_our_group(const PhysicalVolume& volume, const std::string& name,
                     const std::string& tag) {
    return volume.group == name && has_tag(volume, tag);
}

Result<std::vector<PhysicalVolume>> parse_volumes(std::string_view report) {
    const Parsed parsed = parse_json(report);
    if (!parsed.root || !parsed.findings.empty()) {
        return fail(ErrorCode::kInvalid, "pvs said something that is not its JSON report");
    }
    const Node* reports = parsed.root->find("report");
    const Node* rows = reports == nullptr || reports->items().empty()
                           ? nullptr
                           : reports->items().front().find("pv");
    if (rows == nullptr) {
        return fail(ErrorCode::kInvalid, "the report of pvs has no list “pv”");
    }
    std::vector<PhysicalVolume> volumes;
    for (const Node& row : rows->items()) volumes.push_back(read_row(row));
    return volumes;
}

Result<std::vector<PhysicalVolume>> list_volumes(PhaseContext& context,
                                                 const std::vector<std::string>& devices) {
    std::vector<std::string> argv = {
        "pvs",  "--readonly", "--reportformat",
        "json", "-o",         "pv_name,pv_uuid,vg_name,vg_uuid,vg_tags"};
    if (!devices.empty()) argv.insert(argv.end(), {"--devices", join(devices, ",")});
    const auto said = ask_tool(context, argv, kLvmMs);
    if (!said) return tl::make_unexpected(said.error());
    return parse_volumes(*said);
}

Status make_group(PhaseContext& context, const GroupOrder& order) {
    const auto volumes = list_volumes(context, {});
    if (!volumes) return tl::make_unexpected(volumes.error());
    const std::string tag = join_tag(context.node.join_id);
    const auto stands = has_our_group(*volumes, order.name, tag);
    if (!stands) return tl::make_unexpected(stands.error());
    if (order.missing.empty()) return require_group(context, order);

    // LVM would clear the first sectors, and with them our marker: it is what says, until the group
    // with our tag stands, that this volume is our own work.
    auto create = limited_to({"pvcreate", "--zero", "n"}, order.missing);
    create.insert(create.end(), order.missing.begin(), order.missing.end());
    if (auto done = run_tool(context, create, kLvmMs); !done) return done;

    auto group =
        *stands ? limited_to({"vgextend"}, order.devices)
                : limited_to({"vgcreate", "--addtag", tag, "--addtag", kOursTag}, order.devices);
    group.push_back(order.name);
    group.insert(group.end(), order.missing.begin(), order.missing.end());
    if (auto done = run_tool(context, group, kLvmMs); !done) return done;
    return require_group(context, order);
}

} // namespace stratum::installer
