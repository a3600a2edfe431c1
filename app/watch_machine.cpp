#include "app/watch_machine.hpp"

#include "app/edge/write_out.hpp"
#include "common/base/clock.hpp"
#include "common/base/command_line.hpp"
#include "common/base/document.hpp"
#include "common/base/terminal.hpp"
#include "hwdiscovery/changes.hpp"
#include "hwdiscovery/edge/device_events.hpp"
#include "hwdiscovery/table.hpp"
#include "hwdiscovery/watch.hpp"

namespace stratum::app {
namespace {

constexpr int kStandardOutput = 1;
constexpr const char* kClear = "\x1b[H\x1b[2J";

class Screen {
public:
    Screen(bool as_json, int stop)
        : as_json_(as_json), stop_(stop),
          redraws_(!as_json && standard_output().is_terminal && environment("TERM") != "dumb") {}

    [[nodiscard]] bool redraws() const { return redraws_; }
    bool show(const facts::Inventory& inventory) {
        const Terminal terminal = standard_output();
        columns_ = terminal.columns;
        std::string text = as_json_ ? write_json(facts::to_node(inventory)) + "\n"
                                    : hw::render_table(inventory, terminal.columns, terminal.colour,
                                                       terminal.utf8);
        // On a screen that is too small for the table this is what stays in sight.
        if (!as_json_) text += changes_since_last(inventory, terminal);
        if (redraws_) text.insert(0, kClear);
        if (!redraws_ && !as_json_ && !is_first_) text.insert(0, "\n");
        is_first_ = false;
        last_ = inventory;
        return write_out(kStandardOutput, text, stop_);
    }
    [[nodiscard]] bool is_stale() const { return standard_output().columns != columns_; }

private:
    [[nodiscard]] std::string changes_since_last(const facts::Inventory& now,
                                                 const Terminal& terminal) const {
        if (is_first_) return {};
        return hw::render_changes(hw::changes_between(last_, now), terminal.columns, terminal.utf8);
    }

    bool as_json_;
    int stop_;
    bool redraws_;
    bool is_first_ = true;
    int columns_ = 0;
    facts::Inventory last_; // as shown
};

} // namespace

int watch_machine(const hw::DiscoverOptions& options, bool as_json) {
    const int stop = stop_descriptor();
    const auto events = hw::open_device_events({options.root, stop, kStandardOutput});
    Screen screen(as_json, stop);
    hw::WatchSeams seams{.events = *events,
                         .clock = system_clock(),
                         .look = [&] { return hw::discover(options); },
                         .show = [&](const auto& inventory) { return screen.show(inventory); },
                         .is_stale = {}};
    if (screen.redraws()) seams.is_stale = [&] { return screen.is_stale(); };
    hw::watch(seams);
    return kExitOk;
}

} // namespace stratum::app
