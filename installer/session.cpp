#include "installer/session.hpp"

#include <algorithm>
#include <utility>

#include "common/base/text.hpp"
#include "common/link/member_file.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kRecordFile = "session.json";
constexpr std::int64_t kFirstRetryMs = 1000;
constexpr std::int64_t kLongestRetryMs = 60'000;
// Nothing here needs a better clock than that; less would have two clocks quarrel.
constexpr std::int64_t kClockToleranceSeconds = 120;

} // namespace

Session::Session(const JoinOptions& options, JoinSeams& seams)
    : options_(options), seams_(seams), key_{{}, {}, link::Fingerprint(Sha256{})},
      wire_(seams.make_client, &key_) {
    shown_.release = options.release;
    shown_.notes = options.notes;
}

std::string Session::file(std::string_view name) const {
    return options_.state_folder + "/" + std::string(name);
}

Status Session::load_key() {
    auto key = link::load_or_make_key(seams_.files, file(link::kClientKeyFileName), "joiner");
    if (!key) return fail_in("this machine's key", key.error());
    key_ = std::move(*key);
    return {};
}

Status Session::open() {
    if (auto made = seams_.files.make_folder(options_.state_folder, 0700); !made) return made;
    auto record = read_record(seams_.files, file(kRecordFile));
    if (!record && record.error().code != ErrorCode::kInvalid) {
        return tl::make_unexpected(record.error());
    }
    if (record) {
        record_ = std::move(*record);
        record_.state = row_of(record_.state).resumes_at;
        resumed = true;
    } else {
        record_.error = record.error().message;
        record_.message =
            "What this machine remembered of its join cannot be used: it starts anew.";
        say(record_.message + " " + record_.error);
    }
    // Before there is a new key, by which nobody could tell any more.
    if (was_removed()) {
        if (auto fresh = start_anew_after_removal(); !fresh) return fresh;
    }
    if (auto key = load_key(); !key) return key;
    fill_shown();
    // Whether a code is needed is known when the ones at hand were looked through.
    if (record_.state != JoinerState::kNeedsCode) publish();
    return {};
}

// A joined machine has its key and its member file until the member agent put both away.
bool Session::was_removed() const {
    const Files& files = seams_.files;
    return record_.state == JoinerState::kJoined && !files.exists(file(link::kMemberFileName)) &&
           !files.exists(file(link::kClientKeyFileName));
}

// What is not forgotten are the codes that were used: none of them is tried again by itself.
Status Session::start_anew_after_removal() {
    JoinerRecord fresh;
    fresh.used_codes = record_.used_codes;
    fresh.message = "Node " + record_.name + " was removed from its cluster.";
    fresh.next_step = "To bring this machine back, join it anew with another join code.";
    if (auto kept = write_record(seams_.files, file(kRecordFile), fresh); !kept) return kept;
    record_ = std::move(fresh);
    say(record_.message);
    return {};
}

FounderWire& Session::wire() {
    wire_.set_founder(record_.founders, record_.founder_key);
    return wire_;
}

Next Session::enter(JoinerEvent event, JoinerRecord next, Words words) {
    const auto to = next_state(record_.state, event);
    if (!to) return {Next::Kind::kWait, kFirstRetryMs};
    const bool is_new = *to != record_.state;
    next.state = *to;
    next.message = std::move(words.message);
    next.error = std::move(words.error);
    next.next_step = std::move(words.next_step);
    if (const auto kept = keep(std::move(next)); !kept) {
        return retry({"This machine's state cannot be stored.", kept.error().message,
                      "Free some space, or look at the disk that holds " + options_.state_folder});
    }
    if (is_new) {
        const StateRow& row = installer::row_of(record_.state);
        etag.clear();
        resumed = false;
        say(std::string(row.headline) + (record_.error.empty() ? "" : ": " + record_.error));
    }
    return {};
}

Status Session::keep(JoinerRecord next) {
    if (next == record_) return {};
    if (auto written = write_record(seams_.files, file(kRecordFile), next); !written) {
        return written;
    }
    record_ = std::move(next);
    show_record();
    return {};
}

void Session::show_record() {
    fill_shown();
    publish();
}

void Session::fill_shown() {
    shown_.state = record_.state;
    shown_.message = record_.message;
    shown_.error = record_.error;
    shown_.next_step = record_.next_step;
    shown_.retry.reset();
    shown_.prompt.clear();
    shown_.founder_key = record_.founder_key ? record_.founder_key->str() : std::string();
    shown_.node_id = record_.node_id;
    shown_.name = record_.name;
    shown_.attempt = record_.attempt;
    shown_.join_id.clear();
    shown_.pairing_code.clear();
    if (record_.pairing && record_.nonce && record_.state != JoinerState::kRevealing &&
        record_.state != JoinerState::kRegistering) {
        const KeptPairing& kept = *record_.pairing;
        shown_.join_id = kept.join_id;
        shown_.pairing_code = link::pairing_code(
            {kept.founder_key, key_.fingerprint, link::commitment(*record_.nonce, key_.fingerprint),
             kept.founder_nonce, kept.join_id},
            *record_.nonce);
    }
}

Next Session::retry(const Words& words, std::optional<std::int64_t> after_s) {
    // What a stop cut short is no trouble.
    if (seams_.stopping && seams_.stopping()) return {Next::Kind::kStop, 0};
    ++tries_;
    // Doubled each time, with a quarter of it up or down: many machines that lost their founder at
    // one instant must not come back at one instant.
    std::int64_t wait_ms = kFirstRetryMs << std::min(tries_ - 1, 6);
    wait_ms = std::min(wait_ms, kLongestRetryMs);
    const auto spread = static_cast<std::uint32_t>(wait_ms / 2);
    wait_ms = wait_ms - wait_ms / 4 + seams_.random_below(spread + 1);
    if (after_s) wait_ms = std::max(*after_s * 1000, kFirstRetryMs);
    if (!words.message.empty()) shown_.message = words.message;
    shown_.next_step = words.next_step;
    shown_.error.clear();
    const bool is_news = !shown_.retry || shown_.retry->reason != words.error;
    shown_.retry = RetryNotice{words.error, (wait_ms + 999) / 1000, tries_};
    if (is_news && tries_ == 1) say(shown_.message + " " + words.error);
    publish();
    return {Next::Kind::kWait, wait_ms};
}

Next Session::retry(const Refusal& refusal) {
    const RefusalRow& row = installer::row_of(refusal);
    return retry({std::string(row.message), refusal.message, std::string(row.next_step)},
                 refusal.retry_after_s);
}

void Session::answered() {
    tries_ = 0;
    shown_.founder = wire_.address();
    if (!shown_.retry) return;
    shown_.retry.reset();
    shown_.message = record_.message;
    shown_.error = record_.error;
    shown_.next_step = record_.next_step;
    publish();
}

void Session::heard_time(std::int64_t server_time) {
    const std::int64_t ours = seams_.clock.unix_seconds();
    if (server_time <= 0 || std::abs(server_time - ours) <= kClockToleranceSeconds) return;
    if (!seams_.set_clock || clock_refused_) return;
    const Status set = seams_.set_clock(server_time);
    clock_refused_ = !set;
    say("the clock said " + format_time(ours) + ", the founder says " + format_time(server_time) +
        (set ? ": set" : ": not set, " + set.error().message));
}

Status Session::replace_key() {
    // The old key goes for good: it is another machine's, and no join of ours hangs on it.
    if (auto gone = seams_.files.remove(file(link::kClientKeyFileName)); !gone) return gone;
    if (auto made = load_key(); !made) return made;
    wire_.forget();
    say("made a new key for this machine");
    return {};
}

void Session::attend() {
    constexpr std::int64_t kMomentMs = 100;
    const Waited waited = seams_.wait(kMomentMs);
    if (waited.line) typed_ = waited.line;
    if (waited.stop) wire_.stop();
    // The look of each minute waits for the answer.
    if (!may_interrupt_ || look_due_in_ms() != 0 || !stirred_at_ms_) return;
    interrupted_ = true;
    wire_.interrupt();
}

std::optional<std::string> Session::take_typed() {
    return std::exchange(typed_, std::nullopt);
}

void Session::publish() {
    if (seams_.publish) seams_.publish(shown_);
}

void Session::say(const std::string& line) {
    const std::string text = to_valid_utf8(line);
    shown_.log.push_back(text);
    if (shown_.log.size() > kLogTail) shown_.log.erase(shown_.log.begin());
    if (seams_.log) seams_.log(text);
    publish();
}

} // namespace stratum::installer
