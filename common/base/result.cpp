#include "common/base/result.hpp"

namespace stratum {

std::string_view error_code_name(ErrorCode code) {
    switch (code) {
    case ErrorCode::kInvalid:
        return "invalid";
    case ErrorCode::kNotFound:
        return "not-found";
    case ErrorCode::kConflict:
        return "conflict";
    case ErrorCode::kDenied:
        return "denied";
    case ErrorCode::kUnavailable:
        return "unavailable";
    case ErrorCode::kTimeout:
        return "timeout";
    case ErrorCode::kIo:
        return "io";
    case ErrorCode::kTooLarge:
        return "too-large";
    case ErrorCode::kInternal:
        break;
    }
    return "internal";
}

} // namespace stratum
