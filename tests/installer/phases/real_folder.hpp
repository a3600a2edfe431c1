// A folder of a test's own on a real disk or in memory, gone when the test is.
#pragma once

#include <filesystem>
#include <string>

#include "common/base/hash.hpp"

namespace stratum::fakes {

class RealFolder {
public:
    RealFolder()
        : path_((base() / ("stratum-phases-" + random_text(12, "abcdefghijklmnopqrstuvwxyz")))
                    .string()) {
        std::filesystem::create_directories(path_);
    }
    ~RealFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    RealFolder(const RealFolder&) = delete;
    RealFolder& operator=(const RealFolder&) = delete;

    [[nodiscard]] std::string path(const std::string& name = {}) const {
        return name.empty() ? path_ : path_ + "/" + name;
    }

private:
    static std::filesystem::path base() {
        const std::filesystem::path memory = "/dev/shm";
        return std::filesystem::is_directory(memory) ? memory
                                                     : std::filesystem::temp_directory_path();
    }

    std::string path_;
};

} // namespace stratum::fakes
