#include <string>

#include "common/base/text.hpp"
#include "hwdiscovery/vpd.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

std::string bytes(std::string_view hex) {
    const auto raw = from_hex(hex).value();
    return {raw.begin(), raw.end()};
}

} // namespace

TEST_GROUP(Vpd){};

TEST(Vpd, the_serial_is_the_body_without_its_padding) {
    STRCMP_EQUAL("ZC1A0001", vpd80_serial(bytes("008000085a43314130303031")).c_str());
    STRCMP_EQUAL("AB", vpd80_serial(bytes("0080000441422020")).c_str());
}

TEST(Vpd, a_page_that_is_short_or_lies_about_its_length_gives_what_is_there) {
    STRCMP_EQUAL("", vpd80_serial("").c_str());
    STRCMP_EQUAL("", vpd80_serial(bytes("0080")).c_str());
    STRCMP_EQUAL("AB", vpd80_serial(bytes("0080ffff4142")).c_str());
    CHECK(vpd83_designators(bytes("0083ffff0103ff")).empty());
    CHECK(vpd83_designators(bytes("00830008010300ff5000")).empty());
}

TEST(Vpd, the_logical_units_naa_is_the_world_wide_one) {
    const auto list = vpd83_designators(bytes("0083001802000008"
                                              "5a43314130303031"
                                              "01030008"
                                              "5000c500a1b2c301"));
    LONGS_EQUAL(2, list.size());
    const Designator* best = world_wide(list);
    CHECK(best != nullptr);
    LONGS_EQUAL(3, best->type);
    STRCMP_EQUAL("5000c500a1b2c301",
                 to_hex({reinterpret_cast<const std::uint8_t*>(best->value.data()), 8}).c_str());
}

TEST(Vpd, a_ports_identifier_is_not_the_disks) {
    // Association 1: the port's.
    CHECK(world_wide(vpd83_designators(bytes("0083000c"
                                             "01130008"
                                             "5000c500a1b2c301"))) == nullptr);
}

TEST(Vpd, the_longer_naa_wins_because_an_arrays_volumes_share_the_short_one) {
    const auto list = vpd83_designators(bytes("00830020"
                                              "01030008"
                                              "5000c500a1b2c301"
                                              "01030010"
                                              "6000c500a1b2c3010000000000000001"));
    LONGS_EQUAL(16, world_wide(list)->value.size());
}

TEST(Vpd, ata_text_has_its_bytes_swapped_back) {
    std::string page(572, ' ');
    const std::string serial = "DWW-1XA1B1C2D3 4";
    page.replace(60 + 20, serial.size(), serial);
    const std::string model = "DW CDW04FEXR";
    page.replace(60 + 54, model.size(), model);
    STRCMP_EQUAL("WD-WX11A1B2C3D4", vpd89_ata(page).serial.c_str());
    STRCMP_EQUAL("WDC WD40EFRX", vpd89_ata(page).model.c_str());
    STRCMP_EQUAL("", vpd89_ata("short").model.c_str());
}
