// A health check as an operator configures it, and the reader of its file:
//
//   version: 1
//   checks:
//     - name: etcd
//       command: [etcdctl, endpoint, health]      argv; no shell, an environment of PATH and LC_ALL
//     - name: dashboard
//       url: https://10.77.0.5:8443/health
//       caFile: /etc/ssl/cluster-ca.pem           or pin: SHA-256 of the server's public key
//       expectStatus: 200
//       everySeconds: 30
//       timeoutSeconds: 10
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/findings.hpp"

namespace stratum::health {

struct Check {
    std::string name;                 // a label, unique in its file
    std::vector<std::string> command; // argv; empty where it is a URL
    std::string url;                  // http:// or https://; empty where it is a command
    std::int64_t expect_status = 200; // of a URL
    std::string ca_file;              // https: a PEM file of who may have signed the server's key
    std::string pin;                  // https: 64 hex digits, SHA-256 of the server's SPKI
    std::int64_t every_s = 30;        // 5 to 3600
    std::int64_t timeout_s = 10;      // 1 to 60
    friend bool operator==(const Check&, const Check&) = default;
};

inline constexpr std::size_t kMostChecks = 50;

// The checks are whole exactly when there is no finding.
struct ReadChecks {
    std::vector<Check> checks;
    std::vector<Finding> findings; // each at its field, with line and column
};
ReadChecks read_checks(std::string_view yaml);
// "health.yaml:4:7: checks[0].url: …", a line for each finding.
std::vector<std::string> fault_lines(std::string_view file, const ReadChecks& read);

} // namespace stratum::health
