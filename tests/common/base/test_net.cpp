#include "common/base/net.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

IpAddress ip(std::string_view text) {
    const auto parsed = IpAddress::parse(text);
    CHECK_TEXT(parsed.has_value(), std::string(text).c_str());
    return parsed.value_or(IpAddress());
}

Cidr cidr(std::string_view text) {
    const auto parsed = Cidr::parse(text);
    CHECK_TEXT(parsed.has_value(), std::string(text).c_str());
    return parsed.value_or(Cidr());
}

void reads_as(const char* text, const char* expected) {
    STRCMP_EQUAL(expected, ip(text).str().c_str());
}

} // namespace

TEST_GROUP(Mac){};

TEST(Mac, TakesColonsAndHyphensInEitherCase) {
    STRCMP_EQUAL("52:54:00:ab:cd:ef", MacAddress::parse("52:54:00:AB:cd:EF").value().str().c_str());
    CHECK(MacAddress::parse("52-54-00-ab-cd-ef") == MacAddress::parse("52:54:00:ab:cd:ef"));
}

TEST(Mac, RefusesOtherShapes) {
    for (const char* wrong :
         {"", "525400abcdef", "52:54:00:ab:cd", "52:54:00:ab:cd:ef:00", "52:54:00:ab:cd:e",
          "52:54:00:ab-cd:ef", "52:54:00:ab:cd:eg", "5:254:00:ab:cd:ef", "52:54:00:ab:cd:ef ",
          "52.54.00.ab.cd.ef", ":::::::::::::::::"}) {
        const auto parsed = MacAddress::parse(wrong);
        CHECK_FALSE_TEXT(parsed.has_value(), wrong);
        CHECK(parsed.error().code == ErrorCode::kInvalid);
    }
}

TEST(Mac, PlaceholdersAndGroupsAreNotPlausible) {
    CHECK(MacAddress::parse("52:54:00:00:00:01")->is_plausible());
    for (const char* odd : {"00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01"}) {
        CHECK_FALSE(MacAddress::parse(odd)->is_plausible());
    }
}

TEST_GROUP(Ip){};

TEST(Ip, TakesFourNumbers) {
    reads_as("0.0.0.0", "0.0.0.0");
    reads_as("255.255.255.255", "255.255.255.255");
    CHECK_EQUAL(0x0a14000bu, ip("10.20.0.11").v4_value());
    CHECK(IpAddress::v4(0x0a14000b) == ip("10.20.0.11"));
}

TEST(Ip, RefusesOtherFormsOfIpv4) {
    for (const char* wrong :
         {"", "10.0.0", "10.0.0.0.1", "010.0.0.1", "10.0.0.256", "10.0.0.-1", "10.0.0.1 ",
          " 10.0.0.1", "10.0.0.", "0x0a.0.0.1", "10.1", "10.0.0.1%1", "10.0.0.1/24", "a.b.c.d"}) {
        CHECK_FALSE_TEXT(IpAddress::parse(wrong).has_value(), wrong);
    }
}

TEST(Ip, WritesIpv6AsRfc5952Says) {
    reads_as("::", "::");
    reads_as("0:0:0:0:0:0:0:1", "::1");
    reads_as("2001:DB8::0001", "2001:db8::1");
    reads_as("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"); // one group is not shortened
    reads_as("2001:0:0:1:0:0:0:1", "2001:0:0:1::1");          // the longest run
    reads_as("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1");    // the first of equals
    reads_as("1:2:3:4:5:6:0:0", "1:2:3:4:5:6::");
    reads_as("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8");
    reads_as("fe80::0a0b", "fe80::a0b");
    reads_as("64:ff9b::10.0.0.1", "64:ff9b::a00:1");
    reads_as("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304");
}

TEST(Ip, RefusesBrokenIpv6) {
    for (const char* wrong : {":",
                              ":::",
                              "1",
                              "1::2::3",
                              "1:2:3:4:5:6:7",
                              "1:2:3:4:5:6:7:8:9",
                              "1:2:3:4:5:6:7::8::",
                              "::1:2:3:4:5:6:7:8",
                              "1:2:3:4:5:6:7:8::",
                              "12345::",
                              "g::",
                              ":1::",
                              "1::2:",
                              "1:",
                              "fe80::1%eth0",
                              "[::1]",
                              "::1/64",
                              "::1.2.3",
                              "::1.2.3.4:5",
                              "1.2.3.4::",
                              "1:2:3:4:5:6:7:1.2.3.4",
                              "::01.2.3.4",
                              "-1::",
                              "::ffff:10.0.0.256"}) {
        CHECK_FALSE_TEXT(IpAddress::parse(wrong).has_value(), wrong);
    }
}

TEST(Ip, MappedIpv4BecomesIpv4) {
    CHECK(ip("::ffff:10.0.0.1") == ip("10.0.0.1"));
    CHECK(ip("::ffff:a00:1").is_v4());
    CHECK_FALSE(ip("::10.0.0.1").is_v4());
    CHECK_EQUAL(0u, ip("::10.0.0.1").v4_value());
}

TEST(Ip, KnowsItsKinds) {
    CHECK(ip("127.9.0.1").is_loopback() && ip("::1").is_loopback());
    CHECK_FALSE(ip("128.0.0.1").is_loopback() || ip("::2").is_loopback());
    CHECK(ip("169.254.1.1").is_link_local() && ip("febf::1").is_link_local());
    CHECK_FALSE(ip("169.253.1.1").is_link_local() || ip("fec0::1").is_link_local());
    CHECK(ip("0.0.0.0").is_unspecified() && ip("::").is_unspecified());
    CHECK(ip("239.1.1.1").is_multicast() && ip("ff02::1").is_multicast());
    CHECK_FALSE(ip("240.0.0.1").is_multicast() || ip("fe80::1").is_multicast());
}

TEST_GROUP(CidrValue){};

TEST(CidrValue, KeepsAddressAndPrefix) {
    STRCMP_EQUAL("10.20.0.11/24", cidr("10.20.0.11/24").str().c_str());
    STRCMP_EQUAL("fd00::1/64", cidr("FD00:0::1/64").str().c_str());
    STRCMP_EQUAL("10.20.0.0", cidr("10.20.0.11/24").network().str().c_str());
    STRCMP_EQUAL("10.20.0.255", cidr("10.20.0.11/24").broadcast().str().c_str());
    STRCMP_EQUAL("10.20.31.255", cidr("10.20.17.1/19").broadcast().str().c_str());
    STRCMP_EQUAL("fd00::ffff:ffff:ffff:ffff", cidr("fd00::1/64").broadcast().str().c_str());
    STRCMP_EQUAL("0.0.0.0", cidr("10.0.0.1/0").network().str().c_str());
}

TEST(CidrValue, RefusesMissingAndWrongPrefixes) {
    for (const char* wrong : {"10.0.0.1", "10.0.0.1/", "10.0.0.1/33", "10.0.0.1/-1", "10.0.0.1/024",
                              "10.0.0.1/24/", "10.0.0.1/255.255.255.0", "/24", "fd00::1/129",
                              "10.0.0.1 /24", "::ffff:10.0.0.1/120", "10.0.0.1/99999999999999"}) {
        CHECK_FALSE_TEXT(Cidr::parse(wrong).has_value(), wrong);
    }
    CHECK_FALSE(Cidr::make(ip("10.0.0.1"), 33).has_value());
    CHECK_FALSE(Cidr::make(ip("fd00::1"), -1).has_value());
}

TEST(CidrValue, ContainsAndOverlapsGoByTheShorterPrefix) {
    CHECK(cidr("10.20.0.1/24").contains(ip("10.20.0.255")));
    CHECK_FALSE(cidr("10.20.0.1/24").contains(ip("10.20.1.0")));
    CHECK_FALSE(cidr("0.0.0.0/0").contains(ip("::1")));
    CHECK_FALSE(cidr("::/0").contains(ip("10.0.0.1")));
    CHECK(cidr("10.0.0.0/8").overlaps(cidr("10.20.0.0/16")));
    CHECK(cidr("10.20.0.0/16").overlaps(cidr("10.0.0.0/8")));
    CHECK_FALSE(cidr("10.20.0.0/16").overlaps(cidr("10.21.0.0/16")));
    CHECK(cidr("fd00::/64").overlaps(cidr("fd00::1/128")));
    CHECK_FALSE(cidr("::/0").overlaps(cidr("0.0.0.0/0")));
}

TEST(CidrValue, AHostMayHaveAnInnerAddress) {
    for (const char* good :
         {"10.0.0.1/24", "10.0.0.254/24", "10.0.0.1/30", "10.0.0.2/30", "10.0.0.0/31",
          "10.0.0.1/31", "10.0.0.0/32", "fd00::1/64", "fd00::/127", "fd00::1/127", "fd00::/128",
          "fd00::ffff:ffff:ffff:ffff/64"}) {
        CHECK_TEXT(cidr(good).is_host(), good);
    }
}

TEST(CidrValue, AHostMayNotHaveTheNetworksOwnAddresses) {
    for (const char* bad : {"10.0.0.0/24", "10.0.0.255/24", "10.0.0.0/30", "10.0.0.3/30",
                            "fd00::/64", "fd00::/126", "0.0.0.0/32", "::/128", "224.0.0.1/24",
                            "ff02::1/64", "255.255.255.255/32", "0.0.0.0/0"}) {
        CHECK_FALSE_TEXT(cidr(bad).is_host(), bad);
    }
}

TEST_GROUP(HostPortValue){};

TEST(HostPortValue, TakesNamesAndAddresses) {
    for (const char* good : {"founder:8443", "founder.example.org:1", "10.20.0.10:65535",
                             "[fd00::1]:8443", "0.0.0.0:0", "[::]:80", "Founder:80"}) {
        const auto parsed = HostPort::parse(good);
        CHECK_TEXT(parsed.has_value(), good);
        STRCMP_EQUAL(good, parsed->str().c_str());
    }
    STRCMP_EQUAL("fd00::1", HostPort::parse("[fd00::1]:1")->host.c_str());
    CHECK_EQUAL(8443, HostPort::parse("[fd00::1]:8443")->port);
}

TEST(HostPortValue, RefusesOtherForms) {
    for (const char* wrong : {"",
                              "founder",
                              ":8443",
                              "founder:",
                              "founder:65536",
                              "founder:-1",
                              "founder:080",
                              "founder:80 ",
                              "fd00::1:8443",
                              "[fd00::1]",
                              "[fd00::1]8443",
                              "[fd00::1",
                              "[founder]:80",
                              "[10.0.0.1]:80",
                              "10.0.0.300:80",
                              "10.0.0:80",
                              "foun der:80",
                              "a..b:80",
                              "-a:80",
                              "http://founder:80",
                              "[fe80::1%eth0]:80",
                              "[]:80",
                              "a_b:80"}) {
        CHECK_FALSE_TEXT(HostPort::parse(wrong).has_value(), wrong);
    }
}
