// How many connections one address may hold.

#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "common/link/edge/admission.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::link {
namespace {

struct Peer {
    explicit Peer(const char* address) {
        auto* v4 = reinterpret_cast<sockaddr_in*>(&storage);
        auto* v6 = reinterpret_cast<sockaddr_in6*>(&storage);
        if (inet_pton(AF_INET, address, &v4->sin_addr) == 1)
            v4->sin_family = AF_INET;
        else if (inet_pton(AF_INET6, address, &v6->sin6_addr) == 1)
            v6->sin6_family = AF_INET6;
    }
    [[nodiscard]] const sockaddr* get() const {
        return reinterpret_cast<const sockaddr*>(&storage);
    }
    sockaddr_storage storage{};
};

} // namespace

TEST_GROUP(Admission){};

TEST(Admission, an_address_has_its_number_and_no_more) {
    Admission admission(100, 2);
    const Peer one("10.0.0.1");
    CHECK_TRUE(admission.admit(one.get()));
    CHECK_TRUE(admission.admit(one.get()));
    CHECK_FALSE(admission.admit(one.get()));
    CHECK_TRUE(admission.admit(Peer("10.0.0.2").get()));
    admission.release(one.get());
    CHECK_TRUE(admission.admit(one.get()));
    CHECK_FALSE(admission.admit(one.get()));
}

TEST(Admission, without_a_number_there_is_no_limit) {
    Admission admission(10, 0);
    for (int i = 0; i < 50; ++i) CHECK_TRUE(admission.admit(Peer("10.0.0.1").get()));
}

TEST(Admission, a_mapped_address_is_the_ipv4_one_and_a_64_is_one) {
    Admission admission(100, 1);
    CHECK_TRUE(admission.admit(Peer("::ffff:10.0.0.1").get()));
    CHECK_FALSE(admission.admit(Peer("10.0.0.1").get()));
    CHECK_TRUE(admission.admit(Peer("2001:db8::1").get()));
    CHECK_FALSE(admission.admit(Peer("2001:db8::2:0:0:1").get()));
    CHECK_TRUE(admission.admit(Peer("2001:db8:0:1::1").get()));
}

TEST(Admission, it_is_crowded_from_seven_eighths_on) {
    Admission admission(8, 0);
    const Peer one("10.0.0.1");
    for (int i = 0; i < 6; ++i) CHECK_TRUE(admission.admit(one.get()));
    CHECK_FALSE(admission.is_crowded());
    CHECK_TRUE(admission.admit(one.get()));
    CHECK_TRUE(admission.is_crowded());
    admission.release(one.get());
    CHECK_FALSE(admission.is_crowded());
}

} // namespace stratum::link
