// node.yaml's section `cluster`: what the cluster decided, its networks and its members.
#include "common/config/node_config_fields.hpp"

namespace stratum::config {

namespace {

using row::flag;
using row::group;
using row::integer;
using row::objects;
using row::text;
using row::texts;

template<auto M>
constexpr Field<Network> address(FieldInfo info) {
    info.fault = ip_fault;
    return {info, Shape::kText,
            [](Reading& reading, const FieldInfo& field, Network& into) {
                if (const auto text = read_text(reading, field)) into.*M = *IpAddress::parse(*text);
            },
            [](const Network& from, const FieldInfo& field, Node& node) {
                if (from.*M) node.set(std::string(field.name), (from.*M)->str());
            }};
}

void read_cidr(Reading& reading, const FieldInfo& field, Network& into) {
    if (const auto text = read_text(reading, field)) into.cidr = *Cidr::parse(*text);
}

void write_cidr(const Network& from, const FieldInfo& field, Node& node) {
    node.set(std::string(field.name), from.cidr.str());
}

constexpr Field<Network> kRangeFields[] = {
    address<&Network::range_from>(
        {.name = "from", .about = "The first address that is handed out."}),
    address<&Network::range_to>({.name = "to", .about = "The last address that is handed out."}),
};

constexpr Field<Network> kNetworkFields[] = {
    text<&Network::name>({.name = "name",
                          .about = "The network's name, a label.",
                          .required = true,
                          .fault = label_fault}),
    text<&Network::purpose>({.name = "purpose",
                             .about = "What the network is for.",
                             .required = true,
                             .words = kNetworkPurposes}),
    {{.name = "cidr",
      .about = "The network's address and prefix length, such as 10.77.10.0/24.",
      .required = true,
      .fault = network_fault},
     Shape::kText,
     read_cidr,
     write_cidr},
    integer<&Network::mtu>({.name = "mtu",
                            .about = "The MTU its links need, in bytes; 1500 by default.",
                            .always = true,
                            .min = kSmallestMtu,
                            .max = kLargestMtu}),
    group<Network, kRangeFields>(
        {.name = "range",
         .about = "The addresses that are handed out; the whole network where nothing is said."}),
    address<&Network::gateway>(
        {.name = "gateway", .about = "The network's gateway; it is never handed out."}),
    texts<&Network::reserved>(
        {.name = "reserved",
         .about = "Addresses, CIDRs or FROM-TO ranges that are never handed out.",
         .fault = reserved_fault}),
    flag<&Network::required>(
        {.name = "required",
         .about = "Each node must have a link for it (storage and overlay); true by default."}),
};

// Members have a reader of their own, which other rooms use too.
void read_members(Reading& reading, const FieldInfo& field, ClusterSection& into) {
    reading.object.each(field.name, [&](const Node& node, const FieldPath& path) {
        into.members.push_back(facts::read_member(node, path, reading.findings));
    });
}

void write_members(const ClusterSection& from, const FieldInfo& field, Node& node) {
    if (from.members.empty()) return;
    Node list = Node::array();
    for (const facts::Member& member : from.members) list.push(facts::to_node(member));
    node.set(std::string(field.name), std::move(list));
}

// What this program hands on as it is.
constexpr Field<ClusterSection> free_part(FieldInfo info) {
    return {info, Shape::kFree,
            [](Reading& reading, const FieldInfo& field, ClusterSection& into) {
                const Node* node = reading.object.member(field.name);
                if (!node) return;
                if (!into.passed_through.is_object()) into.passed_through = Node::object();
                into.passed_through.set(std::string(field.name), *node);
            },
            [](const ClusterSection& from, const FieldInfo& field, Node& node) {
                if (const Node* part = from.passed_through.find(field.name))
                    node.set(std::string(field.name), *part);
            }};
}

constexpr Field<ClusterSection> kClusterFields[] = {
    text<&ClusterSection::name>({.name = "name",
                                 .about = "The cluster's name, a label.",
                                 .required = true,
                                 .fault = label_fault}),
    integer<&ClusterSection::planned_size>(
        {.name = "plannedSize",
         .about = "How many nodes are planned, 3 by default; a plan, not a cap.",
         .always = true,
         .min = 1,
         .max = kMaxControlPlane}),
    integer<&ClusterSection::generation>(
        {.name = "generation", .about = "The membership generation.", .always = true, .min = 0}),
    objects<&ClusterSection::networks>(
        {.name = "networks", .about = "The cluster's networks: storage, overlay, and others."}),
    texts<&ClusterSection::vips>(
        {.name = "vips", .about = "Virtual addresses of the cluster.", .fault = ip_fault}),
    text<&ClusterSection::default_pool>(
        {.name = "defaultPool",
         .about = "The pool of compute tails; default where nothing is said.",
         .fault = label_fault}),
    flag<&ClusterSection::allow_emulation>(
        {.name = "allowEmulation",
         .about = "Nodes whose CPU has no virtualization may join; false by default."}),
    flag<&ClusterSection::allow_no_compute>(
        {.name = "allowNoCompute",
         .about = "Nodes without a place for VM disks may join; false by default."}),
    {{.name = "members", .about = "The cluster's members at this generation."},
     Shape::kFree,
     read_members,
     write_members},
    free_part({.name = "parentDomain", .about = "The DNS domain above the cluster's own."}),
    free_part({.name = "upstreamDns", .about = "The DNS servers the cluster asks."}),
    free_part({.name = "floatingIps", .about = "The cluster's floating addresses."}),
    free_part({.name = "firstAdmin", .about = "The first admin's account."}),
    free_part({.name = "services", .about = "What the cluster's services are told."}),
    free_part({.name = "baseImages", .about = "The images that VMs start from."}),
};

} // namespace

Fields<Network> FieldsOf<Network>::rows() {
    return kNetworkFields;
}
Fields<ClusterSection> FieldsOf<ClusterSection>::rows() {
    return kClusterFields;
}

} // namespace stratum::config
