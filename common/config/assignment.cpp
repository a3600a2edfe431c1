#include "common/config/assignment.hpp"

#include "common/config/assignment_fields.hpp"

namespace stratum::config {

namespace {

using row::flag;
using row::integer;
using row::object;
using row::objects;
using row::text;
using row::texts;

constexpr Field<Bond> kBondFields[] = {
    text<&Bond::mode>(
        {.name = "mode", .about = "How the bond uses its members.", .words = kBondModes}),
    text<&Bond::xmit_hash_policy>(
        {.name = "xmitHashPolicy",
         .about = "What chooses the member of a packet; with balance-xor, 802.3ad, balance-tlb.",
         .words = kHashPolicies}),
    integer<&Bond::miimon_ms>(
        {.name = "miimonMs", .about = "How often the members' carrier is looked at, 0-10000 ms."}),
    text<&Bond::lacp_rate>({.name = "lacpRate",
                            .about = "How often LACP partners speak; with 802.3ad only.",
                            .words = kLacpRates}),
};

constexpr Field<Link> kLinkFields[] = {
    text<&Link::name>({.name = "name", .about = "The link's own name, a label."}),
    text<&Link::kind>({.name = "kind",
                       .about = "What the link is; ethernet where nothing is said.",
                       .words = kLinkKinds}),
    text<&Link::interface>(
        {.name = "interface",
         .about = "The device's name: a NIC of the machine, or the bond or VLAN to make."}),
    text<&Link::parent>(
        {.name = "parent", .about = "The device a VLAN stands on: a NIC or a bond."}),
    integer<&Link::vlan_id>({.name = "vlanId", .about = "A VLAN's id, 1-4094."}),
    text<&Link::controller>(
        {.name = "controller", .about = "The bond (its device) this ethernet link belongs to."}),
    object<&Link::bond>({.name = "bond", .about = "How a bond works; on kind bond only."}),
    texts<&Link::addresses>(
        {.name = "addresses", .about = "IPv4 addresses with their prefix length."}),
    flag<&Link::addresses_allocated>(
        {.name = "addressesAllocated",
         .about = "The founder picked the addresses from the cluster's networks.",
         .read_only = true}),
    integer<&Link::mtu>({.name = "mtu", .about = "The link's MTU in bytes, 576-9216."}),
    texts<&Link::purposes>({.name = "purposes",
                            .about = "What the link carries: storage, overlay, provider.",
                            .words = kPurposes}),
};

constexpr Field<DiskChoice> kDiskFields[] = {
    text<&DiskChoice::key>({.name = "key",
                            .about = "The disk's WWN or one of its /dev/disk/by-id paths.",
                            .required = true}),
    text<&DiskChoice::role>({.name = "role",
                             .about = "What the disk becomes; compute where nothing is said.",
                             .words = kDiskRoles}),
    text<&DiskChoice::pool>({.name = "pool", .about = "A compute disk's pool, a label."}),
    text<&DiskChoice::storage_class>(
        {.name = "storageClass",
         .about = "A compute pool's storage class; the pool's name where nothing is said."}),
    text<&DiskChoice::confirm>(
        {.name = "confirm",
         .about = "The disk's key again: the confirmation that what it holds is wiped."}),
};

constexpr Field<Mgmt> kMgmtFields[] = {
    text<&Mgmt::interface>({.name = "interface", .about = "The device of the mgmt address."}),
    text<&Mgmt::address>(
        {.name = "address", .about = "An address, with its prefix length when it is new."}),
    text<&Mgmt::gateway>({.name = "gateway", .about = "The default route's gateway."}),
    texts<&Mgmt::dns>({.name = "dns", .about = "DNS servers' addresses."}),
};

constexpr Field<ProviderChoice> kProviderFields[] = {
    text<&ProviderChoice::topology>({.name = "topology",
                                     .about = "How VM traffic leaves: bridged or routed.",
                                     .words = kTopologies}),
    text<&ProviderChoice::upstream_interface>(
        {.name = "upstreamInterface", .about = "The NIC or bond that carries VM traffic out."}),
    integer<&ProviderChoice::vlan>({.name = "vlan", .about = "The provider network's VLAN."}),
};

constexpr Field<Assignment> kAssignmentFields[] = {
    text<&Assignment::name>({.name = "name", .about = "The node's name, a label."}),
    text<&Assignment::role>(
        {.name = "role", .about = "The node's role; hybrid for now.", .words = kRoles}),
    text<&Assignment::rack>({.name = "rack", .about = "The rack it stands in, a label."}),
    text<&Assignment::az>({.name = "az", .about = "Its availability zone, a label."}),
    object<&Assignment::mgmt>({.name = "mgmt", .about = "The mgmt address and where it is."}),
    objects<&Assignment::links>(
        {.name = "links", .about = "Ethernet links, bonds and VLANs, and what they carry."}),
    objects<&Assignment::disks>({.name = "disks", .about = "What each data disk becomes."}),
    texts<&Assignment::ntp_servers>({.name = "ntpServers", .about = "Time servers."}),
    object<&Assignment::provider>(
        {.name = "provider", .about = "Where VM traffic leaves the node."}),
    text<&Assignment::copied_from>({.name = "copiedFrom",
                                    .about = "The node the assignment was copied from.",
                                    .read_only = true}),
    texts<&Assignment::copy_notes>(
        {.name = "copyNotes",
         .about = "What was chosen, raised or left out without being asked.",
         .read_only = true}),
};

constexpr std::string_view kAssignment = "assignment";
constexpr FieldInfo kCopyFrom{.name = "copyFrom", .about = "The node to copy from, or none."};
constexpr FieldInfo kPairingCode{.name = "pairingCode",
                                 .about = "The code that the machine's console shows."};

// The body's paths with "assignment." left off.
std::string without_assignment(const std::string& field) {
    const std::string front = say(kAssignment, ".");
    return field.starts_with(front) ? field.substr(front.size()) : field;
}

} // namespace

Fields<Bond> FieldsOf<Bond>::rows() {
    return kBondFields;
}
Fields<Link> FieldsOf<Link>::rows() {
    return kLinkFields;
}
Fields<DiskChoice> FieldsOf<DiskChoice>::rows() {
    return kDiskFields;
}
Fields<Mgmt> FieldsOf<Mgmt>::rows() {
    return kMgmtFields;
}
Fields<ProviderChoice> FieldsOf<ProviderChoice>::rows() {
    return kProviderFields;
}
Fields<Assignment> FieldsOf<Assignment>::rows() {
    return kAssignmentFields;
}

ApprovalRequest read_approval(const Node& body, Findings& findings) {
    ApprovalRequest request;
    ObjectReader reader(body, FieldPath{}, findings);
    const Node* assignment = reader.member(kAssignment);
    if (assignment && assignment->is_object())
        read_section<Assignment>({*assignment, FieldPath{}}, FieldsOf<Assignment>::rows(), findings,
                                 request.assignment);
    else if (assignment)
        reader.add(kAssignment, say("must be an object, found ", assignment->kind_name()));
    Reading reading{reader, findings};
    request.copy_from = read_text(reading, kCopyFrom);
    request.pairing_code = read_text(reading, kPairingCode);
    // A code that was asked for and left empty is a wrong one, not none.
    const Node* code = reader.member(kPairingCode.name);
    if (code && code->is_string() && !request.pairing_code)
        request.pairing_code = code->as_string();
    reader.finish();
    return request;
}

ApprovalRequest parse_approval(std::string_view text, Findings& findings,
                               const DocumentLimits& limits) {
    const Parsed parsed = parse_json(text, limits);
    for (const Finding& finding : parsed.findings.all())
        findings.add(path_of(without_assignment(finding.field)), finding.message, finding.at);
    return parsed.root ? read_approval(*parsed.root, findings) : ApprovalRequest{};
}

Assignment read_assignment(const Node& node, const FieldPath& path, Findings& findings) {
    Assignment assignment;
    read_section<Assignment>({node, path, true}, FieldsOf<Assignment>::rows(), findings,
                             assignment);
    return assignment;
}

Node to_node(const Assignment& assignment) {
    return write_section<Assignment>(FieldsOf<Assignment>::rows(), assignment);
}

} // namespace stratum::config
