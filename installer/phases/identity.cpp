// The identity phase: the machine's name, the names of the members, and node.yaml in its place.
#include "common/base/net.hpp"
#include "common/base/text.hpp"
#include "installer/phases/bodies.hpp"
#include "installer/phases/hosts_file.hpp"
#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kHostname = "/etc/hostname";
constexpr std::string_view kHosts = "/etc/hosts";
// 0640: it may hold what the cluster passes through to its nodes.
constexpr std::string_view kNodeYaml = "/etc/stratum/node.yaml";

Status write_hosts(PhaseContext& context) {
    const auto old = context.files.read(in_target(context, kHosts));
    if (!old && old.error().code != ErrorCode::kNotFound) {
        return tl::make_unexpected(old.error());
    }
    return write_target(context, kHosts, with_members(old ? *old : "", context.node));
}

} // namespace

Status run_identity(PhaseContext& context) {
    const std::string& name = context.node.name;
    if (auto done = write_target(context, kHostname, name + "\n"); !done) return done;
    if (auto done = write_hosts(context); !done) return done;
    if (auto done = write_target(context, kNodeYaml, context.node_yaml, 0640); !done) return done;
    if (context.render_only()) return {};
    return run_tool(context, {"sysctl", "-q", "-w", "kernel.hostname=" + name});
}

} // namespace stratum::installer
