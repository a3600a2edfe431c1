#include "hwdiscovery/edge/dm_status.hpp"

#include <array>
#include <cstring>

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"

namespace stratum::hw {
namespace {

// Room for the first segments; of more only the first counts here.
constexpr std::size_t kAnswerBytes = 16384;

struct Question {
    alignas(dm_ioctl) std::array<char, kAnswerBytes> bytes{};

    dm_ioctl& head() { return *reinterpret_cast<dm_ioctl*>(bytes.data()); }
    // nullptr: there is no segment, or it does not fit.
    [[nodiscard]] const dm_target_spec* first() {
        const bool is_there =
            head().target_count > 0 && head().data_start + sizeof(dm_target_spec) <= bytes.size();
        return is_there ? reinterpret_cast<const dm_target_spec*>(bytes.data() + head().data_start)
                        : nullptr;
    }
    // The segment's own words stand behind it, ended by a zero.
    [[nodiscard]] std::string words() {
        if (first() == nullptr) return {};
        const std::size_t from = head().data_start + sizeof(dm_target_spec);
        return {bytes.data() + from, ::strnlen(bytes.data() + from, bytes.size() - from)};
    }
};

bool ask(int control, const std::string& name, std::uint32_t flags, Question& question) {
    dm_ioctl& head = question.head();
    if (name.size() >= sizeof head.name) return false;
    head.version[0] = DM_VERSION_MAJOR;
    head.data_size = kAnswerBytes;
    head.data_start = sizeof(dm_ioctl);
    head.flags = flags | DM_NOFLUSH_FLAG;
    std::memcpy(head.name, name.c_str(), name.size() + 1);
    return ::ioctl(control, DM_TABLE_STATUS, &head) == 0;
}

} // namespace

DmStatus read_dm_status(const std::string& name) {
    DmStatus status;
    const edge::Fd control(::open("/dev/mapper/control", O_RDWR | O_CLOEXEC));
    if (!control.is_open()) return status;
    Question table;
    if (!ask(control.get(), name, DM_STATUS_TABLE_FLAG, table)) return status;
    status.open_count = static_cast<std::uint32_t>(table.head().open_count);
    if (const dm_target_spec* spec = table.first())
        status.target.assign(spec->target_type,
                             ::strnlen(spec->target_type, sizeof spec->target_type));
    // The table names members and, of some targets, keys: what is kept is the status alone.
    Question health;
    const bool tells = status.target == "raid" || status.target == "multipath";
    if (tells && ask(control.get(), name, 0, health)) status.status = health.words();
    return status;
}

} // namespace stratum::hw
