// Files in memory, which can fail, or "crash" the program, at the n-th change.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "common/base/files.hpp"

namespace stratum::fakes {

// Thrown where a test asked for the program to end right there. Catch it where `main` would stand,
// then go on with the same FakeFiles: it holds what the disk would hold.
struct Crash {};

// Folders are made by make_folder, or by `put`; writing into a folder that is not there fails as on
// a disk. Paths are compared as given, less slashes at their end. Safe from any thread.
class FakeFiles final : public Files {
public:
    [[nodiscard]] Result<std::string> read(const std::string& path,
                                           std::size_t max_bytes = 16u << 20) const override;
    Status write(const std::string& path, std::string_view content, unsigned mode = 0644) override;
    [[nodiscard]] bool exists(const std::string& path) const override;
    Status remove(const std::string& path) override;
    Status make_folder(const std::string& path, unsigned mode = 0755) override;
    [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) const override;

    // ---- for the test ----
    // A file with its folders, without counting as a change.
    void put(const std::string& path, std::string content, unsigned mode = 0644);
    // Content and mode; nothing where there is no such file.
    [[nodiscard]] std::optional<std::string> content(const std::string& path) const;
    [[nodiscard]] std::optional<unsigned> mode(const std::string& path) const;
    // All files, in byte order.
    [[nodiscard]] std::vector<std::string> paths() const;

    // Changes are write, remove and make_folder, counted from the first of this object's life.
    [[nodiscard]] int changes() const;
    // The n-th change from now (1 is the next) fails with this code and changes nothing.
    void fail_change(int n, ErrorCode code = ErrorCode::kIo);
    // The n-th change from now throws Crash: before it took effect, or after.
    void crash_before_change(int n);
    void crash_after_change(int n);
    // Reading this path fails with the code until it is put, written or removed.
    void fail_read(const std::string& path, ErrorCode code = ErrorCode::kIo);

private:
    struct File {
        std::string content;
        unsigned mode = 0644;
    };
    enum class Trouble { kFail, kCrashBefore, kCrashAfter };
    struct Planned {
        Trouble trouble;
        ErrorCode code;
    };

    [[nodiscard]] bool is_folder(const std::string& path) const;
    void add_folders(const std::string& path, unsigned mode);
    // Runs `act` as one change, with the trouble that was planned for it.
    template<class Act>
    Status change(const std::string& doing, Act act);

    mutable std::mutex mutex_;
    std::map<std::string, File> files_;
    std::map<std::string, unsigned> folders_;
    std::map<std::string, ErrorCode> unreadable_;
    std::map<int, Planned> planned_;
    int changes_ = 0;
};

} // namespace stratum::fakes
