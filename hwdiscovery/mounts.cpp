#include "hwdiscovery/mounts.hpp"

#include <algorithm>
#include <set>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kMostTreeBytes = 16u << 20; // as much of a file as a tree gives

bool is_octal(char c) {
    return c >= '0' && c <= '7';
}

// A file that is cut off there may hide a mount.
bool is_whole(const std::string& text) {
    return text.size() < kMostTreeBytes;
}

// Mounts of one more process, where it lives in a namespace nobody has read yet.
class Namespaces {
public:
    Namespaces(const Tree& tree, Usage& usage) : tree_(tree), usage_(usage) {
        if (const auto space = tree.link("/proc/self/ns/mnt")) read_.insert(*space);
    }

    void add(const std::string& pid) {
        const auto space = tree_.link("/proc/" + pid + "/ns/mnt");
        if (!space || read_.count(*space) != 0) return;
        const auto text = tree_.bytes("/proc/" + pid + "/mountinfo");
        if (!text) {
            // Another process of the same namespace may tell; one that ended meanwhile need not.
            if (tree_.exists("/proc/" + pid + "/ns/mnt")) closed_.insert(*space);
            return;
        }
        read_.insert(*space);
        if (!is_whole(*text)) usage_.is_complete = false;
        for (auto& mount : parse_mountinfo(*text)) {
            mount.pid = static_cast<int>(*parse_decimal(pid));
            usage_.mounts.push_back(std::move(mount));
        }
    }

    void finish() {
        for (const auto& space : closed_)
            if (read_.count(space) == 0) usage_.is_complete = false;
    }

private:
    const Tree& tree_;
    Usage& usage_;
    std::set<std::string> read_, closed_;
};

} // namespace

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_code = text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) &&
                             is_octal(text[i + 2]) && is_octal(text[i + 3]);
        if (!is_code) {
            out.push_back(text[i]);
            continue;
        }
        out.push_back(static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                        (text[i + 3] - '0')));
        i += 3;
    }
    return out;
}

std::string without_deleted(std::string path) {
    static constexpr std::string_view kDeleted = " (deleted)";
    if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
    return path;
}

std::vector<MountRecord> parse_mountinfo(std::string_view text) {
    std::vector<MountRecord> mounts;
    for (const auto& line : split(text, '\n')) {
        const auto fields = words(line);
        const auto dash = std::find(fields.begin(), fields.end(), "-");
        if (fields.size() < 5 || dash == fields.end() || fields.end() - dash < 2) continue;
        // A source may be empty; the device's number is what counts.
        const std::string source = fields.end() - dash > 3 ? unescaped(*(dash + 2)) : "";
        mounts.push_back({fields[2], unescaped(fields[4]), unescaped(*(dash + 1)), source, {}});
    }
    return mounts;
}

std::vector<std::string> parse_swaps(std::string_view text) {
    std::vector<std::string> paths;
    for (const auto& line : split(text, '\n')) {
        const auto fields = words(line);
        if (fields.size() >= 2 && fields[0].starts_with("/"))
            paths.push_back(without_deleted(unescaped(fields[0])));
    }
    return paths;
}

Usage read_usage(const Tree& tree) {
    Usage usage;
    const auto own = tree.bytes("/proc/self/mountinfo");
    const auto swaps = tree.bytes("/proc/swaps");
    usage.is_complete = own && is_whole(*own);
    // A kernel without swap has no such file.
    if (!swaps && tree.exists("/proc/swaps")) {
        usage.is_complete = false;
        usage.problem = "/proc/swaps could not be read: no disk is known to be unused";
    }
    if (own) usage.mounts = parse_mountinfo(*own);
    if (swaps) usage.swaps = parse_swaps(*swaps);
    Namespaces namespaces(tree, usage);
    for (const auto& entry : tree.list("/proc"))
        if (const auto pid = parse_decimal(entry); pid && *pid <= 1u << 30) namespaces.add(entry);
    namespaces.finish();
    return usage;
}

} // namespace stratum::hw
