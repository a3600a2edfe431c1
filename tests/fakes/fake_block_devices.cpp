#include "tests/fakes/fake_block_devices.hpp"

#include <algorithm>

#include "tests/fakes/fake_files.hpp"

namespace stratum::fakes {
namespace {

constexpr std::uint64_t kSectorBytes = 512;

std::string whole_sector(std::string text) {
    text.resize(kSectorBytes, '\0');
    return text;
}

bool is_zero(const std::string& text) {
    return text.find_first_not_of('\0') == std::string::npos;
}

} // namespace

void FakeBlockDevices::set(std::set<std::string>& paths, const std::string& path, bool on) {
    if (on) {
        paths.insert(path);
    } else {
        paths.erase(path);
    }
}

void FakeBlockDevices::store(Device& device, std::uint64_t offset, std::string_view data) {
    while (!data.empty()) {
        const std::uint64_t sector = offset / kSectorBytes * kSectorBytes;
        const std::size_t at = offset - sector;
        const std::size_t piece =
            std::min(data.size(), static_cast<std::size_t>(kSectorBytes) - at);
        std::string& held = device.sectors[sector];
        held = whole_sector(held);
        held.replace(at, piece, data.substr(0, piece));
        if (is_zero(held)) device.sectors.erase(sector);
        data.remove_prefix(piece);
        offset += piece;
    }
}

Status FakeBlockDevices::may_write(const std::string& path) const {
    if (!devices_.contains(path)) return fail(ErrorCode::kNotFound, path + ": no such device");
    if (busy_.contains(path)) {
        return fail(ErrorCode::kConflict, path + " is in use by something else on this machine");
    }
    if (read_only_.contains(path)) return fail(ErrorCode::kDenied, path + " is read-only");
    return {};
}

template<class Act>
Status FakeBlockDevices::change(const std::string& path, Act act) {
    if (auto allowed = may_write(path); !allowed) return allowed;
    const auto found = planned_.find(++changes_);
    if (found == planned_.end()) return act();
    const Planned planned = found->second;
    planned_.erase(found);
    if (planned.trouble == Trouble::kFail) return fail(planned.code, path + ": failed as planned");
    if (planned.trouble == Trouble::kCrashBefore) throw Crash();
    (void)act();
    throw Crash();
}

Result<std::string> FakeBlockDevices::read(const std::string& path, std::uint64_t offset,
                                           std::size_t length) const {
    const auto found = devices_.find(path);
    if (found == devices_.end()) return fail(ErrorCode::kNotFound, path + ": no such device");
    const Device& device = found->second;
    if (offset >= device.size_bytes) return std::string{};
    std::string data(std::min<std::uint64_t>(length, device.size_bytes - offset), '\0');
    for (const auto& [at, text] : device.sectors) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const std::uint64_t place = at + i;
            if (place >= offset && place < offset + data.size()) data[place - offset] = text[i];
        }
    }
    return data;
}

Status FakeBlockDevices::write(const std::string& path, std::uint64_t offset,
                               std::string_view data) {
    return change(path, [&]() -> Status {
        written_.insert(path);
        store(devices_[path], offset, data);
        return {};
    });
}

Status FakeBlockDevices::zero(const std::string& path, std::uint64_t offset, std::uint64_t length) {
    return change(path, [&]() -> Status {
        written_.insert(path);
        Device& device = devices_[path];
        const std::uint64_t end = std::min(device.size_bytes, offset + length);
        auto sectors = device.sectors;
        for (const auto& [at, text] : sectors) {
            const std::uint64_t from = std::max(at, offset);
            const std::uint64_t to = std::min(at + kSectorBytes, end);
            if (from < to) store(device, from, std::string(to - from, '\0'));
        }
        return {};
    });
}

Status FakeBlockDevices::reread_partitions(const std::string& path) {
    return change(path, [&]() -> Status { return on_reread ? on_reread(path) : Status{}; });
}

void FakeBlockDevices::add(const std::string& path, std::uint64_t size_bytes) {
    devices_[path] = {size_bytes, {}};
}

void FakeBlockDevices::put(const std::string& path, std::uint64_t offset, std::string_view data) {
    store(devices_[path], offset, data);
}

std::map<std::uint64_t, std::string> FakeBlockDevices::sectors(const std::string& path) const {
    const auto found = devices_.find(path);
    if (found == devices_.end()) return {};
    auto sectors = found->second.sectors;
    for (auto& [at, text] : sectors) text.erase(text.find_last_not_of('\0') + 1);
    return sectors;
}

void FakeBlockDevices::fail_change(int n, ErrorCode code) {
    planned_[changes_ + n] = {Trouble::kFail, code};
}

void FakeBlockDevices::crash_before_change(int n) {
    planned_[changes_ + n] = {Trouble::kCrashBefore, {}};
}

void FakeBlockDevices::crash_after_change(int n) {
    planned_[changes_ + n] = {Trouble::kCrashAfter, {}};
}

} // namespace stratum::fakes
