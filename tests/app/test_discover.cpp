// What `firstboot discover` takes, and how it writes to a reader.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <thread>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "app/commands.hpp"
#include "app/edge/write_out.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::app;

namespace {

int run_discover(const std::vector<std::pair<std::string, std::string>>& typed) {
    Arguments arguments;
    for (const auto& [name, value] : typed) arguments.set(name, {value});
    std::ostringstream said;
    std::streambuf* const before = std::cerr.rdbuf(said.rdbuf());
    const int code = discover_command().run(arguments);
    std::cerr.rdbuf(before);
    return code;
}

struct Pipe {
    Pipe() { CHECK_EQUAL(0, ::pipe2(ends, O_CLOEXEC)); }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close_end(int which) {
        if (ends[which] >= 0) ::close(ends[which]);
        ends[which] = -1;
    }
    int ends[2] = {-1, -1};
};

} // namespace

TEST_GROUP(DiscoverCommand){};

TEST(DiscoverCommand, seconds_of_listening_are_a_number_from_1_to_300) {
    for (const char* odd : {"", "0", "301", "-5", "x", "1.5"})
        LONGS_EQUAL(kExitUsage, run_discover({{"--lldp", odd}}));
}

TEST(DiscoverCommand, what_does_not_go_together_is_said_before_anything_is_done) {
    LONGS_EQUAL(kExitUsage, run_discover({{"--lldp", "5"}, {"--watch", ""}}));
    LONGS_EQUAL(kExitUsage, run_discover({{"--lldp", "5"}, {"--root", "/nowhere"}}));
    LONGS_EQUAL(kExitUsage, run_discover({{"--capture", "/nowhere/x"}, {"--watch", ""}}));
    LONGS_EQUAL(kExitUsage, run_discover({{"--capture", "/nowhere/x"}, {"--lldp", "5"}}));
}

TEST(DiscoverCommand, a_captured_machine_is_a_folder_with_sys_or_proc_in_it) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("discover-root-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder / "empty");
    std::filesystem::create_directories(folder / "machine/proc");
    LONGS_EQUAL(kExitUsage, run_discover({{"--root", "/nowhere"}}));
    LONGS_EQUAL(kExitUsage, run_discover({{"--root", ""}}));
    LONGS_EQUAL(kExitUsage, run_discover({{"--root", "/dev/null"}}));
    LONGS_EQUAL(kExitUsage, run_discover({{"--root", (folder / "empty").string()}}));
    std::ostringstream shown;
    std::streambuf* const before = std::cout.rdbuf(shown.rdbuf());
    const int code = run_discover({{"--root", (folder / "machine").string()}});
    std::cout.rdbuf(before);
    std::filesystem::remove_all(folder);
    LONGS_EQUAL(kExitOk, code);
}

TEST_GROUP(WriteOut) {
    void setup() override {
        before = ::signal(SIGPIPE, SIG_IGN);
    }
    void teardown() override {
        ::signal(SIGPIPE, before);
    }
    void (*before)(int) = nullptr;
};

TEST(WriteOut, everything_arrives_however_slow_the_reader_is) {
    Pipe pipe;
    std::string read(1 << 20, '\0'); // sixteen times what a pipe holds
    std::thread reader([&] {
        std::size_t have = 0;
        while (have < read.size()) {
            const ssize_t count = ::read(pipe.ends[0], read.data() + have,
                                         std::min<std::size_t>(1000, read.size() - have));
            if (count <= 0) return;
            have += static_cast<std::size_t>(count);
        }
    });
    const std::string text(1 << 20, 'a');
    const bool is_written = write_out(pipe.ends[1], text, -1);
    reader.join();
    CHECK(is_written);
    CHECK(read == text);
}

TEST(WriteOut, a_reader_who_is_gone_ends_it) {
    Pipe pipe;
    pipe.close_end(0);
    CHECK(!write_out(pipe.ends[1], "some", -1));
}

TEST(WriteOut, a_stop_ends_it_while_the_reader_takes_nothing) {
    Pipe pipe, stop;
    CHECK_EQUAL(1, ::write(stop.ends[1], "x", 1));
    CHECK(!write_out(pipe.ends[1], std::string(1 << 20, 'a'), stop.ends[0]));
    // What fits goes out all the same: the last words are not lost.
    Pipe other;
    CHECK(write_out(other.ends[1], "some", stop.ends[0]));
}
