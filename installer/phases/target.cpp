#include "installer/phases/target.hpp"

namespace stratum::installer {

std::string in_target(const PhaseContext& context, std::string_view absolute) {
    return context.root == "/" ? std::string(absolute) : context.root + std::string(absolute);
}

Result<std::string> ask_tool(PhaseContext& context, const std::vector<std::string>& argv,
                             std::int64_t timeout_ms) {
    Command command;
    command.argv = argv;
    command.timeout_ms = timeout_ms;
    const auto finished = context.processes.run(command);
    if (auto ok = require_ok(command, finished); !ok) return tl::make_unexpected(ok.error());
    return finished->out;
}

Status run_tool(PhaseContext& context, const std::vector<std::string>& argv,
                std::int64_t timeout_ms) {
    const auto said = ask_tool(context, argv, timeout_ms);
    if (said) return {};
    context.log(said.error().message);
    return tl::make_unexpected(said.error());
}

Status write_target(PhaseContext& context, std::string_view absolute, std::string_view content,
                    unsigned mode) {
    const std::string path = in_target(context, absolute);
    const auto slash = path.rfind('/');
    if (auto made = context.files.make_folder(path.substr(0, slash)); !made) return made;
    if (auto done = context.files.write(path, content, mode); !done) return done;
    context.log("wrote " + path);
    return {};
}

} // namespace stratum::installer
