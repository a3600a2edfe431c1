#include "common/compat/probe.hpp"

#include <thread>

#include "common/base/text.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMostOutputBytes = 64 * 1024;

constexpr std::size_t kMostShownBytes = 100;

Detection unknown(std::string note, std::string advice) {
    Detection detection;
    detection.note = std::move(note);
    detection.advice = std::move(advice);
    return detection;
}

std::string shortened(std::string_view text) {
    const std::string clean = to_valid_utf8(text.substr(0, kMostShownBytes));
    return text.size() > kMostShownBytes ? clean + "..." : clean;
}

// The first line that is not empty, of what it said; "nothing" where there is none.
std::string said(const Finished& finished) {
    for (const std::string* output : {&finished.out, &finished.err})
        for (const auto& line : split(*output, '\n'))
            if (!trim(line).empty()) return "\"" + shortened(trim(line)) + "\"";
    return "nothing";
}

std::string ending_of(const Finished& finished) {
    if (finished.exit_code > 128)
        return "was ended by signal " + std::to_string(finished.exit_code - 128);
    return "ended with exit code " + std::to_string(finished.exit_code);
}

Detection judge_output(const Component& component, const Finished& finished) {
    const std::string asked = shortened(join(component.probe->argv, " "));
    if (finished.timed_out) {
        const bool is_silent = finished.out.empty() && finished.err.empty();
        return unknown(asked + (is_silent ? " did not answer within " : " did not end within ") +
                           std::to_string(kProbeLimitMs / 1000) + " s",
                       "run it by hand on that machine and see what holds it up");
    }
    if (!finished.ok())
        return unknown(asked + " " + ending_of(finished) + ", it said " + said(finished),
                       "run it by hand on that machine; where it ends so again, install it anew");
    // Some programs say their version on the other stream.
    for (std::string_view output : {finished.out, finished.err}) {
        // What stands at the cut may have gone on behind it: 25.0 is not 25.03.
        if (output.size() >= kMostOutputBytes) output = output.substr(0, output.rfind('\n') + 1);
        const auto versions = component.probe->output.find_two(output);
        if (versions.size() > 1)
            return unknown(asked + " names two versions, " + versions[0].str() + " and " +
                               versions[1].str(),
                           "see which program it starts (command -v " +
                               shortened(component.probe->argv.front()) + ")");
        if (versions.empty()) continue;
        Detection found;
        found.version = versions.front();
        return found;
    }
    return unknown(asked + " answered " + said(finished) + ", no line of it reads \"" +
                       component.probe->output.str() + "\"",
                   "see whether that is the right program (command -v " +
                       shortened(component.probe->argv.front()) + ")");
}

} // namespace

Detection detect(const Component& component, Processes& processes) {
    Command command;
    command.argv = component.probe->argv;
    command.timeout_ms = kProbeLimitMs;
    command.grace_ms = 0;
    command.max_output_bytes = kMostOutputBytes;
    const auto finished = processes.run(command);
    if (finished) return judge_output(component, *finished);
    Detection none = unknown(finished.error().message, "see that it can be run on that machine");
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
