#include "app/version.hpp"

#include "app/version_data.hpp"

namespace stratum::app {

std::string_view product_version() {
    return kProductVersion;
}

std::string_view commit() {
    return kCommit;
}

std::span<const Library> libraries() {
    return kLibraries;
}

} // namespace stratum::app
