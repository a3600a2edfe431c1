#include "installer/phases/volume_groups.hpp"

#include <algorithm>

#include "common/base/document.hpp"
#include "common/base/text.hpp"
#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

std::string text_of(const Node& row, std::string_view name) {
    const Node* member = row.find(name);
    return member == nullptr ? std::string{} : member->as_string();
}

void add_row(const Node& row, std::vector<VolumeGroup>& groups) {
    const std::string uuid = text_of(row, "vg_uuid");
    auto at = std::find_if(groups.begin(), groups.end(),
                           [&](const VolumeGroup& group) { return group.uuid == uuid; });
    if (at == groups.end()) {
        groups.push_back({text_of(row, "vg_name"), uuid, {}, {}});
        at = groups.end() - 1;
        for (const std::string& tag : split(text_of(row, "vg_tags"), ',')) {
            if (!tag.empty()) at->tags.push_back(tag);
        }
    }
    at->devices.push_back(text_of(row, "pv_name"));
    std::sort(at->devices.begin(), at->devices.end());
}

bool has_tag(const VolumeGroup& group, const std::string& tag) {
    return std::find(group.tags.begin(), group.tags.end(), tag) != group.tags.end();
}

// Our group of that name, nullptr for none yet; another's group of that name is an error.
Result<const VolumeGroup*> find_ours(const std::vector<VolumeGroup>& groups,
                                     const std::string& name, const std::string& tag) {
    const VolumeGroup* ours = nullptr;
    for (const VolumeGroup& group : groups) {
        if (group.name != name) continue;
        if (!has_tag(group, tag)) {
            return fail(ErrorCode::kConflict,
                        "a volume group " + name + " (" + group.uuid + ") is already on " +
                            join(group.devices, ", ") +
                            " and this join did not make it: rename it, or choose another pool");
        }
        ours = &group;
    }
    return ours;
}

std::vector<std::string> with_devices(std::vector<std::string> argv,
                                      const std::vector<std::string>& devices) {
    argv.insert(argv.end(), {"--devices", join(devices, ","), "--yes"});
    return argv;
}

Status require_group(PhaseContext& context, const std::string& name,
                     std::vector<std::string> devices) {
    const auto groups = list_groups(context);
    if (!groups) return tl::make_unexpected(groups.error());
    const auto ours = find_ours(*groups, name, join_tag(context.node.join_id));
    if (!ours) return tl::make_unexpected(ours.error());
    std::sort(devices.begin(), devices.end());
    if (*ours != nullptr && (*ours)->devices == devices) return {};
    return fail(ErrorCode::kInternal,
                "volume group " + name + " reads back as " +
                    (*ours == nullptr ? "missing" : "being on " + join((*ours)->devices, ", ")) +
                    ", ordered was " + join(devices, ", "));
}

} // namespace

std::string join_tag(const std::string& join_id) {
    return "stratum.join=" + join_id;
}

Result<std::vector<VolumeGroup>> parse_groups(std::string_view report) {
    const Parsed parsed = parse_json(report);
    if (!parsed.root || !parsed.findings.empty()) {
        return fail(ErrorCode::kInvalid, "vgs said something that is not its JSON report");
    }
    const Node* reports = parsed.root->find("report");
    if (reports == nullptr || reports->items().empty()) {
        return fail(ErrorCode::kInvalid, "the report of vgs has no member “report”");
    }
    std::vector<VolumeGroup> groups;
    // The list's name depends on the columns asked for (vg or pv); there is one.
    for (const auto& [name, rows] : reports->items().front().members()) {
        for (const Node& row : rows.items()) add_row(row, groups);
    }
    return groups;
}

Result<std::vector<VolumeGroup>> list_groups(PhaseContext& context) {
    const auto said = ask_tool(context, {"vgs", "--readonly", "--reportformat", "json", "-o",
                                         "vg_name,vg_uuid,vg_tags,pv_name"});
    if (!said) return tl::make_unexpected(said.error());
    return parse_groups(*said);
}

Status make_group(PhaseContext& context, const std::string& name,
                  const std::vector<std::string>& devices) {
    const auto groups = list_groups(context);
    if (!groups) return tl::make_unexpected(groups.error());
    const std::string tag = join_tag(context.node.join_id);
    const auto ours = find_ours(*groups, name, tag);
    if (!ours) return tl::make_unexpected(ours.error());

    std::vector<std::string> missing = devices;
    if (*ours != nullptr) {
        std::erase_if(missing, [&](const std::string& device) {
            const auto& there = (*ours)->devices;
            return std::find(there.begin(), there.end(), device) != there.end();
        });
    }
    if (missing.empty()) return require_group(context, name, devices);
    auto create = with_devices({"pvcreate", "--zero", "y"}, missing);
    create.insert(create.end(), missing.begin(), missing.end());
    if (auto done = run_tool(context, create); !done) return done;

    auto group = *ours != nullptr ? with_devices({"vgextend"}, devices)
                                  : with_devices({"vgcreate", "--addtag", tag}, devices);
    group.push_back(name);
    group.insert(group.end(), missing.begin(), missing.end());
    if (auto done = run_tool(context, group); !done) return done;
    return require_group(context, name, devices);
}

} // namespace stratum::installer
