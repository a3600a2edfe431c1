#include "common/config/forms.hpp"

namespace stratum::config {

namespace {

#define STRATUM_ADDRESS "[0-9A-Fa-f:.]+"

constexpr Form kForms[] = {
    {label_fault, "a label", "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"},
    {device_fault, "a device's name",
     R"((?!lo$|\.{1,2}$|[0-9]+$|all$|default$|bonding_masters$|br-int$|br-ex$|genev|ovs-))"
     R"([A-Za-z0-9._][A-Za-z0-9._-]{0,14})"},
    {ip_fault, "an address", STRATUM_ADDRESS},
    {server_address_fault, "a server's address", STRATUM_ADDRESS},
    {cidr_fault, "an address with prefix length", STRATUM_ADDRESS "/[0-9]{1,3}"},
    {host_cidr_fault, "a host address with prefix length", STRATUM_ADDRESS "/[0-9]{1,3}"},
    {ipv4_host_cidr_fault, "an IPv4 host address with prefix length", "[0-9.]+/[0-9]{1,2}"},
    {network_fault, "a network's address with prefix length, no host bits",
     STRATUM_ADDRESS "/[0-9]{1,3}"},
    {reserved_fault, "an address, a CIDR, or FROM-TO", "[0-9A-Fa-f:./ -]+"},
    {host_fault, "a host name or address", "[0-9A-Za-z:.-]{1,253}"},
    {host_port_fault, "HOST:PORT", ".+:[0-9]{1,5}"},
    {mac_fault, "a MAC address", "[0-9A-Fa-f:.-]{12,17}"},
    {sha256_fault, "a SHA-256: 64 lower-case hex digits", "[0-9a-f]{64}"},
};

#undef STRATUM_ADDRESS

} // namespace

const Form* form_of(Fault (*fault)(std::string_view)) {
    for (const Form& form : kForms)
        if (form.fault == fault) return &form;
    return nullptr;
}

} // namespace stratum::config
