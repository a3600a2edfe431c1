// One joiner at work: its record, its key, its line to the founder, and what it shows. There is one
// `enter`: it looks the arrow up, stores the record, and only then is the new state true. What is
// done in each state stands in handlers.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "common/link/keys.hpp"
#include "installer/founder_wire.hpp"
#include "installer/join.hpp"
#include "installer/record.hpp"
#include "installer/refusals.hpp"
#include "installer/reporter.hpp"

namespace stratum::installer {

// What comes after a handler.
struct Next {
    enum class Kind {
        kNow,  // the state's handler again, at once
        kWait, // after wait_ms, or sooner when somebody presses a key
        kAsk,  // when a line was typed
        kStop, // the program should end
    };
    Kind kind = Kind::kNow;
    std::int64_t wait_ms = 0;
};

struct Words {
    std::string message, error, next_step;
};

class Session {
public:
    Session(const JoinOptions& options, JoinSeams& seams);
    // Loads the record and the client key (made first where there is none). A record that cannot be
    // used is left behind with a word about it, and so is a joined one whose node was removed.
    Status open();

    [[nodiscard]] const JoinerRecord& record() const { return record_; }
    [[nodiscard]] JoinerState state() const { return record_.state; }
    [[nodiscard]] const JoinOptions& options() const { return options_; }
    [[nodiscard]] JoinSeams& seams() { return seams_; }
    [[nodiscard]] const link::KeyPair& key() const { return key_; }
    // Runs a call that may take long beside the console, which stays alive: what is typed meanwhile
    // is kept for the next wait, and a stop ends the call. Without a background it just runs. `act`
    // may use the wire and seams, nothing of the session.
    template<class Act>
    auto during(Act act) -> decltype(act());
    // What was typed during a call.
    std::optional<std::string> take_typed();
    // The line to the record's founders with the record's key.
    FounderWire& wire();
    [[nodiscard]] std::string file(std::string_view name) const;

    // The one way into a state. `next` is the record as it is to be; its state comes from the
    // table. An event that does not concern this state changes nothing. Where the record cannot be
    // stored the state stays, and it is tried again.
    Next enter(JoinerEvent event, JoinerRecord next, Words words);
    // The same state with other facts; the error says why they could not be stored.
    Status keep(JoinerRecord next);

    // Tries again later, longer each time; `Retry-After` counts where the founder said it.
    Next retry(const Words& words, std::optional<std::int64_t> after_s = {});
    Next retry(const Refusal& refusal);
    // A call was answered: the next trouble is the first one.
    void answered();
    // The founder's time, heard over the pinned line after it proved itself.
    void heard_time(std::int64_t server_time);
    // A new client key in place of the one there is.
    Status replace_key();

    Result<facts::Inventory> look();
    // When the hardware should be looked at: once a minute, and sooner where something stirred.
    // Nothing: not soon; 0: now.
    std::optional<std::int64_t> look_due_in_ms();
    // As `during`, of a call that the founder may hold for long: hardware that changed cuts it
    // short, and then there is nothing.
    template<class Act>
    auto while_nothing_changes(Act act) -> std::optional<decltype(act())>;
    JoinProgress& shown() { return shown_; }
    void publish();
    // A line for the console's tail and the program's log.
    void say(const std::string& line);

    // Memory of this run of the program only.
    std::string etag;                             // of the last view
    std::optional<std::int64_t> pairing_since_ms; // steady: this commitment was first sent
    std::optional<std::int64_t> looked_at_ms;     // steady: the hardware was last looked at
    bool resumed = false;                         // the state was read from the record
    bool try_used_code = false;                   // somebody pressed Enter: the code at hand again
    int deliveries_refused = 0;                   // in a row
    std::unique_ptr<Reporter> reporter;

private:
    Status load_key();
    [[nodiscard]] bool was_removed() const; // this machine was a member, and is none any more
    Status start_anew_after_removal();
    void fill_shown(); // from the record
    void show_record();
    void attend(); // to the console, for a moment

    const JoinOptions& options_;
    JoinSeams& seams_;
    link::KeyPair key_;
    JoinerRecord record_;
    JoinProgress shown_;
    FounderWire wire_;
    int tries_ = 0;
    bool clock_refused_ = false;
    std::optional<std::string> typed_;
    std::optional<std::int64_t> stirred_at_ms_; // steady: the first change since the last look
    bool may_interrupt_ = false, interrupted_ = false;
};

template<class Act>
auto Session::during(Act act) -> decltype(act()) {
    if (!seams_.start_background) return act();
    // Most answers are here before anybody notices; only then is the console looked after.
    constexpr std::chrono::milliseconds kAtOnce{50};
    auto running = std::async(std::launch::async, std::move(act));
    if (running.wait_for(kAtOnce) == std::future_status::ready) return running.get();
    while (running.wait_for(std::chrono::milliseconds(0)) != std::future_status::ready) attend();
    return running.get();
}

template<class Act>
auto Session::while_nothing_changes(Act act) -> std::optional<decltype(act())> {
    may_interrupt_ = true;
    interrupted_ = false;
    auto answer = during(std::move(act));
    may_interrupt_ = false;
    if (interrupted_ && !answer) return std::nullopt;
    return answer;
}

} // namespace stratum::installer
