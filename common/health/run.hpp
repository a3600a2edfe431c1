// One check, run once. What it says is a sentence for people: of a command its exit code and its
// last line, of a URL the status that was answered; never the arguments, a URL's path or a body.
#pragma once

#include <functional>
#include <string>

#include "common/base/files.hpp"
#include "common/base/processes.hpp"
#include "common/health/check.hpp"

namespace stratum::health {

struct UrlQuestion {
    std::string url;
    std::string ca_pem; // empty: who signed the server's key does not matter
    std::string pin;    // hex; empty: any key that the CA signed
    std::int64_t timeout_ms = 10'000;
};
// The answer's status. Asks with GET, follows no redirects, uses no proxy, reads no body.
// kUnavailable, kTimeout, kDenied (the key or the certificate), kInvalid.
Result<int> probe_url(const UrlQuestion& question);

struct RunSeams {
    Files& files;
    Processes& processes;
    std::function<Result<int>(const UrlQuestion&)> probe_url;
};

struct Outcome {
    bool passed = false;
    std::string said; // why it failed; empty where it passed
    friend bool operator==(const Outcome&, const Outcome&) = default;
};
// Returns within the check's time limit (and the seconds a command is given to end). A check that
// could not be run has failed.
Outcome run_check(const Check& check, const RunSeams& seams);

} // namespace stratum::health
