// The file of founders whose key somebody confirmed.

#include <vector>

#include "ctl/known_founders.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::ctl {
namespace {

link::Fingerprint key_of(std::uint8_t byte) {
    Sha256 bytes{};
    bytes.fill(byte);
    return link::Fingerprint(bytes);
}

const HostPort kAlpha{"10.77.0.1", 8443};
const HostPort kOther{"10.77.0.1", 9443};

} // namespace

TEST_GROUP(KnownFounders){};

TEST(KnownFounders, what_was_kept_is_found_again) {
    const std::string text = with_known("", kAlpha, key_of(1));
    STRCMP_EQUAL(("10.77.0.1:8443 " + key_of(1).str() + "\n").c_str(), text.c_str());
    CHECK_TRUE(find_known(text, kAlpha) == key_of(1));
}

TEST(KnownFounders, another_port_is_another_founder) {
    CHECK_FALSE(find_known(with_known("", kAlpha, key_of(1)), kOther).has_value());
}

TEST(KnownFounders, a_new_key_replaces_the_old_and_leaves_the_others) {
    std::string text = with_known(with_known("", kAlpha, key_of(1)), kOther, key_of(2));
    text = with_known(text, kAlpha, key_of(3));
    CHECK_TRUE(find_known(text, kAlpha) == key_of(3));
    CHECK_TRUE(find_known(text, kOther) == key_of(2));
    CHECK_TRUE(text.find(key_of(1).str()) == std::string::npos);
}

TEST(KnownFounders, a_line_that_is_none_is_no_key) {
    const std::string good = key_of(1).str();
    for (const std::string& line : std::vector<std::string>{
             "10.77.0.1:8443", "10.77.0.1:8443 abcd", "10.77.0.1:8443 x " + good,
             "x10.77.0.1:8443 " + good, good + " 10.77.0.1:8443"})
        CHECK_FALSE(find_known(line + "\n", kAlpha).has_value());
}

TEST(KnownFounders, comments_of_somebodys_own_stay) {
    const std::string text = with_known("# the lab\n", kAlpha, key_of(1));
    CHECK_TRUE(text.starts_with("# the lab\n"));
}

} // namespace stratum::ctl
