#include "tests/fakes/fake_processes.hpp"

#include "common/base/line_splitter.hpp"
#include "common/base/text.hpp"

namespace stratum::fakes {
namespace {

bool fits(const std::vector<std::string>& argv, const std::vector<std::string>& prefix) {
    if (prefix.size() > argv.size()) return false;
    for (std::size_t i = 0; i < prefix.size(); ++i) {
        const bool is_same = argv[i] == prefix[i] || (i == 0 && argv[0].ends_with("/" + prefix[0]));
        if (!is_same) return false;
    }
    return true;
}

void tell_lines(const Command& command, const Finished& finished) {
    if (!command.on_line) return;
    for (const std::string* text : {&finished.out, &finished.err}) {
        LineSplitter lines;
        lines.feed(*text, command.on_line);
        lines.finish(command.on_line);
    }
}

void cut(std::string& text, std::size_t limit, bool& is_cut) {
    if (text.size() <= limit) return;
    text.resize(limit);
    is_cut = true;
}

} // namespace

Result<Finished> FakeProcesses::run(const Command& command) {
    const Answer answer = take(command);
    if (!answer) {
        return fail(ErrorCode::kNotFound, "there is no program \"" +
                                              (command.argv.empty() ? "" : command.argv[0]) + "\"");
    }
    // Not under the lock: an answer may run a program itself, or wait for another thread.
    Result<Finished> finished = answer(command);
    if (!finished) return finished;
    tell_lines(command, *finished);
    cut(finished->out, command.max_output_bytes, finished->truncated);
    cut(finished->err, command.max_output_bytes, finished->truncated);
    return finished;
}

FakeProcesses::Answer FakeProcesses::take(const Command& command) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(command);
    auto best = scripted_.end();
    for (auto one = scripted_.begin(); one != scripted_.end(); ++one) {
        if (!fits(command.argv, one->prefix)) continue;
        // Those that count once come first, and among them the one given first.
        const bool is_better = best == scripted_.end() || (one->is_once && !best->is_once) ||
                               (one->is_once == best->is_once &&
                                (one->is_once ? one->prefix.size() > best->prefix.size()
                                              : one->prefix.size() >= best->prefix.size()));
        if (is_better) best = one;
    }
    if (best == scripted_.end()) {
        unexpected_.push_back(join(command.argv, " "));
        return nullptr;
    }
    Answer answer = best->answer;
    if (best->is_once) scripted_.erase(best);
    return answer;
}

void FakeProcesses::on(std::vector<std::string> prefix, Answer answer) {
    const std::lock_guard lock(mutex_);
    scripted_.push_back({std::move(prefix), std::move(answer), false});
}

void FakeProcesses::on(std::vector<std::string> prefix, std::string out, int exit_code,
                       std::string err) {
    Finished finished;
    finished.exit_code = exit_code;
    finished.out = std::move(out);
    finished.err = std::move(err);
    on(std::move(prefix), [finished](const Command&) { return finished; });
}

void FakeProcesses::times_out(std::vector<std::string> prefix) {
    Finished finished;
    finished.exit_code = 128 + 15;
    finished.timed_out = true;
    on(std::move(prefix), [finished](const Command&) { return finished; });
}

void FakeProcesses::once(std::vector<std::string> prefix, Answer answer) {
    const std::lock_guard lock(mutex_);
    scripted_.push_back({std::move(prefix), std::move(answer), true});
}

std::vector<Command> FakeProcesses::calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
}

std::vector<std::string> FakeProcesses::lines() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    for (const Command& call : calls_) lines.push_back(join(call.argv, " "));
    return lines;
}

int FakeProcesses::count(const std::vector<std::string>& prefix) const {
    const std::lock_guard lock(mutex_);
    int count = 0;
    for (const Command& call : calls_) count += fits(call.argv, prefix) ? 1 : 0;
    return count;
}

std::vector<std::string> FakeProcesses::unexpected() const {
    const std::lock_guard lock(mutex_);
    return unexpected_;
}

void FakeProcesses::forget_calls() {
    const std::lock_guard lock(mutex_);
    calls_.clear();
    unexpected_.clear();
}

} // namespace stratum::fakes
