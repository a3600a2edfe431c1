#include "common/link/step_titles.hpp"
#include "installer/phases/bodies.hpp"

namespace stratum::installer {
namespace {

Phase row(std::string_view name, Status (*run)(PhaseContext&)) {
    return {name, link::known_step_title(name), run};
}

} // namespace

const std::vector<Phase>& phases_before_join() {
    static const std::vector<Phase> phases = {
        row("verify", run_verify), row("identity", run_identity), row("network", run_network),
        row("time", run_time),     row("storage", run_storage),
    };
    return phases;
}

const std::vector<Phase>& phases_after_join() {
    static const std::vector<Phase> phases = {
        row("finish", run_finish),
    };
    return phases;
}

} // namespace stratum::installer
