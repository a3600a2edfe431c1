// The seam to what the kernel and udev tell in files: /sys, /proc, /run, /etc of this machine, of a
// captured one, or of a test. Paths are absolute, as on the machine itself; symbolic links on the
// way are followed inside it. Nothing here fails: what cannot be read is absent.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stratum::hw {

class Tree {
public:
    virtual ~Tree() = default;

    // The file's bytes, at most 16 MiB of them.
    [[nodiscard]] virtual std::optional<std::string> bytes(const std::string& path) const = 0;
    // Names in byte order, without . and ..
    [[nodiscard]] virtual std::vector<std::string> list(const std::string& folder) const = 0;
    // Where a symbolic link points, as written.
    [[nodiscard]] virtual std::optional<std::string> link(const std::string& path) const = 0;
    [[nodiscard]] virtual bool exists(const std::string& path) const = 0;

    // The file as text without white space at either end; empty where it cannot be read.
    [[nodiscard]] std::string text(const std::string& path) const;
    // A decimal number (0 to 2^64-1) alone in its file.
    [[nodiscard]] std::optional<std::uint64_t> number(const std::string& path) const;
    // "0" or "1" alone in its file.
    [[nodiscard]] std::optional<bool> flag(const std::string& path) const;
    // A path whose last part may be a link, with that link followed once: /sys/class/block/sda
    // gives /sys/devices/…/block/sda. The path itself where it is no link.
    [[nodiscard]] std::string followed(const std::string& path) const;
    // The last part of where a link points: the driver's name from …/device/driver. Empty: no link.
    [[nodiscard]] std::string link_name(const std::string& path) const;
};

// "/a/b/../c" without its dots; the text alone decides.
std::string normal_path(const std::string& path);

} // namespace stratum::hw
