// Reading Server-Sent Events from pieces as they come (the HTML standard, section 9.2.6). Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace stratum::ctl {

struct Event {
    std::string name; // "message" where the stream names none
    std::string data; // lines joined by \n
};

class EventReader {
public:
    explicit EventReader(std::function<void(const Event&)> on_event)
        : on_event_(std::move(on_event)) {}
    void feed(std::string_view piece);
    // What to send as Last-Event-ID when the stream is taken up again; empty: nothing yet.
    [[nodiscard]] const std::string& last_id() const { return last_id_; }

private:
    void line(std::string_view text);

    std::function<void(const Event&)> on_event_;
    std::string rest_; // an unfinished line
    Event event_;
    bool has_data_ = false;
    std::string id_; // of the event that is being read
    std::string last_id_;
};

} // namespace stratum::ctl
