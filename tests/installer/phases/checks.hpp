// What the phases' tests ask again and again. Include it after CppUTest.
#pragma once

#define CHECK_OK(status)                                                                           \
    do {                                                                                           \
        const auto& seen_ = (status);                                                              \
        STRCMP_EQUAL("", seen_ ? "" : seen_.error().message.c_str());                              \
    } while (false)

// Refused, and the sentence has these words.
#define CHECK_REFUSED(status, words)                                                               \
    do {                                                                                           \
        const auto& seen_ = (status);                                                              \
        CHECK_TRUE_TEXT(!seen_.has_value(), "it was not refused");                                 \
        const std::string said_ = seen_ ? "" : seen_.error().message;                              \
        if (said_.find(words) == std::string::npos) STRCMP_EQUAL(words, said_.c_str());            \
    } while (false)
