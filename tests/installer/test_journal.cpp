#include "installer/journal.hpp"
#include "tests/fakes/fake_files.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;

namespace {

constexpr const char* kPath = "/state/journal.json";

link::Step step(const std::string& name, link::StepStatus status) {
    link::Step one;
    one.name = name;
    one.title = "Title of " + name;
    one.status = status;
    one.percent = 40;
    one.started_at = 1'800'000'000;
    return one;
}

} // namespace

TEST_GROUP(Journal) {
    fakes::FakeFiles files;
    void setup() override {
        (void)files.make_folder("/state");
    }
    Journal open() {
        auto journal = Journal::open(files, kPath);
        CHECK(journal.has_value());
        return *journal;
    }
};

TEST(Journal, AMissingFileIsAnEmptyJournal) {
    CHECK(open().state() == JournalState{});
    CHECK(!open().is_done("verify"));
}

TEST(Journal, WhatWasNotedIsThereAfterARestart) {
    Journal journal = open();
    CHECK(journal.begin("nj-8w2k4m1p", 1, "aa").has_value());
    CHECK(journal.set_step(step("verify", link::StepStatus::kDone)).has_value());
    CHECK(journal.set_step(step("join/etcd", link::StepStatus::kRunning)).has_value());
    CHECK(journal.set_disk({"wwn-1", "plan", false}).has_value());
    Journal again = open();
    CHECK(again.state() == journal.state());
    CHECK(again.is_done("verify"));
    CHECK(!again.is_done("join/etcd"));
    CHECK(!again.state().disks.at("wwn-1").finished);
    LONGS_EQUAL(0600, *files.mode(kPath));
}

TEST(Journal, GoingOnWithTheSameKeepsTheSteps) {
    Journal journal = open();
    CHECK(journal.begin("nj-8w2k4m1p", 1, "aa").has_value());
    CHECK(journal.set_step(step("verify", link::StepStatus::kDone)).has_value());
    CHECK(journal.begin("nj-8w2k4m1p", 1, "aa").has_value());
    CHECK(journal.is_done("verify"));
}

TEST(Journal, AnotherAttemptOrNodeYamlClearsTheStepsButNotTheDiskMarks) {
    for (const auto& [attempt, hash] : {std::pair{2, "aa"}, std::pair{1, "bb"}}) {
        Journal journal = open();
        CHECK(journal.begin("nj-8w2k4m1p", 1, "aa").has_value());
        CHECK(journal.set_step(step("verify", link::StepStatus::kDone)).has_value());
        CHECK(journal.set_disk({"wwn-1", "plan", true}).has_value());
        CHECK(journal.begin("nj-8w2k4m1p", attempt, hash).has_value());
        CHECK(!journal.is_done("verify"));
        LONGS_EQUAL(1, journal.state().disks.size());
    }
}

TEST(Journal, AnotherJoinClearsTheDiskMarksToo) {
    Journal journal = open();
    CHECK(journal.begin("nj-8w2k4m1p", 1, "aa").has_value());
    CHECK(journal.set_disk({"wwn-1", "plan", true}).has_value());
    CHECK(journal.begin("nj-aaaaaaaa", 1, "aa").has_value());
    CHECK(journal.state().disks.empty());
}

TEST(Journal, WhatCouldNotBeStoredHasNotHappened) {
    Journal journal = open();
    CHECK(journal.begin("nj-8w2k4m1p", 1, "aa").has_value());
    files.fail_change(1);
    CHECK(!journal.set_step(step("verify", link::StepStatus::kDone)).has_value());
    CHECK(!journal.is_done("verify"));
    files.fail_change(1);
    CHECK(!journal.set_disk({"wwn-1", "plan", true}).has_value());
    CHECK(journal.state().disks.empty());
    CHECK(journal.set_step(step("verify", link::StepStatus::kDone)).has_value());
    CHECK(open().is_done("verify"));
}

TEST(Journal, ADamagedFileIsAnErrorAndNeverAnEmptyJournal) {
    Journal journal = open();
    CHECK(journal.begin("nj-8w2k4m1p", 1, "aa").has_value());
    CHECK(journal.set_disk({"wwn-1", "plan", true}).has_value());
    const std::string text = *files.content(kPath);
    for (const std::string& bad :
         {std::string(), text.substr(0, text.size() - 5), std::string("{}"),
          std::string(R"({"version":2,"joinId":"nj-8w2k4m1p","attempt":1,"nodeYamlSha256":"a",)"
                      R"("steps":[],"disks":[]})"),
          std::string(R"({"version":1,"joinId":"nj-8w2k4m1p","attempt":1,"nodeYamlSha256":"a",)"
                      R"("steps":[],"disks":[{"key":"wwn-1","plan":"p"}]})")}) {
        files.put(kPath, bad);
        const auto opened = Journal::open(files, kPath);
        CHECK(!opened);
        CHECK(opened.error().code == ErrorCode::kInvalid);
    }
}

TEST(Journal, AJoinStepDoneFromTheSameBundleStaysDoneInTheNextAttempt) {
    Journal journal = open();
    CHECK(journal.begin("nj-8w2k4m1p", 1, "aa", "tar").has_value());
    CHECK(journal.set_step(step("storage", link::StepStatus::kDone)).has_value());
    CHECK(journal.set_step(step("join/etcd", link::StepStatus::kDone)).has_value());
    CHECK(journal.set_step(step("join/ceph", link::StepStatus::kFailed)).has_value());
    CHECK(journal.begin("nj-8w2k4m1p", 2, "bb", "tar").has_value());
    Journal again = open();
    CHECK(again.is_done("join/etcd"));
    CHECK(!again.is_done("storage"));
    LONGS_EQUAL(1, again.state().steps.size());
}

TEST(Journal, AJoinStepOfAnotherBundleOrJoinIsNotDone) {
    for (const auto& [join_id, bundle] :
         {std::pair{"nj-8w2k4m1p", "other"}, std::pair{"nj-aaaaaaaa", "tar"},
          std::pair{"nj-8w2k4m1p", ""}}) {
        Journal journal = open();
        CHECK(journal.begin("nj-8w2k4m1p", 1, "aa", "tar").has_value());
        CHECK(journal.set_step(step("join/etcd", link::StepStatus::kDone)).has_value());
        CHECK(journal.begin(join_id, 2, "bb", bundle).has_value());
        CHECK(!journal.is_done("join/etcd"));
    }
}
