// `firstboot health`: a file of health checks, judged, and each of its checks run once.
#include <future>
#include <iostream>

#include "app/commands.hpp"
#include "app/say.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/health/run.hpp"

namespace stratum::app {
namespace {

struct Running {
    health::Check check;
    std::future<health::Outcome> outcome;
};

int run(const Arguments& arguments) {
    const std::string path = arguments.value("FILE");
    const auto text = system_files().read(path, 1u << 20);
    if (!text) return say_failure(text.error().message, kExitUsage);
    const health::ReadChecks read = health::read_checks(*text);
    for (const std::string& line : health::fault_lines(path, read)) std::cerr << line << "\n";
    if (!read.findings.empty()) return kExitUsage;
    const health::RunSeams seams{system_files(), system_processes(), health::probe_url};
    std::vector<Running> running;
    for (const health::Check& check : read.checks)
        running.push_back({check, std::async(std::launch::async, [&seams, check] {
                               return health::run_check(check, seams);
                           })});
    bool all_passed = true;
    for (Running& one : running) {
        const health::Outcome outcome = one.outcome.get();
        all_passed &= outcome.passed;
        std::cout << one.check.name << "  " << (outcome.passed ? "passes" : outcome.said) << "\n";
    }
    return all_passed ? kExitOk : kExitFailed;
}

} // namespace

CommandSpec health_command() {
    return {.path = "health",
            .summary = "Check a file of health checks, and run each check once",
            .details = "Every fault of the file is told with line and column (exit code 2). Then "
                       "all checks run, each within its time limit: 0 when all pass, 1 when one "
                       "fails.",
            .arguments = {{"FILE", "The health checks, as the founder's --health takes them"}},
            .options = {},
            .example = "firstboot health /var/lib/stratum-founder/health.yaml",
            .run = run};
}

} // namespace stratum::app
