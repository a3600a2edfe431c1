#include "installer/driver.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

using link::StepStatus;

constexpr std::size_t kMostErrorBytes = 3000;

// A step as the driver runs it, whatever kind it is.
struct Work {
    std::string name, title;
    std::function<Status(PhaseContext&)> run;
};

DriveResult ended(DriveResult::Kind kind) {
    DriveResult result;
    result.kind = kind;
    return result;
}

class Drive {
public:
    explicit Drive(DriveInput& input) : in_(input), context_(make_context()) {}

    DriveResult run() {
        auto bundle = in_.seams.steps.open_bundle(context_);
        list_work(bundle ? *bundle : std::vector<JoinStep>{});
        in_.reporter.set_steps(steps_);
        in_.show();
        for (const std::string& line : in_.options.notes) log(line);
        if (!bundle) {
            // Found before anything was changed; it is the first thing `verify` would stumble on.
            link::Step& step = steps_.front();
            step.status = StepStatus::kFailed;
            return failed(step, fail_in("the bundle", bundle.error()).value().message);
        }
        for (std::size_t at = 0; at < work_.size(); ++at) {
            if (in_.seams.stopping && in_.seams.stopping())
                return ended(DriveResult::Kind::kStopped);
            if (in_.reporter.is_refused()) return ended(DriveResult::Kind::kRefused);
            DriveResult result = run_one(work_[at], steps_[at]);
            if (result.kind != DriveResult::Kind::kDone) return result;
        }
        return {};
    }

private:
    PhaseContext make_context() {
        PhaseContext context{.node = in_.node,
                             .node_yaml = in_.node_yaml,
                             .bundle_tar = in_.bundle_tar,
                             .root = in_.options.root,
                             .state_folder = in_.options.state_folder,
                             .files = in_.seams.files,
                             .processes = in_.seams.processes,
                             .clock = in_.seams.clock,
                             .journal = in_.journal,
                             .look = in_.look,
                             .founder_reachable = in_.founder_reachable,
                             .sleep_ms =
                                 [this](std::int64_t wait_ms) {
                                     stopped_ = stopped_ || !in_.sleep_ms(wait_ms);
                                     return !stopped_;
                                 },
                             .percent = {},
                             .log = {}};
        return context;
    }

    void list_work(const std::vector<JoinStep>& bundle) {
        const auto add = [this](std::string name, std::string title, auto act) {
            work_.push_back({name, title, std::move(act)});
            link::Step step;
            step.name = std::move(name);
            step.title = std::move(title);
            const auto& known = in_.journal.state().steps;
            const auto at = known.find(step.name);
            if (at != known.end() && at->second.status == StepStatus::kDone) step = at->second;
            steps_.push_back(std::move(step));
        };
        const InstallSteps& all = in_.seams.steps;
        for (const Phase& phase : all.before_join) {
            add(std::string(phase.name), std::string(phase.title), phase.run);
        }
        for (const JoinStep& step : bundle) {
            add("join/" + step.name, step.title,
                [&all, step](PhaseContext& context) { return all.run_join_step(context, step); });
        }
        for (const Phase& phase : all.after_join) {
            add(std::string(phase.name), std::string(phase.title), phase.run);
        }
    }

    DriveResult run_one(const Work& work, link::Step& step) {
        if (in_.journal.is_done(work.name)) {
            log(work.name + ": done before");
            return {};
        }
        step.status = StepStatus::kRunning;
        step.started_at = in_.seams.clock.unix_seconds();
        step.finished_at.reset();
        step.percent.reset();
        step.error.clear();
        if (auto noted = note(step); !noted) return failed(step, noted.error().message);
        log(work.name + ": " + (work.title.empty() ? "begins" : work.title));
        context_.percent = [this, &step](int percent) { progress(step, percent); };
        context_.log = [this](const std::string& line) { log(line); };
        const Status status = work.run(context_);
        if (!status && is_stopping()) return ended(DriveResult::Kind::kStopped);
        if (!status) return failed(step, status.error().message);
        step.status = StepStatus::kDone;
        step.percent = 100;
        step.finished_at = in_.seams.clock.unix_seconds();
        if (auto noted = note(step); !noted) return failed(step, noted.error().message);
        return {};
    }

    DriveResult failed(link::Step& step, const std::string& error) {
        step.status = StepStatus::kFailed;
        step.error = to_valid_utf8(error.substr(0, kMostErrorBytes));
        step.finished_at = in_.seams.clock.unix_seconds();
        log(step.name + " failed: " + step.error);
        // A journal that cannot be written is no reason to keep the failure from the founder.
        if (auto noted = note(step); !noted) log(noted.error().message);
        return {DriveResult::Kind::kFailed, step.name, step.title, step.error};
    }

    // The journal first: what the founder hears must be true after a power cut, too.
    Status note(const link::Step& step) {
        Status written = in_.journal.set_step(step);
        in_.reporter.set_step(step);
        in_.show();
        flush();
        return written;
    }

    void progress(link::Step& step, int percent) {
        const std::optional<int> now =
            percent < 0 ? std::optional<int>{} : std::optional<int>{std::min(percent, 100)};
        if (now == step.percent) return;
        step.percent = now;
        in_.reporter.set_step(step);
        in_.show();
        flush();
    }

    void log(const std::string& line) {
        in_.reporter.log(line);
        in_.say(line);
        flush();
    }

    [[nodiscard]] bool is_stopping() const {
        return stopped_ || (in_.seams.stopping && in_.seams.stopping());
    }

    // With a background that reports, nothing here waits for the network.
    void flush() {
        if (!in_.seams.start_background) (void)in_.reporter.flush(false);
    }

    DriveInput& in_;
    PhaseContext context_;
    bool stopped_ = false; // a wait of a phase ended because the program should
    std::vector<Work> work_;
    std::vector<link::Step> steps_; // the same order as work_
};

} // namespace

DriveResult drive(DriveInput& input) {
    return Drive(input).run();
}

} // namespace stratum::installer
