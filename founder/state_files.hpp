// The names inside a founder's state folder. It holds a founder exactly when the store has its
// name.
#pragma once

namespace stratum::founder {

inline constexpr const char* kStoreName = "founder.db";
inline constexpr const char* kStorePartName = "founder.part"; // also of what SQLite puts beside it
inline constexpr const char* kKeyName = "founder.pem";        // key and certificate, 0600

inline constexpr const char* kHealthName = "health.yaml"; // the operator's health checks, if any

} // namespace stratum::founder
