#pragma once
// What this build is: the product's version, the commit it was built from, and the libraries that
// are inside the one binary. All of it is fixed at build time and lives as long as the process.

#include <span>
#include <string_view>

namespace stratum::app {

/// A library linked into the binary.
struct Library {
    std::string_view name;    ///< as its makers call it
    std::string_view version; ///< the upstream version, with Debian's revision where there is one
    std::string_view licence; ///< SPDX expression
    std::string_view purl;    ///< package URL of the source it was built from
};

/// The product's version, three numbers ("0.6.0").
std::string_view product_version();

/// The commit's full hash, with "-dirty" where the tree had changes; "unknown" outside a
/// repository.
std::string_view commit();

/// All libraries inside, sorted by name.
std::span<const Library> libraries();

} // namespace stratum::app
