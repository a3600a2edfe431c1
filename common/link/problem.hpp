// A refusal as the API says it: RFC 9457, application/problem+json. One table holds every code with
// its status and title.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/findings.hpp"

namespace stratum::link {

enum class ProblemCode {
    kInvalidInput,         // 400
    kUnauthenticated,      // 401
    kForbidden,            // 403
    kJoinCodeInvalid,      // 403
    kJoinKeyMismatch,      // 403
    kNotFound,             // 404
    kMethodNotAllowed,     // 405
    kNotAcceptable,        // 406
    kJoinStateConflict,    // 409
    kJoinApprovalRefused,  // 409
    kReleaseMismatch,      // 409
    kPairingFailed,        // 409
    kJoinKeyInUse,         // 409
    kIdempotencyConflict,  // 409
    kPreconditionFailed,   // 412
    kPayloadTooLarge,      // 413
    kUnsupportedMediaType, // 415
    kRangeNotSatisfiable,  // 416
    kTooManyRequests,      // 429
    kInternal,             // 500
    kReleaseBusy,          // 503
};

struct ProblemInfo {
    ProblemCode code;
    std::string_view name; // INVALID_INPUT
    int status;
    std::string_view title;
};
const ProblemInfo& info_of(ProblemCode code);
// Every row, in the order of the enum.
std::span<const ProblemInfo> all_problems();

struct Issue { // a finding of a refused policy document; statement −1: the document as a whole
    std::string code;
    int statement = -1;
    std::string detail;
    std::optional<std::string> action;
};

struct Problem {
    ProblemCode code = ProblemCode::kInternal;
    std::string detail;
    std::vector<Finding> errors;
    std::vector<Issue> issues;
    Node details; // an object, or null for none
    // Answer headers that go with it: Retry-After, Allow, WWW-Authenticate.
    std::vector<std::pair<std::string, std::string>> headers;
    bool is_audited = false; // the refusal is in the founder's audit already; never sent
};

// 400 with every finding.
Problem invalid_input(const Findings& findings);

// `instance` is the request's path. `type` is "urn:stratum:problem:" and the code in lower case
// with hyphens.
Node to_node(const Problem& problem, std::string_view request_id, std::string_view instance);

// What a client got: never fails; an answer that is no problem document gives a Problem with the
// status and what the body began with as detail.
struct ReceivedProblem {
    int status = 0;
    std::string code; // INVALID_INPUT …; empty where the answer was no problem document
    std::string title;
    std::string detail;
    std::string request_id;
    std::vector<Finding> errors;
    std::vector<Issue> issues;
    Node details;
};
ReceivedProblem read_problem(int status, std::string_view body);

} // namespace stratum::link
