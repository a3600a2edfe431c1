// Block devices in memory, as large as one likes, which can be busy, read-only, fail, or "crash"
// the program at the n-th write.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "installer/phases/block_devices.hpp"

namespace stratum::fakes {

// Only sectors that hold something are kept. Crashes throw fakes::Crash (fake_files.hpp). For one
// thread.
class FakeBlockDevices final : public installer::BlockDevices {
public:
    [[nodiscard]] Result<std::string> read(const std::string& path, std::uint64_t offset,
                                           std::size_t length) const override;
    Status write(const std::string& path, std::uint64_t offset, std::string_view data) override;
    Status zero(const std::string& path, std::uint64_t offset, std::uint64_t length) override;
    Status reread_partitions(const std::string& path) override;

    // ---- for the test ----
    void add(const std::string& path, std::uint64_t size_bytes);
    // What somebody else wrote: no rule is asked, nothing is counted.
    void put(const std::string& path, std::uint64_t offset, std::string_view data);
    // Every sector that is not zero, by its offset, without the zeros at its end.
    [[nodiscard]] std::map<std::uint64_t, std::string> sectors(const std::string& path) const;

    void set_busy(const std::string& path, bool busy) { set(busy_, path, busy); }
    void set_read_only(const std::string& path, bool on) { set(read_only_, path, on); }
    // Called at each reread_partitions; its answer is the answer.
    std::function<Status(const std::string& path)> on_reread;

    // The paths that were opened for writing, each once.
    [[nodiscard]] const std::set<std::string>& written() const { return written_; }
    // Changes are write, zero and reread_partitions, counted from the first of this object's life.
    [[nodiscard]] int changes() const { return changes_; }
    void fail_change(int n, ErrorCode code = ErrorCode::kIo);
    void crash_before_change(int n);
    void crash_after_change(int n);

private:
    struct Device {
        std::uint64_t size_bytes = 0;
        std::map<std::uint64_t, std::string> sectors;
    };
    enum class Trouble { kFail, kCrashBefore, kCrashAfter };
    struct Planned {
        Trouble trouble;
        ErrorCode code;
    };

    static void set(std::set<std::string>& paths, const std::string& path, bool on);
    static void store(Device& device, std::uint64_t offset, std::string_view data);
    [[nodiscard]] Status may_write(const std::string& path) const;
    template<class Act>
    Status change(const std::string& path, Act act);

    std::map<std::string, Device> devices_;
    std::set<std::string> busy_, read_only_, written_;
    std::map<int, Planned> planned_;
    int changes_ = 0;
};

} // namespace stratum::fakes
