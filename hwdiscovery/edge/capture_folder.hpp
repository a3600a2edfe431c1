// Writes a recorded tree into a folder. Nothing outside the folder is touched, whatever the paths
// or the links in it say: no link is followed while writing.
#pragma once

#include <map>
#include <memory>
#include <string>

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
    struct Folder; // its descriptor and its path

    explicit CaptureFolder(std::shared_ptr<const Folder> folder) : folder_(std::move(folder)) {}

    std::shared_ptr<const Folder> folder_;
};

} // namespace stratum::hw
