#include "hwdiscovery/mounts.hpp"

#include <algorithm>
#include <set>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

bool is_octal(char c) {
    return c >= '0' && c <= '7';
}

// Mounts of one more process, where it lives in a namespace nobody has read yet.
void add_namespace(const Tree& tree, const std::string& pid, std::set<std::string>& seen,
                   std::vector<MountRecord>& mounts) {
    const auto space = tree.link("/proc/" + pid + "/ns/mnt");
    if (!space || !seen.insert(*space).second) return;
    const auto text = tree.bytes("/proc/" + pid + "/mountinfo");
    if (!text) {
        seen.erase(*space); // another process of the same namespace may tell
        return;
    }
    for (auto& mount : parse_mountinfo(*text)) {
        mount.pid = static_cast<int>(*parse_decimal(pid));
        mounts.push_back(std::move(mount));
    }
}

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

std::vector<MountRecord> parse_mountinfo(std::string_view text) {
    std::vector<MountRecord> mounts;
    for (const auto& line : split(text, '\n')) {
        const auto fields = words(line);
        const auto dash = std::find(fields.begin(), fields.end(), "-");
        if (fields.size() < 5 || dash == fields.end() || fields.end() - dash < 3) continue;
        mounts.push_back(
            {fields[2], unescaped(fields[4]), unescaped(*(dash + 1)), unescaped(*(dash + 2)), {}});
    }
    return mounts;
}

std::vector<std::string> parse_swaps(std::string_view text) {
    std::vector<std::string> paths;
    for (const auto& line : split(text, '\n')) {
        const auto fields = words(line);
        if (fields.size() >= 2 && fields[0].starts_with("/")) paths.push_back(unescaped(fields[0]));
    }
    return paths;
}

Usage read_usage(const Tree& tree) {
    Usage usage;
    const auto own = tree.bytes("/proc/self/mountinfo");
    const auto swaps = tree.bytes("/proc/swaps");
    usage.is_complete = own.has_value();
    if (own) usage.mounts = parse_mountinfo(*own);
    // A kernel without swap has no such file.
    if (swaps) usage.swaps = parse_swaps(*swaps);
    std::set<std::string> seen;
    if (const auto space = tree.link("/proc/self/ns/mnt")) seen.insert(*space);
    for (const auto& entry : tree.list("/proc"))
        if (const auto pid = parse_decimal(entry); pid && *pid <= 1u << 30)
            add_namespace(tree, entry, seen, usage.mounts);
    return usage;
}

} // namespace stratum::hw
