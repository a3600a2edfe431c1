#include "common/health/run.hpp"

#include "common/base/text.hpp"

namespace stratum::health {
namespace {

constexpr std::size_t kOutputBytes = 16u << 10; // kept of each stream
constexpr std::size_t kLongestLine = 200;       // shown
constexpr std::size_t kLongestCa = 1u << 20;

std::string seconds(std::int64_t count) {
    return std::to_string(count) + (count == 1 ? " second" : " seconds");
}

// The last line that says something: of errors first.
std::string last_line(const Finished& finished) {
    for (const std::string* stream : {&finished.err, &finished.out}) {
        const std::vector<std::string> lines = split(*stream, '\n');
        for (auto line = lines.rbegin(); line != lines.rend(); ++line)
            if (const std::string_view text = trim(*line); !text.empty())
                return to_valid_utf8(text.substr(0, kLongestLine));
    }
    return "";
}

Outcome failed(std::string said) {
    return {false, std::move(said)};
}

Outcome run_command(const Check& check, Processes& processes) {
    Command command;
    command.argv = check.command;
    command.timeout_ms = check.timeout_s * 1000;
    command.max_output_bytes = kOutputBytes;
    command.working_folder = "/";
    const auto finished = processes.run(command);
    if (!finished) return failed("could not be run: " + finished.error().message);
    if (finished->timed_out) return failed("did not end within " + seconds(check.timeout_s));
    if (finished->exit_code == 0) return {true, ""};
    const std::string line = last_line(*finished);
    return failed("ended with exit code " + std::to_string(finished->exit_code) +
                  (line.empty() ? "" : ": " + line));
}

Outcome ask_url(const Check& check, const RunSeams& seams) {
    UrlQuestion question{check.url, "", check.pin, check.timeout_s * 1000};
    if (!check.ca_file.empty()) {
        const auto pem = seams.files.read(check.ca_file, kLongestCa);
        if (!pem) return failed("could not be run: its caFile: " + pem.error().message);
        question.ca_pem = *pem;
        if (question.ca_pem.empty()) return failed("could not be run: its caFile is empty");
    }
    const auto status = seams.probe_url(question);
    if (!status) return failed("was not answered: " + status.error().message);
    if (*status == check.expect_status) return {true, ""};
    return failed("answered " + std::to_string(*status) + ", not " +
                  std::to_string(check.expect_status));
}

} // namespace

Outcome run_check(const Check& check, const RunSeams& seams) {
    return check.command.empty() ? ask_url(check, seams) : run_command(check, seams.processes);
}

} // namespace stratum::health
