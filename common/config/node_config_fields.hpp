// The tables of node.yaml's sections (node_config.cpp, cluster_fields.cpp).
#pragma once

#include "common/config/assignment_fields.hpp"
#include "common/config/node_config.hpp"

namespace stratum::config {

template<>
struct FieldsOf<NicRef> {
    static Fields<NicRef> rows();
};
template<>
struct FieldsOf<NodeMgmt> {
    static Fields<NodeMgmt> rows();
};
template<>
struct FieldsOf<Connection> {
    static Fields<Connection> rows();
};
template<>
struct FieldsOf<NodeDisk> {
    static Fields<NodeDisk> rows();
};
template<>
struct FieldsOf<FounderRef> {
    static Fields<FounderRef> rows();
};
template<>
struct FieldsOf<Network> {
    static Fields<Network> rows();
};
template<>
struct FieldsOf<ClusterSection> {
    static Fields<ClusterSection> rows();
};
template<>
struct FieldsOf<NodeConfig> {
    static Fields<NodeConfig> rows();
};

} // namespace stratum::config
