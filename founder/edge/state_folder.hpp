// What init needs of the file system beyond whole-file writes: a lock that two inits cannot both
// have, and a name that is given only where nobody has it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace stratum::founder {

class FolderLock {
public:
    virtual ~FolderLock() = default; // gives it up
};
// Makes the folder (0700) where there is none. kConflict: another process has the lock.
Result<std::unique_ptr<FolderLock>> lock_state_folder(const std::string& folder);

// Gives the finished file at `from` the name `to`, durably; kConflict where `to` is there.
Status give_name(const std::string& from, const std::string& to);

// Removes files of this folder that begin with `prefix`; durable.
Status remove_leftovers(const std::string& folder, const std::string& prefix);

} // namespace stratum::founder
