#include <string>

#include "common/base/text.hpp"
#include "installer/find_code.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using installer::CodeSources;
using installer::find_code;
using installer::parse_code_line;

namespace {

const std::string kShort = "2345-6789-ABCD-EFGH";
const std::string kKey(64, 'a');

std::string uri(const std::string& host = "10.20.0.1:8444") {
    return "stratum-join://" + host + "/" + kShort + "?k=" + kKey;
}

} // namespace

TEST_GROUP(FindCode){};

TEST(FindCode, NothingIsFoundWhereNothingIs) {
    const auto search = find_code({});
    CHECK(!search.code);
    CHECK(search.complaints.empty());
}

TEST(FindCode, TheArgumentComesBeforeTheKernelAndTheKernelBeforeTheFile) {
    CodeSources sources;
    sources.file = uri("10.0.0.3:1") + "\n";
    sources.file_path = "/boot/join";
    STRCMP_EQUAL("the file /boot/join", find_code(sources).code->origin.c_str());
    sources.kernel_command_line = "quiet stratum.join=" + uri("10.0.0.2:1") + " panic=1";
    STRCMP_EQUAL("10.0.0.2", find_code(sources).code->founders[0].host.c_str());
    sources.argument = uri("10.0.0.1:1");
    const auto search = find_code(sources);
    STRCMP_EQUAL("10.0.0.1", search.code->founders[0].host.c_str());
    STRCMP_EQUAL("the command line", search.code->origin.c_str());
}

TEST(FindCode, ASourceThatIsNoCodeIsComplainedOfAndTheNextOneCounts) {
    CodeSources sources;
    sources.argument = "nonsense 10.0.0.1";
    sources.kernel_command_line = "stratum.join=" + uri();
    const auto search = find_code(sources);
    CHECK(search.code.has_value());
    LONGS_EQUAL(1, search.complaints.size());
    CHECK(search.complaints[0].find("the command line") != std::string::npos);
}

TEST(FindCode, ALongCodeBringsAllAddressesAndTheKey) {
    const auto code = parse_code_line("  " + uri("10.0.0.1:8444,[fd00::1]:9000") + " ", "");
    CHECK(code.has_value());
    LONGS_EQUAL(2, code->founders.size());
    STRCMP_EQUAL(kKey.c_str(), code->founder_key->str().c_str());
}

TEST(FindCode, AShortCodeMayBeTypedInAnyCaseWithTheAddressOnEitherSide) {
    for (const std::string& line :
         {kShort + " 10.20.0.1:8444", "10.20.0.1:8444 " + kShort,
          std::string("2345 6789 abcd efgh 10.20.0.1"), lower(kShort) + " 10.20.0.1"}) {
        const auto code = parse_code_line(line, "");
        CHECK(code.has_value());
        STRCMP_EQUAL("10.20.0.1:8444", code->founders[0].str().c_str());
        STRCMP_EQUAL(kShort.c_str(), code->code.grouped().c_str());
        CHECK(!code->founder_key);
    }
    STRCMP_EQUAL("[fd00::1]:8444",
                 parse_code_line(kShort + " [fd00::1]", "")->founders[0].str().c_str());
}

TEST(FindCode, AShortCodeTakesTheDefaultAddressOfFlagOrKernel) {
    STRCMP_EQUAL("10.9.9.9:8444", parse_code_line(kShort, "10.9.9.9")->founders[0].str().c_str());
    CodeSources sources;
    sources.kernel_command_line = "stratum.join=" + kShort + " stratum.founder=10.8.8.8:99";
    STRCMP_EQUAL("10.8.8.8:99", find_code(sources).code->founders[0].str().c_str());
    sources.founder = "10.7.7.7";
    STRCMP_EQUAL("10.7.7.7:8444", find_code(sources).code->founders[0].str().c_str());
}

TEST(FindCode, AShortCodeWithoutAnAddressIsRefusedWithAnExample) {
    const auto code = parse_code_line(kShort, "");
    CHECK(!code);
    CHECK(code.error().message.find("10.20.0.1:8444") != std::string::npos);
}

TEST(FindCode, RefusesWhatIsNoCodeAndNeverRepeatsIt) {
    for (const std::string& line :
         {std::string(""), std::string("hello 10.0.0.1"),
          std::string("2345-6789-ABCD-EFG0 10.0.0.1"), std::string("2345-6789-ABCD-EFGHJ 10.0.0.1"),
          kShort + " 10.0.0.1 10.0.0.2", kShort + " 10.0.0.1:0", kShort + " 10.0.0.1:99999",
          std::string("stratum-join://10.0.0.1:8444/") + kShort}) {
        const auto code = parse_code_line(line, "");
        CHECK(!code);
        CHECK(code.error().message.find(kShort) == std::string::npos);
    }
}
