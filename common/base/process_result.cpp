#include "common/base/processes.hpp"
#include "common/base/text.hpp"

namespace stratum {
namespace {

constexpr std::size_t kMaxShownBytes = 300;

std::string program_of(const Command& command) {
    if (command.argv.empty()) return "(no program)";
    const std::string& path = command.argv[0];
    return to_valid_utf8(path.substr(path.rfind('/') + 1));
}

std::string last_line_of(std::string_view output) {
    output = trim(output);
    // (npos + 1 is the whole.)
    std::string line = to_valid_utf8(trim(output.substr(output.rfind('\n') + 1)));
    if (line.size() <= kMaxShownBytes) return line;
    return line.substr(0, utf8_length(std::string_view(line).substr(0, kMaxShownBytes))) + "…";
}

} // namespace

Status require_ok(const Command& command, const Result<Finished>& finished) {
    if (!finished) return tl::make_unexpected(finished.error());
    if (finished->ok()) return {};
    std::string message = program_of(command);
    if (finished->timed_out) {
        message += " was ended at its limit of " + std::to_string(command.timeout_ms) + " ms";
    } else if (finished->exit_code > 128) {
        message += " was ended by signal " + std::to_string(finished->exit_code - 128);
    } else {
        message += " failed with exit code " + std::to_string(finished->exit_code);
    }
    std::string said = last_line_of(finished->err);
    if (said.empty()) said = last_line_of(finished->out);
    if (!said.empty()) message += ": " + said;
    return fail(finished->timed_out ? ErrorCode::kTimeout : ErrorCode::kIo, std::move(message));
}

} // namespace stratum
