#include "installer/state_note.hpp"

#include <CppUTest/TestHarness.h>

using stratum::installer::notes_of_state;

TEST_GROUP(StateNote){};

TEST(StateNote, AMachineInMemorySaysSo) {
    LONGS_EQUAL(1, notes_of_state("ram\n").size());
    CHECK(notes_of_state("ram")[0].find("power cut") != std::string::npos);
}

TEST(StateNote, ARefusedPartitionIsNamedWithItsReason) {
    const auto notes = notes_of_state("refused the file system on /dev/vda3 is damaged\n");
    LONGS_EQUAL(1, notes.size());
    CHECK(notes[0].find("/dev/vda3 is damaged") != std::string::npos);
}

TEST(StateNote, APartitionInUseAndAnInstalledSystemHaveNothingToSay) {
    CHECK(notes_of_state("partition /dev/vda3\n").empty());
    CHECK(notes_of_state("").empty());
    CHECK(notes_of_state("something new").empty());
}
