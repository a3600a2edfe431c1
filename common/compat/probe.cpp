#include "common/compat/probe.hpp"

#include <thread>

#include "common/base/text.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMostOutputBytes = 64 * 1024;

Detection unknown(std::string note) {
    Detection detection;
    detection.note = std::move(note);
    return detection;
}

std::string ending_of(const Finished& finished) {
    if (finished.exit_code > 128)
        return "was ended by signal " + std::to_string(finished.exit_code - 128);
    return "ended with exit code " + std::to_string(finished.exit_code);
}

Detection judge_output(const Component& component, const Finished& finished) {
    const std::string asked = join(component.probe->argv, " ");
    if (finished.timed_out)
        return unknown(asked + " did not answer within " + std::to_string(kProbeLimitMs / 1000) +
                       " s");
    if (!finished.ok()) return unknown(asked + " " + ending_of(finished));
    // Some programs say their version on the other stream.
    for (const std::string* output : {&finished.out, &finished.err}) {
        Detection found;
        found.version = component.probe->output.find(*output);
        if (found.version) return found;
    }
    return unknown(asked + " answered, but no line of it reads \"" + component.probe->output.str() +
                   "\"");
}

} // namespace

Detection detect(const Component& component, Processes& processes) {
    Command command;
    command.argv = component.probe->argv;
    command.timeout_ms = kProbeLimitMs;
    command.max_output_bytes = kMostOutputBytes;
    const auto finished = processes.run(command);
    if (finished) return judge_output(component, *finished);
    Detection none = unknown(finished.error().message);
    none.is_absent = finished.error().code == ErrorCode::kNotFound;
    return none;
}

Detections detect_all(const Pins& pins, Processes& processes) {
    Detections detections;
    std::vector<std::thread> probes;
    for (const auto& component : pins.components) {
        if (component.component_class != ComponentClass::kHost) continue;
        // Made before the thread starts: no thread changes the map itself.
        Detection& place = detections[component.id];
        probes.emplace_back(
            [&component, &processes, &place] { place = detect(component, processes); });
    }
    for (auto& probe : probes) probe.join();
    return detections;
}

} // namespace stratum::compat
