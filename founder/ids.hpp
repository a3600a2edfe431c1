// Ids as people type them: a prefix that says what it is, and eight characters of a-z0-9.
#pragma once

#include <string>
#include <string_view>

#include "common/base/hash.hpp"

namespace stratum::founder {

// A random id (41 bits) for which `is_taken` says no: "nj-8w2k4m1p" for the prefix "nj-".
template<class IsTaken>
std::string fresh_id(std::string_view prefix, const IsTaken& is_taken) {
    std::string id;
    do {
        id = std::string(prefix) + random_text(8, "abcdefghijklmnopqrstuvwxyz0123456789");
    } while (is_taken(id));
    return id;
}

} // namespace stratum::founder
