// Writes a recorded tree into a folder. Nothing outside the folder is touched, whatever the paths
// or the links in it say: no link is followed while writing.
#pragma once

#include <map>
#include <string>

#include "common/base/edge/fd.hpp"
#include "common/base/result.hpp"
#include "hwdiscovery/recording_tree.hpp"

namespace stratum::hw {

class CaptureFolder {
public:
    // Makes the folder (mode 0700, its parent must be there), or takes one that is there and empty
    // and makes it 0700. kConflict where something is in it, or it is no folder but a link.
    static Result<CaptureFolder> claim(const std::string& path);

    // Paths are absolute in the recorded machine. Files are new and of mode 0600; what could not be
    // read becomes a folder, which cannot be read either.
    [[nodiscard]] Status write(const std::map<std::string, RecordedEntry>& entries) const;

private:
    CaptureFolder(edge::Fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
    [[nodiscard]] Result<edge::Fd> folder_of(const std::string& path) const;
    [[nodiscard]] Status write_one(const std::string& path, const RecordedEntry& entry) const;

    edge::Fd fd_;
    std::string path_;
};

} // namespace stratum::hw
