// Raw devices for real: loop devices over files in memory. Needs root and free loop devices.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "common/base/processes.hpp"
#include "common/base/text.hpp"
#include "installer/phases/block_devices.hpp"
#include "tests/fakes/temp_folder.hpp"

#include <CppUTest/TestHarness.h>

#include "tests/installer/phases/checks.hpp"

using namespace stratum;
using namespace stratum::installer;

namespace {

constexpr std::size_t kMib = 1u << 20;
constexpr std::size_t kBytes = 40 * kMib;

std::string output_of(const std::vector<std::string>& argv) {
    Command command;
    command.argv = argv;
    const auto finished = system_processes().run(command);
    const auto ok = require_ok(command, finished);
    return ok ? std::string(trim(finished->out)) : "failed: " + ok.error().message;
}

class Loop {
public:
    explicit Loop(const std::string& file, const std::vector<std::string>& options = {}) {
        std::vector<std::string> argv = {"losetup", "--find", "--show"};
        argv.insert(argv.end(), options.begin(), options.end());
        argv.push_back(file);
        path_ = output_of(argv);
    }
    ~Loop() {
        if (is_there()) output_of({"losetup", "--detach", path_});
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    [[nodiscard]] bool is_there() const { return path_.starts_with("/dev/loop"); }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

TEST_GROUP(BlockDevices) {
    fakes::TempFolder folder;
    BlockDevices& blocks = system_block_devices();
    std::string image;
    void setup() override {
        CHECK_TRUE_TEXT(::geteuid() == 0, "these tests make loop devices: run them as root");
        image = folder.path("disk.img");
        std::ofstream(image, std::ios::binary) << std::string(kBytes, 'x');
    }
    void require(const Loop& loop) {
        CHECK_TRUE_TEXT(loop.is_there(), ("no loop device: " + loop.path()).c_str());
    }
};

TEST(BlockDevices, ZeroesTheRangeAndNotAByteMore) {
    {
        const Loop loop(image);
        require(loop);
        CHECK_OK(blocks.zero(loop.path(), 512, 3 * kMib + 7 * 512));
    }
    const auto bytes = read_file(image);
    LONGS_EQUAL(kBytes, bytes.size());
    const std::size_t end = 512 + 3 * kMib + 7 * 512;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const bool is_inside = i >= 512 && i < end;
        if (bytes[i] != (is_inside ? '\0' : 'x')) FAIL("a byte is not as it should be");
    }
}

TEST(BlockDevices, ARangePastTheEndIsCutThere) {
    {
        const Loop loop(image);
        require(loop);
        CHECK_OK(blocks.zero(loop.path(), kBytes - kMib, UINT64_MAX));
        CHECK_OK(blocks.zero(loop.path(), kBytes, kMib));
        CHECK_OK(blocks.zero(loop.path(), UINT64_MAX, 512));
    }
    const auto bytes = read_file(image);
    LONGS_EQUAL(kBytes, bytes.size());
    LONGS_EQUAL(kBytes - kMib, std::count(bytes.begin(), bytes.end(), 'x'));
}

TEST(BlockDevices, WritesAndReadsBack) {
    const Loop loop(image);
    require(loop);
    CHECK_OK(blocks.write(loop.path(), 512, "marker"));
    STRCMP_EQUAL("xmarkerx", blocks.read(loop.path(), 511, 8)->c_str());
    LONGS_EQUAL(100, blocks.read(loop.path(), kBytes - 100, 512)->size());
    LONGS_EQUAL(0, blocks.read(loop.path(), kBytes + 512, 512)->size());
}

TEST(BlockDevices, AWritePastTheEndIsAFailure) {
    const Loop loop(image);
    require(loop);
    CHECK(!blocks.write(loop.path(), kBytes - 3, "marker"));
}

TEST(BlockDevices, ADeviceThatSomebodyHoldsIsRefusedAndNotWritten) {
    {
        const Loop loop(image);
        require(loop);
        const int held = ::open(loop.path().c_str(), O_RDONLY | O_EXCL | O_CLOEXEC);
        CHECK(held >= 0);
        const auto zeroed = blocks.zero(loop.path(), 0, kMib);
        const auto written = blocks.write(loop.path(), 0, "marker");
        CHECK_REFUSED(zeroed, "in use by something else");
        CHECK(zeroed.error().code == ErrorCode::kConflict);
        CHECK_REFUSED(written, "in use by something else");
        ::close(held);
        CHECK_OK(blocks.write(loop.path(), 0, "xx"));
    }
    const auto bytes = read_file(image);
    LONGS_EQUAL(kBytes, std::count(bytes.begin(), bytes.end(), 'x'));
}

TEST(BlockDevices, AReadOnlyDeviceIsRefusedAndNotWritten) {
    {
        const Loop loop(image, {"--read-only"});
        require(loop);
        const auto written = blocks.write(loop.path(), 0, "marker");
        CHECK(!written);
        CHECK(written.error().code == ErrorCode::kDenied);
        CHECK(!blocks.zero(loop.path(), 0, kMib));
    }
    const auto bytes = read_file(image);
    LONGS_EQUAL(kBytes, std::count(bytes.begin(), bytes.end(), 'x'));
}

TEST(BlockDevices, APlainFileIsNoDeviceAndIsNotWritten) {
    CHECK_REFUSED(blocks.write(image, 0, "marker"), "is not a block device");
    CHECK_REFUSED(blocks.zero(image, 0, kMib), "is not a block device");
    const auto bytes = read_file(image);
    LONGS_EQUAL(kBytes, std::count(bytes.begin(), bytes.end(), 'x'));
}

TEST(BlockDevices, ADeviceThatIsNotThereIsSaid) {
    const std::string missing = folder.path("nothing");
    CHECK(blocks.read(missing, 0, 512).error().code == ErrorCode::kNotFound);
    CHECK(blocks.write(missing, 0, "m").error().code == ErrorCode::kNotFound);
    CHECK(!blocks.reread_partitions(missing));
}

TEST(BlockDevices, PartitionsAreForgottenWithTheirTable) {
    // An MBR with one partition of 16 MiB at 1 MiB.
    std::string table(512, '\0');
    table[446 + 4] = '\x83';
    table[446 + 9] = '\x08';
    table[446 + 13] = '\x80';
    table[510] = '\x55';
    table[511] = '\xaa';
    const Loop loop(image, {"--partscan"});
    require(loop);
    CHECK_OK(blocks.write(loop.path(), 0, table));
    // By partx, since not every kernel reads this kind of table itself.
    (void)output_of({"partx", "--add", loop.path()});
    const std::string partition =
        "/sys/class/block/" + loop.path().substr(5) + "/" + loop.path().substr(5) + "p1";
    CHECK_TRUE_TEXT(std::filesystem::exists(partition), partition.c_str());
    CHECK_OK(blocks.zero(loop.path(), 0, 512));
    CHECK_OK(blocks.reread_partitions(loop.path()));
    CHECK(!std::filesystem::exists(partition));
}
