// A folder of a test's own, gone when the test is.
#pragma once

#include <filesystem>
#include <string>

#include "common/base/hash.hpp"

namespace stratum::fakes {

class TempFolder {
public:
    TempFolder()
        : path_((base() / ("stratum-test-" + random_text(12, "abcdefghijklmnopqrstuvwxyz")))
                    .string()) {
        std::filesystem::create_directories(path_);
    }
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] std::string path(const std::string& name = {}) const {
        return name.empty() ? path_ : path_ + "/" + name;
    }

private:
    // In memory where there is such a place: a test's store syncs hundreds of times.
    static std::filesystem::path base() {
        const std::filesystem::path memory = "/dev/shm";
        return std::filesystem::is_directory(memory) ? memory
                                                     : std::filesystem::temp_directory_path();
    }

    std::string path_;
};

} // namespace stratum::fakes
