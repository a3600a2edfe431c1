// The tables of the assignment's sections (assignment.cpp); node.yaml uses those of links, disks
// and the provider as they are.
#pragma once

#include "common/config/assignment.hpp"
#include "common/config/fields.hpp"
#include "common/config/places.hpp"

namespace stratum::config {

template<>
struct FieldsOf<Bond> {
    static Fields<Bond> rows();
};
template<>
struct FieldsOf<Link> {
    static Fields<Link> rows();
};
template<>
struct FieldsOf<DiskChoice> {
    static Fields<DiskChoice> rows();
};
template<>
struct FieldsOf<Mgmt> {
    static Fields<Mgmt> rows();
};
template<>
struct FieldsOf<ProviderChoice> {
    static Fields<ProviderChoice> rows();
};
template<>
struct FieldsOf<Assignment> {
    static Fields<Assignment> rows();
};

} // namespace stratum::config
