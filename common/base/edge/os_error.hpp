// What the system's error numbers mean to callers.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "common/base/result.hpp"

namespace stratum::edge {

inline ErrorCode code_of(int number) {
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
        return ErrorCode::kDenied;
    case ENOTEMPTY:
    case EEXIST:
    case EBUSY:
        return ErrorCode::kConflict;
    case EISDIR:
    case EINVAL:
    case ENAMETOOLONG:
        return ErrorCode::kInvalid;
    default:
        return ErrorCode::kIo;
    }
}

// "reading /etc/x: No such file or directory"
inline tl::unexpected<Error> fail_errno(const std::string& doing, int number) {
    return fail(code_of(number), doing + ": " + std::generic_category().message(number));
}

} // namespace stratum::edge
