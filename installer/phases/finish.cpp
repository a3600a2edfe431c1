// The finish phase: what the member needs to go on alone, where to find the founder and its key.
#include "common/link/member_file.hpp"
#include "installer/phases/bodies.hpp"
#include "installer/phases/target.hpp"

namespace stratum::installer {

Status run_finish(PhaseContext& context) {
    const config::NodeConfig& node = context.node;
    if (!node.founder) {
        return fail(ErrorCode::kInvalid, "node.yaml does not say where the founder is", "founder");
    }
    link::MemberFile member{node.node_id, node.name, {}, link::Fingerprint(Sha256{})};
    for (const std::string& text : node.founder->addresses) {
        auto address = HostPort::parse(text);
        if (!address) return fail_in("founder.addresses", address.error());
        member.founders.push_back(std::move(*address));
    }
    const auto key = link::Fingerprint::parse(node.founder->key);
    if (!key) return fail_in("founder.key", key.error());
    member.founder_key = *key;
    if (auto done = link::write_member_file(context.files, context.state_folder, member); !done) {
        return done;
    }
    context.log("this machine is " + node.name + " (" + node.node_id + ")");
    return {};
}

} // namespace stratum::installer
