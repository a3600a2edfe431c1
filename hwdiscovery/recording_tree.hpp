// A tree that remembers what it was asked and what it answered, so that the same questions can be
// asked of a folder later: each file, link and listing under its real path, links on the way as
// links. Of /proc only processes and what was read are kept. Safe from any thread.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

struct RecordedEntry {
    // kUnreadable: it is there, and its bytes could not be read.
    enum class Kind { kFile, kLink, kUnreadable };
    Kind kind = Kind::kFile;
    std::string content; // a link's target, as written
    friend bool operator==(const RecordedEntry&, const RecordedEntry&) = default;
};

class RecordingTree final : public Tree {
public:
    // `source` must live as long as this.
    explicit RecordingTree(const Tree& source) : source_(source) {}

    [[nodiscard]] std::optional<std::string> bytes(const std::string& path) const override;
    [[nodiscard]] std::vector<std::string> list(const std::string& folder) const override;
    [[nodiscard]] std::optional<std::string> link(const std::string& path) const override;
    [[nodiscard]] bool exists(const std::string& path) const override;

    // By absolute path. No path goes through a link or a file of the same map.
    [[nodiscard]] std::map<std::string, RecordedEntry> recorded() const;

private:
    struct Way {
        std::string path; // real: without links or dots
        std::map<std::string, std::string> links;
    };
    [[nodiscard]] Way way_to(const std::string& path, bool follows_last) const;
    void keep(const Way& way) const;

    const Tree& source_;
    mutable std::mutex lock_;
    mutable std::map<std::string, std::string> files_, links_;
    mutable std::set<std::string> unreadable_, present_;
};

} // namespace stratum::hw
