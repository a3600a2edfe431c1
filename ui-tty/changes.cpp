// The same as a log: what is new, a sentence a line.
#include <algorithm>

#include "common/base/text.hpp"
#include "ui-tty/draw.hpp"

namespace stratum::ui {
namespace {

using installer::JoinProgress;

// The lines at the end of `now` that were not there before; both are windows over one log.
std::vector<std::string> new_lines(const std::vector<std::string>& before,
                                   const std::vector<std::string>& now) {
    for (std::size_t gone = 0; gone <= before.size(); ++gone) {
        const std::size_t kept = before.size() - gone;
        if (kept > now.size()) continue;
        if (std::equal(before.begin() + static_cast<long>(gone), before.end(), now.begin())) {
            return {now.begin() + static_cast<long>(kept), now.end()};
        }
    }
    return now;
}

void add(std::vector<std::string>& lines, std::string_view label, const std::string& was,
         const std::string& is) {
    if (is != was && !is.empty()) lines.push_back(std::string(label) + is);
}

std::string line_of(const link::Step& step) {
    const std::string& title = step.title.empty() ? step.name : step.title;
    const std::string status(link::step_status_name(step.status));
    return "step " + step.name + ": " + status + " (" + title + ")" +
           (step.error.empty() ? "" : ": " + step.error);
}

void add_steps(std::vector<std::string>& lines, const JoinProgress& before,
               const JoinProgress& now) {
    for (const link::Step& step : now.steps) {
        const auto was = std::ranges::find(before.steps, step.name, &link::Step::name);
        const bool is_new = was == before.steps.end() || was->status != step.status;
        if (is_new && step.status != link::StepStatus::kPending) lines.push_back(line_of(step));
    }
}

} // namespace

std::vector<std::string> changes(const JoinProgress& before, const JoinProgress& now) {
    std::vector<std::string> lines;
    if (before.machine != now.machine) {
        lines.insert(lines.end(), now.machine.begin(), now.machine.end());
    }
    if (before.notes != now.notes) {
        for (const std::string& line : now.notes) lines.push_back("note: " + line);
    }
    const bool is_first = before == JoinProgress{};
    if (is_first || before.state != now.state) {
        lines.push_back("== " + std::string(row_of(now.state).headline));
    }
    add(lines, "founder: ", before.founder, now.founder);
    add(lines, "founder key: ", before.founder_key, now.founder_key);
    add(lines, "PAIRING CODE: ", before.pairing_code, now.pairing_code);
    add(lines, "", before.message, now.message);
    add(lines, "error: ", before.error, now.error);
    const std::string was = before.retry ? before.retry->reason : "";
    if (now.retry && now.retry->reason != was) {
        lines.push_back("trying again in " + std::to_string(now.retry->seconds_left) +
                        " s: " + now.retry->reason);
    }
    add(lines, "what to do: ", before.next_step, now.next_step);
    add_steps(lines, before, now);
    for (const std::string& line : new_lines(before.log, now.log)) {
        // The headline is said already; what follows it in the log is the error, said too.
        if (!line.starts_with(row_of(now.state).headline)) lines.push_back("| " + line);
    }
    add(lines, "? ", before.prompt, now.prompt);
    return lines;
}

std::vector<std::string> changes(const member::MemberStatus& before,
                                 const member::MemberStatus& now) {
    std::vector<std::string> lines;
    if (before.node_id != now.node_id) {
        lines.push_back("== This machine is a member: " + now.name + ", " + now.node_id);
    }
    if (before.generation_applied != now.generation_applied) {
        lines.push_back("membership generation " + std::to_string(now.generation_applied) + ", " +
                        std::to_string(now.members) + " members");
    }
    add(lines, "error: ", before.trouble, now.trouble);
    if (!before.trouble.empty() && now.trouble.empty()) lines.emplace_back("the founder answers");
    return lines;
}

} // namespace stratum::ui
