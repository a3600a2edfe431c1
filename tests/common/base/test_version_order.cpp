// The order of versions: a file of real and odd ones, pair by pair, and many made-up ones.
// STRATUM_SEED chooses other ones.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/base/version.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

constexpr int kMadeUp = 60; // every three of them are compared
constexpr unsigned kUsualSeed = 20261130;

struct Ranked {
    Version version;
    int rank = 0;
};

// The file's versions, with the number of their line.
std::vector<Ranked> ranked() {
    std::vector<Ranked> all;
    int rank = 0;
    for (const auto& line :
         split(*system_files().read("tests/common/base/version_order.txt"), '\n')) {
        if (line.starts_with('#')) continue;
        ++rank;
        for (const auto& word : words(line)) {
            const auto version = Version::parse(word);
            CHECK_TEXT(version.has_value(), word.c_str());
            all.push_back({version.value_or(Version()), rank});
        }
    }
    return all;
}

// Versions out of few pieces, so that many of them nearly agree.
class Maker {
public:
    explicit Maker(unsigned seed) : random_(seed) {}

    Version version() {
        while (true) {
            std::string text = one_of({"", "", "", "1:", "0:"});
            text += one_of({"0", "1", "01", "10", "9", "2"});
            for (int more = below(5); more > 0; --more)
                text +=
                    one_of({".", "~", "+", "-", "_", "a", "Z", "0", "1", "10", ".0", "~~", "rc1"});
            if (auto made = Version::parse(text)) return *made;
        }
    }

private:
    int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    std::string one_of(const std::vector<std::string>& texts) {
        return texts[static_cast<std::size_t>(below(static_cast<int>(texts.size())))];
    }
    std::mt19937 random_;
};

std::vector<Version> made_up() {
    const char* text = std::getenv("STRATUM_SEED"); // NOLINT(concurrency-mt-unsafe): one thread
    const unsigned seed =
        text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : kUsualSeed;
    std::printf("STRATUM_SEED=%u\n", seed);
    Maker maker(seed);
    std::vector<Version> all;
    while (all.size() < kMadeUp) all.push_back(maker.version());
    return all;
}

bool in(const std::string& range, const Version& version) {
    const auto parsed = VersionRange::parse(range);
    CHECK_TEXT(parsed.has_value(), range.c_str());
    return parsed && parsed->contains(version);
}

// Each comparator of a range says what the order says.
void check_ranges(const Version& a, const Version& b) {
    const std::string told = a.str() + " and " + b.str();
    CHECK_EQUAL_TEXT(a >= b, in(">=" + b.str(), a), told.c_str());
    CHECK_EQUAL_TEXT(a > b, in(">" + b.str(), a), told.c_str());
    CHECK_EQUAL_TEXT(a <= b, in("<=" + b.str(), a), told.c_str());
    CHECK_EQUAL_TEXT(a < b, in("<" + b.str(), a), told.c_str());
    CHECK_EQUAL_TEXT(a == b, in("=" + b.str(), a), told.c_str());
    CHECK_EQUAL_TEXT(a != b, in("!=" + b.str(), a), told.c_str());
}

} // namespace

TEST_GROUP(VersionOrder){};

TEST(VersionOrder, TheFileHoldsPairByPair) {
    const auto all = ranked();
    CHECK(all.size() >= 100);
    for (const auto& a : all)
        for (const auto& b : all)
            CHECK_TEXT((a.version <=> b.version) == (a.rank <=> b.rank),
                       (a.version.str() + " and " + b.version.str()).c_str());
}

TEST(VersionOrder, RangesAgreeWithIt) {
    const auto all = ranked();
    for (const auto& a : all)
        for (const auto& b : all) check_ranges(a.version, b.version);
}

TEST(VersionOrder, IsTotalAmongMadeUpOnes) {
    const auto all = made_up();
    for (const auto& a : all)
        for (const auto& b : all) {
            const std::string told = a.str() + " and " + b.str();
            CHECK_TEXT((a <=> b) == (0 <=> (b <=> a)), told.c_str());
            CHECK_TEXT((a == b) == ((a <=> b) == 0), told.c_str());
            check_ranges(a, b);
            for (const auto& c : all)
                CHECK_TEXT(!(a <= b && b <= c) || a <= c, (told + " and " + c.str()).c_str());
        }
}
