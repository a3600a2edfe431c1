#include <algorithm>

#include "common/base/text.hpp"
#include "tests/ui-tty/screens.hpp"
#include "ui-tty/draw.hpp"
#include "ui-tty/letters.hpp"
#include "ui-tty/text_columns.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::ui;
using installer::JoinProgress;

namespace {

// Whole screens at 80x24, plain ASCII.
constexpr const char* kNeedsCode = R"(
 Stratum firstboot 0.6.0
 ------------------------------------------------------------------------------
 Dell Inc. PowerEdge R650, serial 7XK2M03, host name rack-7
 Intel(R) Xeon(R) Gold 6330, 56 cores, 256.0 GiB of memory
 Disks: nvme0n1 1.92 TB (system), nvme1n1 1.92 TB, sda 4.00 TB
 NICs: enp1s0f0 10.20.0.57/24, enp1s0f1 (no link)

 A JOIN CODE IS NEEDED
 This machine has no join code yet.
 What to do: Make a join code on the founder (stratumctl admin join-codes
             create) and type it here.

 Join code (a short one with the founder's address beside it):
 > 2345-67
)";

constexpr const char* kWaiting = R"(
 Stratum firstboot 0.6.0
 ------------------------------------------------------------------------------
 Dell Inc. PowerEdge R650, serial 7XK2M03, host name rack-7
 Intel(R) Xeon(R) Gold 6330, 56 cores, 256.0 GiB of memory
 Disks: nvme0n1 1.92 TB (system), nvme1n1 1.92 TB, sda 4.00 TB
 NICs: enp1s0f0 10.20.0.57/24, enp1s0f1 (no link)
 Founder: 10.20.0.1:8444
 Its key: 1f0e8c6b5a49382716050f4e3d2c1b0a99887766554433221100ffeeddccbbaa

 WAITING FOR APPROVAL

       #   #####  #####         #   #   ###    ###
      ##   #          #         #  #   #   #  #   #
     # #   ###       #    ###   ###       #   #   #
    #####  #        #           #  #     #    #  #
       #   #        #           #   #  #####   ## #

 Pairing code 4F7-K2Q
 An admin compares this code with the founder's and approves.
 What to do: On the founder: stratumctl admin joins show nj-8w2k4m1p

 | Registering with the founder
 | Working out the pairing code
 | Waiting for approval
)";

constexpr const char* kUnreachable = R"(
 Stratum firstboot 0.6.0
 ------------------------------------------------------------------------------
 Dell Inc. PowerEdge R650, serial 7XK2M03, host name rack-7
 Intel(R) Xeon(R) Gold 6330, 56 cores, 256.0 GiB of memory
 Disks: nvme0n1 1.92 TB (system), nvme1n1 1.92 TB, sda 4.00 TB
 NICs: enp1s0f0 10.20.0.57/24, enp1s0f1 (no link)

 REGISTERING WITH THE FOUNDER
 The founder is not reached.
 Reason: 10.20.0.1:8444: connection refused
 Next try in 12 s (try 5)
 What to do: Check the cable, the founder's address, and that it runs.
)";

constexpr const char* kInstalling = R"(
 Stratum firstboot 0.6.0                                 node-2, n-2, attempt 2
 ------------------------------------------------------------------------------
 Dell Inc. PowerEdge R650, serial 7XK2M03, host name rack-7
 Intel(R) Xeon(R) Gold 6330, 56 cores, 256.0 GiB of memory
 Disks: nvme0n1 1.92 TB (system), nvme1n1 1.92 TB, sda 4.00 TB
 NICs: enp1s0f0 10.20.0.57/24, enp1s0f1 (no link)
 Founder: 10.20.0.1:8444
 Its key: 1f0e8c6b5a49382716050f4e3d2c1b0a99887766554433221100ffeeddccbbaa

 INSTALLING
 Pairing code 4F7-K2Q
 Works through its steps; the founder's console shows them too.

 [####################] done   Checking what was delivered
 [####################] done   Taking on its name
 [####################] done   Configuring the network
 [####################] done   Setting the time
 [#########...........] 45 %   Preparing the disks
 [....................]        Joining the etcd cluster
 [....................]        Finishing

 | storage: line 28
 | storage: line 29
 | storage: line 30
)";

constexpr const char* kFailed = R"(
 Stratum firstboot 0.6.0                                 node-2, n-2, attempt 2
 ------------------------------------------------------------------------------
 Dell Inc. PowerEdge R650, serial 7XK2M03, host name rack-7
 Intel(R) Xeon(R) Gold 6330, 56 cores, 256.0 GiB of memory
 Disks: nvme0n1 1.92 TB (system), nvme1n1 1.92 TB, sda 4.00 TB
 Founder: 10.20.0.1:8444
 Its key: 1f0e8c6b5a49382716050f4e3d2c1b0a99887766554433221100ffeeddccbbaa

 THE INSTALLATION FAILED
 Pairing code 4F7-K2Q
 Failed at: Preparing the disks
 Error: disk wwn-0x5000c500a1b2c301 holds an ext4 filesystem "olddata" that was
        not there when it was approved; nothing was written
 What to do: On the founder: stratumctl admin joins retry nj-8w2k4m1p (or
             reject)

 [####################] done   Checking what was delivered
 [####################] done   Taking on its name
 [####################] done   Configuring the network
 [####################] done   Setting the time
 [#########...........] FAILED Preparing the disks
 [....................]        Joining the etcd cluster
 [....................]        Finishing

)";

std::string text_of(const std::vector<std::string>& lines) {
    return "\n" + join(lines, "\n") + "\n";
}

bool is_ascii(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

bool shows(const std::vector<std::string>& lines, const std::string& part) {
    return join(lines, "\n").find(part) != std::string::npos;
}

std::vector<JoinProgress> all_examples() {
    return {examples::needs_code(), examples::waiting(), examples::unreachable(),
            examples::installing(), examples::failed()};
}

} // namespace

TEST_GROUP(Draw){};

TEST(Draw, AsksForACode) {
    STRCMP_EQUAL(kNeedsCode, text_of(draw(examples::needs_code(), {}, "2345-67")).c_str());
}

TEST(Draw, ShowsThePairingCodeLarge) {
    STRCMP_EQUAL(kWaiting, text_of(draw(examples::waiting(), {})).c_str());
}

TEST(Draw, CountsDownToTheNextTry) {
    STRCMP_EQUAL(kUnreachable, text_of(draw(examples::unreachable(), {})).c_str());
}

TEST(Draw, ShowsStepsWithTheirProgress) {
    STRCMP_EQUAL(kInstalling, text_of(draw(examples::installing(), {})).c_str());
}

TEST(Draw, ShowsTheErrorAndWhatToDo) {
    STRCMP_EQUAL(kFailed, text_of(draw(examples::failed(), {})).c_str());
}

TEST(Draw, EveryStateFitsAndHasItsHeadline) {
    for (const installer::StateRow& row : installer::join_states()) {
        JoinProgress shown = examples::installing();
        shown.state = row.state;
        const auto lines = draw(shown, {});
        CHECK(lines.size() <= 24);
        CHECK(shows(lines, upper(row.headline)));
    }
}

TEST(Draw, FitsEverySizeAndIsAsciiWithoutUtf8) {
    for (JoinProgress shown : all_examples()) {
        shown.machine.push_back("Ünïcode ⟦室⟧ \x1b[31mred\x07");
        shown.log.push_back("\xff\xfe raw bytes \x1b]0;title\x07");
        for (const int columns : {40, 60, 80, 200}) {
            for (const int rows : {10, 16, 24, 50}) {
                const auto lines = draw(shown, {columns, rows, false});
                CHECK(static_cast<int>(lines.size()) <= rows);
                for (const std::string& line : lines) {
                    CHECK(is_ascii(line));
                    CHECK(static_cast<int>(line.size()) <= columns);
                }
                for (const std::string& line : draw(shown, {columns, rows, true})) {
                    CHECK(columns_of(line) <= columns);
                    CHECK(line.find('\x1b') == std::string::npos);
                    CHECK(line.find('\x07') == std::string::npos);
                    CHECK(is_utf8(line));
                }
            }
        }
    }
}

TEST(Draw, ASmallScreenKeepsTheCodeTheErrorAndWhatToDo) {
    const auto waiting = draw(examples::waiting(), {60, 10, false});
    CHECK(shows(waiting, "4F7-K2Q"));
    CHECK(shows(waiting, "What to do:"));
    const auto failed = draw(examples::failed(), {80, 12, false});
    CHECK(shows(failed, "4F7-K2Q"));
    CHECK(shows(failed, "nothing was written"));
    CHECK(shows(failed, "joins retry nj-8w2k4m1p"));
    CHECK(shows(failed, "FAILED"));
    const auto asking = draw(examples::needs_code(), {40, 10, false}, "2345");
    CHECK(asking.back() == " > 2345");
}

TEST(Draw, AnErrorPagesLongIsCut) {
    JoinProgress shown = examples::failed();
    shown.error.clear();
    for (int at = 0; at < 500; ++at) shown.error += "word ";
    const auto lines = draw(shown, {});
    CHECK(shows(lines, "joins retry"));
    CHECK(shows(lines, "..."));
}

TEST(Draw, NotesAreShownAndTold) {
    JoinProgress shown = examples::waiting();
    shown.notes = {"This machine runs from memory."};
    CHECK(shows(draw(shown, {}), "Note: This machine runs from memory."));
    CHECK(shows(changes({}, shown), "note: This machine runs from memory."));
}

TEST(Draw, AMemberSaysWhoItIsAndWhatItHasApplied) {
    member::MemberStatus status;
    status.node_id = "n-2";
    status.name = "node-2";
    status.founder = "10.20.0.1:8444";
    status.generation_applied = 3;
    status.generation_current = 4;
    status.members = 2;
    status.trouble = "not reached";
    const auto lines = draw(status, {});
    for (const char* part : {"node-2, n-2", "MEMBER", "generation 3, 2 members", "generation 4",
                             "not reached", "10.20.0.1:8444"}) {
        CHECK(shows(lines, part));
    }
}

TEST_GROUP(Letters){};

TEST(Letters, EveryCharacterOfTheAlphabetHasItsOwnShape) {
    std::vector<std::string> shapes;
    for (const char c : std::string("23456789ABCDEFGHJKMNPQRSTVWXYZ-")) {
        std::string shape;
        for (const std::string& row : big_letters(std::string(1, c), "#")) {
            LONGS_EQUAL(kLetterColumns, row.size());
            shape += row;
        }
        CHECK(shape.find('#') != std::string::npos);
        CHECK(std::ranges::find(shapes, shape) == shapes.end());
        shapes.push_back(shape);
    }
    for (const std::string& row : big_letters("4F7-K2Q", "#")) {
        LONGS_EQUAL(big_columns(7), row.size());
    }
}

TEST_GROUP(TextColumns){};

TEST(TextColumns, TakesOutWhatATerminalWouldObey) {
    STRCMP_EQUAL("a?[31mb? c", clean("a\x1b[31mb\x07\tc", false).c_str());
    STRCMP_EQUAL("\"x\" - ...", clean("“x” – …", false).c_str());
    CHECK(clean("ä\xC2\x9B", true).find('\x9B') == std::string::npos); // CSI in one character
}

TEST(TextColumns, CountsAndCutsByColumns) {
    LONGS_EQUAL(4, columns_of("室室"));
    LONGS_EQUAL(2, columns_of("äö"));
    STRCMP_EQUAL("ab~", clip("abcdef", 3).c_str());
    STRCMP_EQUAL("室~", clip("室室室", 4).c_str());
    STRCMP_EQUAL("abc", clip("abc", 3).c_str());
}

TEST(TextColumns, WrapsAtSpacesAndCutsLongWords) {
    const auto lines = wrap("one two three", 8, 2);
    LONGS_EQUAL(2, lines.size());
    STRCMP_EQUAL("one two", lines[0].c_str());
    STRCMP_EQUAL("  three", lines[1].c_str());
    for (const std::string& line : wrap(std::string(100, 'x'), 10, 2)) CHECK(line.size() <= 10);
    CHECK(wrap("", 10, 0).empty());
}

TEST_GROUP(Changes){};

TEST(Changes, TheFirstTimeSaysEverythingOnce) {
    const auto lines = changes({}, examples::waiting());
    CHECK(shows(lines, "== Waiting for approval"));
    CHECK(shows(lines, "PAIRING CODE: 4F7-K2Q"));
    CHECK(shows(lines, "serial 7XK2M03"));
    CHECK(shows(lines, "founder key: 1f0e"));
}

TEST(Changes, NothingNewSaysNothing) {
    CHECK(changes(examples::waiting(), examples::waiting()).empty());
    JoinProgress counting = examples::unreachable();
    JoinProgress later = counting;
    later.retry->seconds_left = 3;
    CHECK(changes(counting, later).empty());
}

TEST(Changes, StepsAreToldWhenTheirStatusChangesAndLogLinesOnce) {
    const JoinProgress before = examples::installing();
    JoinProgress now = before;
    now.steps[4].percent = 80;
    now.log.push_back("storage: line 31");
    now.log.erase(now.log.begin());
    auto lines = changes(before, now);
    LONGS_EQUAL(1, lines.size());
    STRCMP_EQUAL("| storage: line 31", lines[0].c_str());
    now.steps[4].status = link::StepStatus::kDone;
    lines = changes(before, now);
    CHECK(shows(lines, "step storage: done (Preparing the disks)"));
}

TEST(Changes, AMembersTroubleIsToldAndItsEnd) {
    member::MemberStatus before;
    before.node_id = "n-2";
    member::MemberStatus now = before;
    now.trouble = "not reached";
    CHECK(shows(changes(before, now), "error: not reached"));
    CHECK(shows(changes(now, before), "the founder answers"));
}
