#include "common/config/node_config.hpp"

#include "common/config/node_config_fields.hpp"

namespace stratum::config {

namespace {

using row::embedded;
using row::group;
using row::integer;
using row::object;
using row::objects;
using row::text;
using row::texts;

constexpr Field<NicRef> kNicRefFields[] = {
    text<&NicRef::interface>({.name = "interface",
                              .about = "The device's name when this was approved.",
                              .required = true,
                              .fault = device_fault}),
    text<&NicRef::mac>({.name = "mac",
                        .about = "The NIC's permanent MAC, which finds it again.",
                        .fault = mac_fault}),
};

constexpr Field<NodeMgmt> kNodeMgmtFields[] = {
    embedded<&NodeMgmt::nic>(),
    text<&NodeMgmt::address>({.name = "address",
                              .about = "The mgmt address with its prefix length.",
                              .required = true,
                              .fault = host_cidr_fault}),
    text<&NodeMgmt::gateway>({.name = "gateway",
                              .about = "The default route's gateway; none where nothing is said.",
                              .fault = ip_fault}),
    texts<&NodeMgmt::dns>(
        {.name = "dns", .about = "DNS servers' addresses.", .fault = server_address_fault}),
    integer<&NodeMgmt::mtu>({.name = "mtu",
                             .about = "The NIC's MTU, where it is raised for what stands on it.",
                             .min = kSmallestMtu,
                             .max = kLargestMtu}),
};

constexpr Field<Connection> kConnectionFields[] = {
    embedded<&Connection::link>(),
    text<&Connection::mac>({.name = "mac",
                            .about = "The NIC's permanent MAC, which finds it again.",
                            .fault = mac_fault}),
};

constexpr Field<NodeDisk> kNodeDiskFields[] = {
    embedded<&NodeDisk::choice>(),
    text<&NodeDisk::path>(
        {.name = "path", .about = "The disk's path when it was approved, for people."}),
    text<&NodeDisk::serial>({.name = "serial", .about = "The disk's serial number."}),
    integer<&NodeDisk::size_bytes>(
        {.name = "sizeBytes", .about = "The disk's size in bytes.", .min = 0}),
    text<&NodeDisk::digest>({.name = "digest",
                             .about = "SHA-256 of the disk's identity and contents as approved.",
                             .fault = sha256_fault}),
};

constexpr Field<FounderRef> kFounderFields[] = {
    texts<&FounderRef::addresses>({.name = "addresses",
                                   .about = "HOST:PORT of the founder's join listener.",
                                   .required = true,
                                   .fault = host_port_fault}),
    text<&FounderRef::key>({.name = "key",
                            .about = "SHA-256 of the founder's TLS public key.",
                            .required = true,
                            .fault = sha256_fault}),
};

constexpr Field<NodeConfig> kIdentityFields[] = {
    text<&NodeConfig::node_id>({.name = "id",
                                .about = "The node's id, a label; it never changes.",
                                .required = true,
                                .fault = label_fault}),
    text<&NodeConfig::name>({.name = "name",
                             .about = "The node's name and hostname, a label.",
                             .required = true,
                             .fault = label_fault}),
    text<&NodeConfig::role>(
        {.name = "role", .about = "The node's role.", .required = true, .words = kRoles}),
};

constexpr Field<NodeConfig> kTopologyFields[] = {
    text<&NodeConfig::region>(
        {.name = "region", .about = "The cluster's region, a label.", .fault = label_fault}),
    text<&NodeConfig::az>(
        {.name = "az", .about = "The availability zone, a label.", .fault = label_fault}),
    text<&NodeConfig::rack>({.name = "rack", .about = "The rack, a label.", .fault = label_fault}),
};

constexpr Field<NodeConfig> kOobFields[] = {
    text<&NodeConfig::oob_interface>(
        {.name = "interface", .about = "The out-of-band NIC that stage 1 recorded."}),
};

constexpr Field<NodeConfig> kNetworkSectionFields[] = {
    objects<&NodeConfig::connections>(
        {.name = "connections", .about = "Ethernet links, bonds and VLANs, and what they carry."}),
};

constexpr Field<NodeConfig> kProviderSectionFields[] = {
    embedded<&NodeConfig::provider>(),
    text<&NodeConfig::provider_mac>({.name = "mac",
                                     .about = "The uplink's permanent MAC, where it is a NIC.",
                                     .fault = mac_fault}),
    text<&NodeConfig::provider_upstream_purpose>(
        {.name = "upstreamPurpose",
         .about = "What the founder's uplink also carries; joiners' uplinks follow it.",
         .words = kUpstreamPurposes}),
};

constexpr Field<NodeConfig> kOsDiskFields[] = {
    text<&NodeConfig::os_disk_layout>(
        {.name = "layout",
         .about = "How stage 1 laid out the OS disks: compute-tail leaves their ends to VMs.",
         .words = kOsDiskLayouts}),
    text<&NodeConfig::compute_tail_pool>({.name = "computeTailPool",
                                          .about = "The pool the compute tail belongs to.",
                                          .fault = label_fault}),
};

constexpr Field<NodeConfig> kJoinFields[] = {
    text<&NodeConfig::join_id>(
        {.name = "id", .about = "The join this file was made for.", .required = true}),
    integer<&NodeConfig::attempt>(
        {.name = "attempt", .about = "The attempt it was made for, from 1.", .min = 0}),
};

constexpr Field<NodeConfig> kNodeConfigFields[] = {
    integer<&NodeConfig::version>({.name = "version",
                                   .about = "The version of this shape: 1.",
                                   .required = true,
                                   .always = true,
                                   .min = 1,
                                   .max = 1}),
    group<NodeConfig, kIdentityFields>(
        {.name = "node", .about = "Who the node is.", .required = true}),
    group<NodeConfig, kTopologyFields>({.name = "topology", .about = "Where the node stands."}),
    group<NodeConfig, kOobFields>({.name = "oob", .about = "The out-of-band NIC."}),
    object<&NodeConfig::mgmt>(
        {.name = "mgmt", .about = "The mgmt address and where it is.", .required = true}),
    group<NodeConfig, kNetworkSectionFields>(
        {.name = "network", .about = "The node's links besides mgmt and oob."}),
    group<NodeConfig, kProviderSectionFields>(
        {.name = "provider", .about = "Where VM traffic leaves the node."}),
    objects<&NodeConfig::disks>({.name = "disks", .about = "What each data disk becomes."}),
    group<NodeConfig, kOsDiskFields>({.name = "osDisk", .about = "How the OS disks are laid out."}),
    texts<&NodeConfig::ntp_servers>(
        {.name = "ntpServers", .about = "Time servers.", .fault = host_fault}),
    group<NodeConfig, kJoinFields>(
        {.name = "join", .about = "A joiner's file: the join it was made for."}),
    object<&NodeConfig::founder>(
        {.name = "founder", .about = "A joiner's file: where the founder is, and its key."}),
    object<&NodeConfig::cluster>(
        {.name = "cluster", .about = "What the cluster decided, and who is in it."}),
};

constexpr std::string_view kHeading =
    "# node.yaml: what this machine is told to become. Made by the founder; `firstboot --config`\n"
    "# checks it, docs/node-yaml.md describes it.\n";

void collect_paths(const std::vector<DescribedField>& fields, const std::string& above,
                   std::vector<std::string>& paths) {
    for (const DescribedField& field : fields) {
        std::string path = say(above, above.empty() ? "" : ".", field.info.name);
        if (field.shape == Shape::kObjects || field.shape == Shape::kTexts) path += "[]";
        paths.push_back(path);
        collect_paths(field.inside, path, paths);
    }
}

} // namespace

std::vector<std::string> node_yaml_fields() {
    std::vector<std::string> paths;
    collect_paths(describe<NodeConfig>(), {}, paths);
    return paths;
}

Fields<NicRef> FieldsOf<NicRef>::rows() {
    return kNicRefFields;
}
Fields<NodeMgmt> FieldsOf<NodeMgmt>::rows() {
    return kNodeMgmtFields;
}
Fields<Connection> FieldsOf<Connection>::rows() {
    return kConnectionFields;
}
Fields<NodeDisk> FieldsOf<NodeDisk>::rows() {
    return kNodeDiskFields;
}
Fields<FounderRef> FieldsOf<FounderRef>::rows() {
    return kFounderFields;
}
Fields<NodeConfig> FieldsOf<NodeConfig>::rows() {
    return kNodeConfigFields;
}

Node to_node(const NodeConfig& config) {
    return write_section<NodeConfig>(FieldsOf<NodeConfig>::rows(), config);
}

std::string render_node_yaml(const NodeConfig& config) {
    return std::string(kHeading) + write_yaml(to_node(config));
}

} // namespace stratum::config
