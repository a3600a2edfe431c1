// What this machine's installation has done so far, kept on disk so that a power cut at any instant
// continues where it stopped. One small JSON file, each change one atomic write. A step is done
// only when it says so here, and what storage wrote itself is known by it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/base/files.hpp"
#include "common/link/messages.hpp"

namespace stratum::installer {

// One disk that the storage phase has begun to write: the approved digest no longer describes it,
// the plan on it does.
struct DiskMark {
    std::string key;       // as in node.yaml
    std::string plan;      // hex: digest of (join id, the disk's whole entry in node.yaml)
    bool finished = false; // everything ordered for it was done and read back
    friend bool operator==(const DiskMark&, const DiskMark&) = default;
};

struct JournalState {
    std::string join_id;
    int attempt = 0;
    std::string node_yaml_sha256;            // what the steps below were done for
    std::map<std::string, link::Step> steps; // by name
    std::map<std::string, DiskMark> disks;   // by key
    std::string bundle_sha256; // what the join/… steps were done from; empty: not known
    friend bool operator==(const JournalState&, const JournalState&) = default;
};

class Journal {
public:
    // Reads the file at `path`; a missing one is an empty journal, a damaged one an error
    // (kInvalid).
    static Result<Journal> open(Files& files, std::string path);

    [[nodiscard]] const JournalState& state() const { return state_; }
    // Begins (or goes on with) this join's attempt: another join, attempt or node.yaml clears the
    // steps, but join/… steps that this join has done from the very same bundle stay done. Disk
    // marks of the same join stay: they say what this join's own writes were.
    Status begin(const std::string& join_id, int attempt, const std::string& node_yaml_sha256,
                 const std::string& bundle_sha256 = {});
    Status set_step(const link::Step& step);
    Status set_disk(const DiskMark& mark);
    [[nodiscard]] bool is_done(const std::string& step_name) const;

private:
    Journal(Files& files, std::string path) : files_(&files), path_(std::move(path)) {}
    Status save(JournalState next);

    Files* files_;
    std::string path_;
    JournalState state_;
};

} // namespace stratum::installer
