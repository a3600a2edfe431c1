#include <string>

#include "ui-tty/typed_line.hpp"

#include <CppUTest/TestHarness.h>

using stratum::ui::TypedLine;

namespace {

// What comes of these bytes: the finished lines, each ended by '|', then what stands there still.
std::string typed(const std::string& bytes) {
    TypedLine line;
    std::string all;
    for (const char byte : bytes) {
        if (const auto finished = line.take(byte)) all += *finished + "|";
    }
    return all + line.text();
}

} // namespace

TEST_GROUP(TypedLine){};

TEST(TypedLine, EnterEndsALineOnceHoweverItIsSent) {
    STRCMP_EQUAL("ab|cd", typed("ab\rcd").c_str());
    STRCMP_EQUAL("ab|cd", typed("ab\ncd").c_str());
    STRCMP_EQUAL("ab|cd", typed("ab\r\ncd").c_str());
    STRCMP_EQUAL("||", typed("\r\r").c_str());
}

TEST(TypedLine, BackspaceAndCtrlUEdit) {
    STRCMP_EQUAL("ac", typed("ab\x7F"
                             "c")
                           .c_str());
    STRCMP_EQUAL("", typed("\x08\x08").c_str());
    STRCMP_EQUAL("x", typed("abc\x15x").c_str());
    STRCMP_EQUAL("", typed("ä\x7F").c_str());
}

TEST(TypedLine, ArrowKeysAndControlCharactersAreNoText) {
    STRCMP_EQUAL("ab", typed("a\x1b[A\x1bOB\x1b[15~\x01\x07"
                             "b")
                           .c_str());
}

TEST(TypedLine, TooLongALineIsCutAndBadBytesAreReplaced) {
    LONGS_EQUAL(513, typed(std::string(9000, 'x') + "\r").size());
    STRCMP_EQUAL("\xEF\xBF\xBD|", typed("\xff\r").c_str());
}
