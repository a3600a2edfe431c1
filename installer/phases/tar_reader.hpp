// Reading a tar archive (POSIX ustar) that somebody else made: plain files and folders only, paths
// that stay inside. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"

namespace stratum::installer {

struct TarFile {
    std::string path; // relative, no "..", no empty parts
    std::string content;
    unsigned mode = 0644; // permission bits
};

// Every plain file in order. kInvalid, naming the entry: a link or device, an absolute path or one
// with "..", a name twice, a bad checksum, an archive that ends early. Folders are passed over.
Result<std::vector<TarFile>> read_tar(std::string_view archive);

} // namespace stratum::installer
