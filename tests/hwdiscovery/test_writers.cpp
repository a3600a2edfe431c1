#include <csignal>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"
#include "hwdiscovery/content_json.hpp"
#include "hwdiscovery/edge/writers.hpp"

#include <linux/loop.h>

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

// A loop device over a file of its own; none where this process may not make one.
class Loop {
public:
    Loop() {
        const edge::Fd control(::open("/dev/loop-control", O_RDWR | O_CLOEXEC));
        char name[] = "/tmp/stratum-writers-XXXXXX";
        const edge::Fd backing(::mkstemp(name));
        ::unlink(name);
        if (!control.is_open() || ::ftruncate(backing.get(), 1 << 20) != 0) return;
        const int number = ::ioctl(control.get(), LOOP_CTL_GET_FREE);
        path = "/dev/loop" + std::to_string(number);
        device_ = edge::Fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
        is_there = device_.is_open() && ::ioctl(device_.get(), LOOP_SET_FD, backing.get()) == 0;
        struct stat status {};
        if (is_there && ::fstat(device_.get(), &status) == 0)
            dev =
                std::to_string(major(status.st_rdev)) + ":" + std::to_string(minor(status.st_rdev));
    }
    ~Loop() {
        if (is_there) ::ioctl(device_.get(), LOOP_CLR_FD);
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    std::string path, dev;
    bool is_there = false;

private:
    edge::Fd device_;
};

// Another process that has a device open until it is told to end.
class Holder {
public:
    Holder(const std::string& path, int flags) {
        int ready[2] = {-1, -1};
        if (::pipe(ready) != 0) return;
        pid = ::fork();
        if (pid == 0) {
            // What the parent has open is none of this process's doing.
            for (int fd = 3; fd < 1024; ++fd)
                if (fd != ready[1]) ::close(fd);
            const int fd = ::open(path.c_str(), flags);
            const char byte = fd >= 0 ? 'y' : 'n';
            if (::write(ready[1], &byte, 1) == 1) ::pause();
            ::_exit(0);
        }
        char byte = 'n';
        if (::read(ready[0], &byte, 1) != 1) byte = 'n';
        ::close(ready[0]);
        ::close(ready[1]);
        is_open = byte == 'y';
    }
    ~Holder() {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

    pid_t pid = -1;
    bool is_open = false;
};

} // namespace

TEST_GROUP(HwWriters){};

TEST(HwWriters, a_process_that_writes_to_a_device_is_found_and_one_that_reads_is_not) {
    const Loop loop;
    if (!loop.is_there) return;                 // no right to make one here; the VM tests have it
    CHECK(find_writers().count(loop.dev) == 0); // this process is none
    {
        const Holder reader(loop.path, O_RDONLY);
        CHECK(reader.is_open);
        CHECK(find_writers().count(loop.dev) == 0);
    }
    const Holder writer(loop.path, O_RDWR);
    CHECK(writer.is_open);
    const auto writers = find_writers();
    CHECK(writers.count(loop.dev) == 1);
    LONGS_EQUAL(writer.pid, writers.at(loop.dev).pid);
    CHECK(!writers.at(loop.dev).program.empty());
}

TEST(HwWriters, a_writer_and_a_maps_words_are_written_down_and_read_back) {
    ContentRecord content;
    content.writer = Writer{4711, "ceph-osd"};
    content.dm_target = "raid";
    content.dm_status = "raid1 2 AA 1/1 idle 0 0 -";
    content.signatures = {{"raid", "LVM2_member", "", "pv-a", 536, "vg0", "g-1", {"pv-a", "pv-b"}}};
    CHECK(read_content(to_node(content)) == content);
}
