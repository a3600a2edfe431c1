// One question to the kernel's route socket, and what its attributes say.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <netlink/attr.h>
#include <netlink/msg.h>

namespace stratum::hw::route {

struct MessageDeleter {
    void operator()(nl_msg* message) const { nlmsg_free(message); }
};
using Message = std::unique_ptr<nl_msg, MessageDeleter>;
using Visit = std::function<void(nlmsghdr*)>;

// Sends one request and visits each message of the answer. False: no answer, or half of one.
bool ask(nl_msg* request, Visit visit);

template<class Header>
Message dump_request(int type, const Header& header) {
    Message message(nlmsg_alloc_simple(type, NLM_F_REQUEST | NLM_F_DUMP));
    Header copy = header;
    if (message && nlmsg_append(message.get(), &copy, sizeof copy, NLMSG_ALIGNTO) < 0)
        message.reset();
    return message;
}

// Everything of a type. A list that changes while it is read is read again; `restart` then forgets
// what was visited.
template<class Header>
bool dump(int type, const Header& header, const std::function<void()>& restart,
          const Visit& visit) {
    constexpr int kTries = 3;
    for (int tries = 0; tries < kTries; ++tries) {
        const Message request = dump_request(type, header);
        restart();
        if (request && ask(request.get(), visit)) return true;
    }
    return false;
}

// An absent or too short attribute gives the empty value.
std::string mac_of(nlattr* attribute); // bytes in hex with colons: 6 of Ethernet, 20 of InfiniBand
std::string string_of(nlattr* attribute);
std::optional<std::uint32_t> number_of(nlattr* attribute);
std::optional<std::uint8_t> byte_of(nlattr* attribute);
std::string address_of(int family, nlattr* attribute);
std::string address_of(int family, const std::uint8_t* bytes, std::size_t size);

} // namespace stratum::hw::route
