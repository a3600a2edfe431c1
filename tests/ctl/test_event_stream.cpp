// Server-Sent Events in whatever pieces they come.

#include <vector>

#include "ctl/event_stream.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::ctl {

TEST_GROUP(EventStream) {
    std::vector<Event> events;
    EventReader reader{[this](const Event& event) { events.push_back(event); }};

    void expect(std::size_t at, const char* name, const char* data) {
        CHECK_TRUE(at < events.size());
        STRCMP_EQUAL(name, events[at].name.c_str());
        STRCMP_EQUAL(data, events[at].data.c_str());
    }
};

TEST(EventStream, an_event_comes_with_its_empty_line_and_not_before) {
    reader.feed("event: join\ndata: {}\n");
    CHECK_TRUE(events.empty());
    reader.feed("\n");
    expect(0, "join", "{}");
}

TEST(EventStream, every_cut_gives_the_same_events) {
    const std::string text = "event: join\r\ndata: 1\r\n\r\n: still here\n\nevent: log\ndata:2\n\n";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        events.clear();
        EventReader fresh([this](const Event& event) { events.push_back(event); });
        fresh.feed(text.substr(0, cut));
        fresh.feed(text.substr(cut));
        LONGS_EQUAL(2, events.size());
        expect(0, "join", "1");
        expect(1, "log", "2");
    }
}

TEST(EventStream, lines_of_data_are_joined) {
    reader.feed("data: a\ndata: b\ndata\n\n");
    expect(0, "message", "a\nb\n");
}

TEST(EventStream, comments_and_events_without_data_are_nobodys) {
    reader.feed(": still here\n\nevent: join\n\nid: 7\nretry: 1\n\n");
    CHECK_TRUE(events.empty());
}

TEST(EventStream, the_last_id_stays_until_there_is_another) {
    STRCMP_EQUAL("", reader.last_id().c_str());
    reader.feed("id: 7.1\ndata: 1\n");
    STRCMP_EQUAL("", reader.last_id().c_str()); // its event is not whole yet
    reader.feed("\ndata: 2\n\n: still here\n\n");
    STRCMP_EQUAL("7.1", reader.last_id().c_str());
    reader.feed("id: 8\n\n");
    STRCMP_EQUAL("8", reader.last_id().c_str());
}

TEST(EventStream, a_name_does_not_stay_for_the_next_event) {
    reader.feed("event: log\ndata: 1\n\ndata: 2\n\n");
    expect(1, "message", "2");
}

TEST(EventStream, only_one_space_behind_the_colon_goes) {
    reader.feed("data:  a: b\n\n");
    expect(0, "message", " a: b");
}

} // namespace stratum::ctl
