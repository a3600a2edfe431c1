// The seam to files. Every write is whole or not there: written beside its place, synced, renamed.
// Paths are absolute, or relative to the working folder of the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"

namespace stratum {

class Files {
public:
    virtual ~Files() = default;

    // kNotFound, kDenied, kIo; kTooLarge past the limit.
    [[nodiscard]] virtual Result<std::string> read(const std::string& path,
                                                   std::size_t max_bytes = 16u << 20) const = 0;
    // Atomic and durable: temporary file in the same folder with `mode` from the start, fsync,
    // rename, fsync of the folder. An old file keeps its content until the rename.
    virtual Status write(const std::string& path, std::string_view content,
                         unsigned mode = 0644) = 0;
    [[nodiscard]] virtual bool exists(const std::string& path) const = 0;
    // Removing what is not there is no error. Durable: the folder is synced.
    virtual Status remove(const std::string& path) = 0;
    // Parents too; a folder that is there keeps its mode.
    virtual Status make_folder(const std::string& path, unsigned mode = 0755) = 0;
    // Names in byte order, without . and ..; kNotFound where there is no such folder.
    [[nodiscard]] virtual Result<std::vector<std::string>>
    list(const std::string& folder) const = 0;
};

// The machine's files. Safe from any thread.
Files& system_files();

} // namespace stratum
