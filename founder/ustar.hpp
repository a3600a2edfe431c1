// Writes a tar (POSIX ustar) in memory: the form of a bundle. Pure; the same files give the same
// bytes (no times, no owners).
#pragma once

#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace stratum::founder {

struct TarFile {
    std::string path; // relative, forward slashes
    std::string content;
    unsigned mode = 0644;
};

// kInvalid for a path that is absolute, empty, climbs with "..", or does not fit ustar's 255 bytes.
Result<std::string> make_tar(const std::vector<TarFile>& files);

} // namespace stratum::founder
