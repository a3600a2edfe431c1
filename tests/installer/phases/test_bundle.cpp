// The bundle: archives of a real tar and of somebody hostile, unpacking that is cut off, and steps
// that end in every way.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "installer/phases/tar_reader.hpp"
#include "tests/fakes/temp_folder.hpp"
#include "tests/installer/phases/net_world.hpp"

#include <CppUTest/TestHarness.h>

#include "tests/installer/phases/checks.hpp"

using namespace stratum;
using namespace stratum::installer;
using fakes::Crash;
using fakes::NetWorld;

namespace {

void put_octal(std::string& header, std::size_t at, std::size_t digits, std::uint64_t value) {
    for (std::size_t i = 0; i < digits; ++i) {
        header[at + digits - 1 - i] = static_cast<char>('0' + (value & 7));
        value >>= 3;
    }
}

struct Entry {
    std::string path, content;
    char type = '0';
    unsigned mode = 0644;
};

std::string block_of(const Entry& entry) {
    std::string header(512, '\0');
    header.replace(0, std::min<std::size_t>(entry.path.size(), 100), entry.path.substr(0, 100));
    put_octal(header, 100, 7, entry.mode);
    put_octal(header, 124, 11, entry.content.size());
    header[156] = entry.type;
    header.replace(257, 6, std::string("ustar\0", 6));
    header.replace(263, 2, "00");
    std::uint64_t sum = 8 * ' ';
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put_octal(header, 148, 6, sum);
    header[155] = ' ';
    std::string body = entry.content;
    body.resize((body.size() + 511) / 512 * 512, '\0');
    return header + body;
}

std::string tar_of(const std::vector<Entry>& entries) {
    std::string tar;
    for (const Entry& entry : entries) tar += block_of(entry);
    return tar + std::string(1024, '\0');
}

std::string bundle_of(const std::string& steps, const std::string& secrets = "[]") {
    return tar_of(
        {{"bundle.json", R"({"version":1,"steps":[)" + steps + R"(],"secrets":)" + secrets + "}"},
         {"files/join.sh", "#!/bin/sh\n", '0', 0755},
         {"files/token", "hunter2-hunter2", '0', 0644}});
}

std::string step_json(const std::string& name, const std::string& argv,
                      const std::string& more = {}) {
    return R"({"name":")" + name + R"(","argv":)" + argv + more + "}";
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

TEST_GROUP(TarReader){};

TEST(TarReader, ReadsWhatARealTarWrote) {
    fakes::TempFolder folder;
    std::filesystem::create_directories(folder.path("b/files/deep"));
    const std::string long_name = "files/deep/" + std::string(90, 'n');
    std::ofstream(folder.path("b/bundle.json")) << "{}";
    std::ofstream(folder.path("b/files/run.sh")) << "#!/bin/sh\n";
    std::ofstream(folder.path("b/" + long_name)) << std::string(70'000, 'z');
    std::ofstream(folder.path("b/files/empty")) << "";
    std::filesystem::permissions(folder.path("b/files/run.sh"), std::filesystem::perms(0755));
    Command command;
    command.argv = {"tar", "--format=ustar",     "-C",          folder.path("b"),
                    "-cf", folder.path("b.tar"), "bundle.json", "files"};
    const auto finished = system_processes().run(command);
    CHECK_OK(require_ok(command, finished));
    const auto files = read_tar(read_file(folder.path("b.tar")));
    CHECK_OK(files);
    LONGS_EQUAL(4, files->size());
    for (const TarFile& file : *files) {
        if (file.path == "files/run.sh") LONGS_EQUAL(0755, file.mode);
        if (file.path == long_name) LONGS_EQUAL(70'000, file.content.size());
        CHECK_EQUAL(read_file(folder.path("b/" + file.path)), file.content);
    }
}

TEST(TarReader, PathsThatLeaveTheFolderAreRefused) {
    for (const char* path : {"../x", "a/../../x", "/etc/passwd", "a//b", "./a", "a/.", "", "a/"}) {
        CHECK_REFUSED(read_tar(tar_of({{path, "x"}})), "does not stay inside");
    }
    CHECK_OK(read_tar(tar_of({{"a/..b/...", "x"}})));
}

TEST(TarReader, LinksDevicesAndOddEntriesAreRefused) {
    for (const char type : {'1', '2', '3', '4', '6', '7', 'x', 'g', 'L', 'K', 'S', 'Z'}) {
        CHECK_REFUSED(read_tar(tar_of({{"a", "", type}})), "is neither a file nor a folder");
    }
    CHECK_OK(read_tar(tar_of({{"folder", "", '5'}, {"folder/a", "x"}})));
}

TEST(TarReader, OneNameTwiceIsRefused) {
    CHECK_REFUSED(read_tar(tar_of({{"a", "x"}, {"b", "y"}, {"a", "z"}})), "is there twice");
}

TEST(TarReader, AWrongByteInAHeaderIsRefused) {
    const auto good = tar_of({{"a", "x"}});
    for (const std::size_t at : {0u, 50u, 101u, 130u, 150u, 156u, 260u, 400u}) {
        auto bad = good;
        bad[at] = static_cast<char>(bad[at] + 1);
        CHECK(!read_tar(bad));
    }
    CHECK_OK(read_tar(good));
}

TEST(TarReader, AnArchiveThatEndsAnywhereBeforeItsEndIsRefused) {
    const auto good = tar_of({{"a", std::string(1000, 'x')}, {"b", "y"}});
    const std::size_t end_mark = good.size() - 1024;
    for (std::size_t size = 0; size < end_mark + 512; size += 37) {
        CHECK(!read_tar(good.substr(0, size)));
    }
    CHECK_OK(read_tar(good.substr(0, end_mark + 512)));
}

TEST(TarReader, SizesThatAreNoNumbersOrTooLargeAreRefused) {
    for (const std::string size : {"7777777777777", "00000000x00", "-0000000001", "           "}) {
        auto tar = tar_of({{"a", "x"}});
        tar.replace(124, 11, size.substr(0, 11));
        std::uint64_t sum = 8 * ' ';
        for (std::size_t i = 0; i < 512; ++i) {
            if (i < 148 || i >= 156) sum += static_cast<unsigned char>(tar[i]);
        }
        put_octal(tar, 148, 6, sum);
        CHECK(!read_tar(tar));
    }
    CHECK(!read_tar(std::string(512, '\xff')));
}

TEST_GROUP(Bundle) {
    NetWorld world;
    Result<std::vector<JoinStep>> open() {
        auto journal = world.open_journal();
        auto context = world.context(journal);
        return open_bundle(context);
    }
    std::string place() {
        return "/state/bundle-" + to_hex(sha256(bytes_of(world.tar)));
    }
    Status run_step(const JoinStep& step) {
        auto journal = world.open_journal();
        auto context = world.context(journal);
        return run_join_step(context, step);
    }
    bool was_logged(const std::string& line) {
        return std::find(world.log.begin(), world.log.end(), line) != world.log.end();
    }
};

TEST(Bundle, NoBundleHasNoSteps) {
    LONGS_EQUAL(0, open()->size());
    const auto paths = world.files.paths();
    CHECK(std::none_of(paths.begin(), paths.end(),
                       [](const auto& path) { return path.starts_with("/state/bundle"); }));
}

TEST(Bundle, StepsComeInOrderWithTheirLimits) {
    world.tar = bundle_of(step_json("etcd", R"(["./files/join.sh","--now"])",
                                    R"(,"title":"Joining etcd","timeoutSeconds":30)") +
                          "," + step_json("second", R"(["true"])"));
    const auto steps = open();
    CHECK_OK(steps);
    LONGS_EQUAL(2, steps->size());
    STRCMP_EQUAL("etcd", steps->at(0).name.c_str());
    STRCMP_EQUAL("Joining etcd", steps->at(0).title.c_str());
    LONGS_EQUAL(30'000, steps->at(0).timeout_ms);
    LONGS_EQUAL(600'000, steps->at(1).timeout_ms);
}

TEST(Bundle, SecretsAreForTheOwnerAlone) {
    world.tar = bundle_of(step_json("a", R"(["true"])"), R"(["files/token"])");
    CHECK_OK(open());
    LONGS_EQUAL(0600, *world.files.mode(place() + "/files/token"));
    LONGS_EQUAL(0755, *world.files.mode(place() + "/files/join.sh"));
    LONGS_EQUAL(0644, *world.files.mode(place() + "/bundle.json"));
    LONGS_EQUAL(0700, *world.files.mode(place()));
}

TEST(Bundle, AnIndexThatIsWrongIsRefusedBeforeAnythingIsUnpacked) {
    const auto with_index = [](const std::string& index) {
        return tar_of({{"bundle.json", index}});
    };
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {tar_of({{"a", "x"}}), "has no bundle.json"},
        {with_index("{"), "bundle.json"},
        {with_index(R"({"version":2,"steps":[]})"), "version"},
        {with_index(R"({"version":1,"steps":[{"name":"a"}]})"), "argv"},
        {with_index(R"({"version":1,"steps":[{"name":"a","argv":[]}]})"), "argv"},
        {with_index(R"({"version":1,"steps":[{"argv":["true"]}]})"), "name"},
        {with_index(R"({"version":1,"steps":[{"name":"../a","argv":["true"]}]})"), "plain name"},
        {with_index(R"({"version":1,"steps":[{"name":"a","argv":["x"],"timeoutSeconds":0}]})"),
         "timeoutSeconds"},
        {bundle_of(step_json("a", R"(["x"])") + "," + step_json("a", R"(["y"])")), "two steps"},
    };
    for (const auto& [tar, words] : wrong) {
        world.tar = tar;
        CHECK_REFUSED(open(), words.c_str());
        CHECK(!world.files.exists(place()));
    }
}

TEST(Bundle, AFolderThatIsWholeIsNotUnpackedAgain) {
    world.tar = bundle_of(step_json("a", R"(["true"])"));
    CHECK_OK(open());
    const int before = world.files.changes();
    CHECK_OK(open());
    LONGS_EQUAL(before, world.files.changes());
}

TEST(Bundle, UnpackingThatIsCutOffAnywhereIsDoneAnew) {
    for (int n = 1; n < 50; ++n) {
        for (const bool after : {false, true}) {
            NetWorld cut;
            cut.tar = bundle_of(step_json("a", R"(["true"])"), R"(["files/token"])");
            auto journal = cut.open_journal();
            auto context = cut.context(journal);
            after ? cut.files.crash_after_change(n) : cut.files.crash_before_change(n);
            try {
                CHECK_OK(open_bundle(context));
                CHECK(n > 5);
                return;
            } catch (const Crash&) {
            }
            CHECK_OK(open_bundle(context));
            const std::string folder = "/state/bundle-" + to_hex(sha256(bytes_of(cut.tar)));
            STRCMP_EQUAL("hunter2-hunter2", cut.files.content(folder + "/files/token")->c_str());
            LONGS_EQUAL(0600, *cut.files.mode(folder + "/files/token"));
            CHECK(cut.files.content(folder + "/files/join.sh").has_value());
        }
    }
}

TEST(Bundle, AFileOfTheBundleCannotStandForTheMarkThatAllIsThere) {
    world.tar =
        tar_of({{".whole", ""}, {"bundle.json", R"({"version":1,"steps":[]})"}, {"files/a", "x"}});
    world.files.crash_before_change(4);
    try {
        (void)open();
        FAIL("no crash");
    } catch (const Crash&) {
    }
    CHECK_OK(open());
    CHECK(world.files.content(place() + "/files/a").has_value());
}

TEST(Bundle, ADiskThatFailsWhileUnpackingIsAFailure) {
    world.tar = bundle_of(step_json("a", R"(["true"])"));
    auto journal = world.open_journal();
    auto context = world.context(journal);
    world.files.fail_change(3);
    CHECK_REFUSED(open_bundle(context), "failed as planned");
    CHECK_OK(open_bundle(context));
}

TEST(Bundle, AStepIsRunAsGivenInItsFolderWithTheNodesFacts) {
    world.node = fakes::bonded_node();
    world.tar = bundle_of(step_json("a", R"(["true"])"));
    CHECK_OK(open());
    world.processes.on({"./files/join.sh"}, "hello\nworld\n");
    CHECK_OK(run_step({"a", "", {"./files/join.sh", "x y"}, 30'000}));
    const Command call = world.processes.calls().back();
    CHECK(call.argv == (std::vector<std::string>{"./files/join.sh", "x y"}));
    LONGS_EQUAL(30'000, call.timeout_ms);
    STRCMP_EQUAL(place().c_str(), call.working_folder.c_str());
    STRCMP_EQUAL("/etc/stratum/node.yaml", call.environment.at("STRATUM_NODE_YAML").c_str());
    STRCMP_EQUAL("10.20.0.11", call.environment.at("STRATUM_MGMT_ADDRESS").c_str());
    STRCMP_EQUAL("node-2", call.environment.at("STRATUM_NAME").c_str());
    CHECK(was_logged("hello"));
    CHECK(was_logged("world"));
}

TEST(Bundle, AStepThatEndsWithOneFailsWithItsLastWords) {
    world.processes.on({"step"}, "working\n", 1, "no such cluster\n");
    CHECK_REFUSED(run_step({"a", "", {"step"}, 1000}), "no such cluster");
    CHECK(was_logged("working"));
}

TEST(Bundle, WhatAStepSaysOfASecretIsNotToldOn) {
    world.tar = bundle_of(step_json("a", R"(["true"])"), R"(["files/token"])");
    world.processes.on({"step"}, "using hunter2-hunter2 now\nhunter\n", 1,
                       "bad token hunter2-hunter2\n");
    const auto status = run_step({"a", "", {"step"}, 1000});
    CHECK_REFUSED(status, "bad token (secret)");
    CHECK(was_logged("using (secret) now"));
    CHECK(was_logged("hunter"));
    for (const auto& line : world.log) CHECK(line.find("hunter2") == std::string::npos);
    world.tar = bundle_of(step_json("a", R"(["true"])"));
    CHECK_REFUSED(run_step({"a", "", {"step"}, 1000}), "bad token hunter2-hunter2");
}

TEST(Bundle, AStepThatDoesNotEndInTimeFails) {
    world.processes.times_out({"step"});
    CHECK(!run_step({"a", "", {"step"}, 1000}));
}

TEST(Bundle, AStepThatIsNotThereFails) {
    CHECK_REFUSED(run_step({"a", "", {"step"}, 1000}), "step");
}

TEST(Bundle, ARealStepThatPrintsMuchIsLoggedWholeAndOneThatHangsIsEnded) {
    fakes::TempFolder folder;
    auto journal = world.open_journal();
    auto context = world.context(journal);
    PhaseContext real{.node = world.node,
                      .node_yaml = world.yaml,
                      .bundle_tar = world.tar,
                      .state_folder = folder.path(),
                      .files = system_files(),
                      .processes = system_processes(),
                      .clock = world.clock,
                      .journal = journal,
                      .look = {},
                      .founder_reachable = {},
                      .sleep_ms = {},
                      .percent = {},
                      .log = context.log};
    world.tar = tar_of(
        {{"bundle.json", R"({"version":1,"steps":[],"secrets":["token"]})"},
         {"token", "hunter2-hunter2"},
         {"much.sh", "#!/bin/sh\ni=0\nwhile [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done\n",
          '0', 0755}});
    CHECK_OK(open_bundle(real));
    CHECK_OK(run_join_step(real, {"much", "", {"./much.sh"}, 30'000}));
    LONGS_EQUAL(20'000, world.log.size());
    STRCMP_EQUAL("line 19999", world.log.back().c_str());
    CHECK(!run_join_step(real, {"hang", "", {"sleep", "60"}, 300}));
    const auto token = real.state_folder + "/bundle-" + to_hex(sha256(bytes_of(world.tar)));
    const auto perms = std::filesystem::status(token + "/token").permissions();
    LONGS_EQUAL(0600, static_cast<unsigned>(perms));
}

TEST_GROUP(ForgetUnpacked) {
    fakes::FakeFiles files;
};

TEST(ForgetUnpacked, every_bundle_goes_and_nothing_else) {
    files.put("/state/bundle-aa/files/deep/secret", "s3cret", 0600);
    files.put("/state/bundle-aa/bundle.json", "{}");
    files.put("/state/bundle-aa.whole", "");
    files.put("/state/bundle-bb/bundle.json", "{}");
    files.put("/state/client.pem", "key", 0600);
    CHECK(forget_unpacked(files, "/state").has_value());
    const std::vector<std::string> left = files.paths();
    LONGS_EQUAL(1, left.size());
    STRCMP_EQUAL("/state/client.pem", left.front().c_str());
}

TEST(ForgetUnpacked, cut_off_anywhere_no_half_bundle_passes_for_whole) {
    for (int n = 1; n <= 6; ++n) {
        fakes::FakeFiles cut;
        cut.put("/state/bundle-aa/files/secret", "s3cret", 0600);
        cut.put("/state/bundle-aa/bundle.json", "{}");
        cut.put("/state/bundle-aa.whole", "");
        cut.crash_after_change(n);
        try {
            CHECK(forget_unpacked(cut, "/state").has_value());
        } catch (const Crash&) {
            CHECK(!cut.exists("/state/bundle-aa.whole"));
        }
        CHECK(forget_unpacked(cut, "/state").has_value());
        LONGS_EQUAL(0, cut.paths().size());
    }
}

TEST(ForgetUnpacked, what_cannot_be_removed_is_said) {
    files.put("/state/bundle-aa/bundle.json", "{}");
    files.fail_change(1, ErrorCode::kDenied);
    const auto gone = forget_unpacked(files, "/state");
    CHECK(!gone.has_value());
}
