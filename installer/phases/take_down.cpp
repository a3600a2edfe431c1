#include "installer/phases/take_down.hpp"

#include <algorithm>

#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

bool is_dm(const facts::StackLayer& layer) {
    return layer.path.starts_with("/dev/dm-") || layer.path.starts_with("/dev/mapper/");
}

// A partition that the kernel made of an array goes with the array.
bool goes_by_itself(const facts::StackLayer& layer) {
    return layer.kind == "partition" && !is_dm(layer);
}

Status take_down_layer(PhaseContext& context, const facts::StackLayer& layer) {
    if (goes_by_itself(layer)) return {};
    if (layer.kind == "multipath" || (layer.kind != "md" && !is_dm(layer))) {
        return fail(ErrorCode::kConflict, layer.name + " (" + layer.path + ", " + layer.kind +
                                              ") stands on the disk, and firstboot does not take "
                                              "such a device down: do it by hand, then retry");
    }
    context.log("taking down " + layer.kind + " " + layer.name +
                (layer.uuid.empty() ? "" : " (" + layer.uuid + ")"));
    if (layer.kind == "md") return run_tool(context, {"mdadm", "--stop", layer.path});
    // A name may have gone to another device since the look; device-mapper's uuid does not.
    if (!layer.uuid.empty()) {
        return run_tool(context, {"dmsetup", "remove", "--retry", "--uuid", layer.uuid});
    }
    return run_tool(context, {"dmsetup", "remove", "--retry", layer.name});
}

bool stands_on(const facts::StackLayer& upper, const facts::StackLayer& lower) {
    const std::string node = lower.path.substr(lower.path.rfind('/') + 1);
    return std::any_of(upper.members.begin(), upper.members.end(), [&](const std::string& member) {
        return member == node || member == lower.name;
    });
}

// A layer that no other one stands on; the list's end where they stand on each other in a circle.
std::vector<facts::StackLayer>::iterator top_layer(std::vector<facts::StackLayer>& layers) {
    return std::find_if(layers.begin(), layers.end(), [&](const facts::StackLayer& lower) {
        return std::none_of(layers.begin(), layers.end(), [&](const facts::StackLayer& upper) {
            return &upper != &lower && stands_on(upper, lower);
        });
    });
}

} // namespace

Status take_down(PhaseContext& context, const facts::Disk& disk) {
    auto left = disk.stack;
    while (!left.empty()) {
        const auto top = top_layer(left);
        if (top == left.end()) {
            return fail(ErrorCode::kConflict, "what stands on " + disk.path + " is a circle");
        }
        if (auto done = take_down_layer(context, *top); !done) return done;
        left.erase(top);
    }
    return {};
}

std::vector<std::string> take_down_tools(const facts::Disk& disk) {
    std::vector<std::string> tools;
    for (const facts::StackLayer& layer : disk.stack) {
        if (goes_by_itself(layer)) continue;
        const std::string tool = layer.kind == "md" ? "mdadm" : "dmsetup";
        if (std::find(tools.begin(), tools.end(), tool) == tools.end()) tools.push_back(tool);
    }
    return tools;
}

} // namespace stratum::installer
