#include "common/base/edge/confine.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace stratum::edge {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "name this architecture as seccomp does (linux/audit.h)"
#endif

constexpr sock_filter load(std::size_t offset) {
    return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<unsigned>(offset)};
}
// Where they are equal the next `if_equal` steps are left out, else `if_not`.
constexpr sock_filter compare(unsigned value, unsigned char if_equal, unsigned char if_not) {
    return {BPF_JMP | BPF_JEQ | BPF_K, if_equal, if_not, value};
}
constexpr sock_filter answer(unsigned what) {
    return {BPF_RET | BPF_K, 0, 0, what};
}

// setsid and setpgid fail with EPERM; all else is as before.
std::array<sock_filter, 7> rules = {{
    load(offsetof(seccomp_data, arch)),
    compare(kArchitecture, 0, 3),
    load(offsetof(seccomp_data, nr)),
    compare(SYS_setsid, 2, 0),
    compare(SYS_setpgid, 1, 0),
    answer(SECCOMP_RET_ALLOW),
    answer(SECCOMP_RET_ERRNO | EPERM),
}};

} // namespace

void confine_to_group() {
    const sock_fprog program = {static_cast<unsigned short>(rules.size()), rules.data()};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) return;
    // Who is not root must give up gaining rights by a set-user-ID program first.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

} // namespace stratum::edge
