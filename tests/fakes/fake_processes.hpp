// Programs that answer as a test says, found by how their argv begins.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "common/base/processes.hpp"

namespace stratum::fakes {

// Of the answers whose prefix fits, the longest prefix counts; of equals the one given last.
// argv[0] fits with or without its folder. A program without an answer is not installed (kNotFound)
// and is noted in `unexpected`. `on_line` hears the answer's lines, `out` first. Safe from any
// thread.
class FakeProcesses final : public Processes {
public:
    // With state: what it captures is the machine, which the next answer may show changed.
    using Answer = std::function<Result<Finished>(const Command&)>;

    Result<Finished> run(const Command& command) override;

    void on(std::vector<std::string> prefix, Answer answer);
    void on(std::vector<std::string> prefix, std::string out, int exit_code = 0,
            std::string err = {});
    void times_out(std::vector<std::string> prefix);
    // The next run that fits answers this, once, before whatever `on` said.
    void once(std::vector<std::string> prefix, Answer answer);

    [[nodiscard]] std::vector<Command> calls() const;
    // "lvcreate -n a vg": each call's argv, joined by spaces, in order.
    [[nodiscard]] std::vector<std::string> lines() const;
    [[nodiscard]] int count(const std::vector<std::string>& prefix) const;
    [[nodiscard]] std::vector<std::string> unexpected() const;
    void forget_calls();

private:
    struct Scripted {
        std::vector<std::string> prefix;
        Answer answer;
        bool is_once = false;
    };

    Answer take(const Command& command);

    mutable std::mutex mutex_;
    std::vector<Scripted> scripted_;
    std::vector<Command> calls_;
    std::vector<std::string> unexpected_;
};

} // namespace stratum::fakes
