// The founder's state in one SQLite file: WAL, synchronous=FULL, mode 0600. Several founders may
// have the same file open; each change begins with the write lock, so that none reads what another
// is about to change.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "founder/store/store.hpp"

namespace stratum::founder {

struct SqliteOptions {
    std::string path;
    bool create = false;           // make the file where there is none
    std::int64_t busy_ms = 10'000; // how long another founder may keep it
};

// kNotFound: no such file; kInvalid: no store of ours, or of a newer schema than this build knows;
// kIo. The store is closed (and its log folded in) by the destructor.
Result<std::unique_ptr<Store>> open_sqlite_store(const SqliteOptions& options);

} // namespace stratum::founder
