// What every call that can fail answers: a value, or one Error that says what was found, what was
// needed and what to do next. Exceptions stay inside an edge; everything else passes Result.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace stratum {

// What kind of failure it is, so that a caller can decide (wait, ask, stop) without reading words.
enum class ErrorCode {
    kInvalid,     // the input is wrong; the same input will fail again
    kNotFound,    // the thing named is not there
    kConflict,    // the state does not allow it (now)
    kDenied,      // not allowed: permission, wrong key, wrong code
    kUnavailable, // a peer or device does not answer; trying again may help
    kTimeout,     // the time limit was reached
    kIo,          // reading or writing failed
    kTooLarge,    // past a stated limit
    kInternal,    // a fault of this program
};

// A short word for logs ("invalid", "not-found", …).
std::string_view error_code_name(ErrorCode code);

struct Error {
    ErrorCode code = ErrorCode::kInternal;
    std::string message; // for a person; never holds a secret
    std::string field;   // the field's path where one is to blame, else empty

    friend bool operator==(const Error&, const Error&) = default;
};

template<class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string field = {}) {
    return tl::make_unexpected(Error{code, std::move(message), std::move(field)});
}

// The same error on its way up, with what was being done in front: "reading key.pem: no such file".
inline tl::unexpected<Error> fail_in(std::string_view doing, Error error) {
    error.message = std::string(doing) + ": " + error.message;
    return tl::make_unexpected(std::move(error));
}

} // namespace stratum
