#include "common/base/files.hpp"

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <CppUTest/TestHarness.h>

using namespace stratum;

TEST_GROUP(SystemFiles) {
    Files& files = system_files();
    std::string folder;

    void setup() override {
        char shape[] = "/tmp/stratum-files-XXXXXX";
        CHECK(mkdtemp(shape) != nullptr);
        folder = shape;
    }
    void teardown() override {
        const std::string command = "rm -rf " + folder;
        CHECK_EQUAL(0, std::system(command.c_str()));
    }
    std::string at(const std::string& name) const {
        return folder + "/" + name;
    }
    unsigned mode_of(const std::string& path) {
        struct stat found {};
        CHECK_EQUAL(0, stat(path.c_str(), &found));
        return found.st_mode & 07777;
    }
    int entries() {
        const std::string command = "test $(ls -A " + folder + " | wc -l) -eq ";
        for (int n = 0; n < 20; ++n) {
            if (std::system((command + std::to_string(n)).c_str()) == 0) return n;
        }
        return -1;
    }
};

TEST(SystemFiles, WhatIsWrittenIsRead) {
    const std::string content("a\0b\xff\n", 5);
    CHECK(files.write(at("f"), content).has_value());
    CHECK(files.read(at("f")) == content);
    CHECK(files.write(at("f"), "").has_value());
    CHECK(files.read(at("f")) == std::string());
    const std::string large(3 << 20, 'x');
    CHECK(files.write(at("f"), large).has_value());
    CHECK(files.read(at("f")) == large);
    CHECK_EQUAL(1, entries());
}

TEST(SystemFiles, WritingReplacesTheFileAndNotItsContent) {
    CHECK(files.write(at("f"), "old").has_value());
    const int old = open(at("f").c_str(), O_RDONLY | O_CLOEXEC);
    CHECK(files.write(at("f"), "new").has_value());
    char byte = 0;
    CHECK_EQUAL(1, ::read(old, &byte, 1));
    CHECK_EQUAL('o', byte);
    close(old);
}

TEST(SystemFiles, TheModeIsExactlyAsAskedWhateverTheUmask) {
    const mode_t before = umask(0077);
    CHECK(files.write(at("open"), "x", 0644).has_value());
    umask(0);
    CHECK(files.write(at("secret"), "x", 0600).has_value());
    CHECK(files.make_folder(at("d"), 0700).has_value());
    umask(before);
    CHECK_EQUAL(0644u, mode_of(at("open")));
    CHECK_EQUAL(0600u, mode_of(at("secret")));
    CHECK_EQUAL(0700u, mode_of(at("d")));
}

TEST(SystemFiles, AFailedWriteLeavesNothingBehind) {
    CHECK(files.write(at("gone/f"), "x").error().code == ErrorCode::kNotFound);
    CHECK(files.make_folder(at("d")).has_value());
    CHECK(files.write(at("d"), "x").error().code == ErrorCode::kInvalid);
    CHECK(files.write(at(std::string(300, 'n')), "x").error().code == ErrorCode::kInvalid);
    CHECK_FALSE(files.write("", "x").has_value());
    CHECK_EQUAL(1, entries());
    STRCMP_CONTAINS(("writing " + at("gone/f") + ": ").c_str(),
                    files.write(at("gone/f"), "x").error().message.c_str());
}

TEST(SystemFiles, ALongNameThatTheDiskTakesCanBeWritten) {
    CHECK(files.write(at(std::string(255, 'n')), "x").has_value());
}

TEST(SystemFiles, WritingReplacesASymbolicLinkAndNotItsTarget) {
    CHECK(files.write(at("target"), "safe").has_value());
    CHECK_EQUAL(0, symlink("target", at("link").c_str()));
    CHECK(files.write(at("link"), "new").has_value());
    CHECK(files.read(at("target")) == "safe");
    CHECK(files.read(at("link")) == "new");
}

TEST(SystemFiles, ReadingSaysWhyItCannot) {
    CHECK(files.read(at("gone")).error().code == ErrorCode::kNotFound);
    CHECK(files.read(folder).error().code == ErrorCode::kInvalid);
    CHECK(files.read(at("gone/below")).error().code == ErrorCode::kNotFound);
    CHECK_EQUAL(0, mkfifo(at("fifo").c_str(), 0600));
    CHECK(files.read(at("fifo")).error().code == ErrorCode::kInvalid); // and does not wait
    CHECK(files.read("/dev/null").error().code == ErrorCode::kInvalid);
}

TEST(SystemFiles, ReadingHasALimit) {
    CHECK(files.write(at("f"), "12345").has_value());
    CHECK(files.read(at("f"), 5).has_value());
    CHECK(files.read(at("f"), 4).error().code == ErrorCode::kTooLarge);
}

TEST(SystemFiles, FilesOfTheKernelAreReadToTheirEnd) {
    CHECK(files.read("/proc/self/status")->find("Pid:") != std::string::npos);
}

TEST(SystemFiles, RemovingIsDoneOnceAndFine) {
    CHECK(files.write(at("f"), "x").has_value());
    CHECK(files.exists(at("f")));
    CHECK(files.remove(at("f")).has_value());
    CHECK_FALSE(files.exists(at("f")));
    CHECK(files.remove(at("f")).has_value());
    CHECK(files.remove(at("gone/below")).has_value());
}

TEST(SystemFiles, OnlyAnEmptyFolderIsRemoved) {
    CHECK(files.make_folder(at("d/e")).has_value());
    CHECK(files.remove(at("d")).error().code == ErrorCode::kConflict);
    CHECK(files.remove(at("d/e/")).has_value());
    CHECK(files.remove(at("d")).has_value());
    CHECK_EQUAL(0, entries());
}

TEST(SystemFiles, FoldersAreMadeWithTheirParents) {
    CHECK(files.make_folder(at("a/b/c"), 0700).has_value());
    CHECK_EQUAL(0755u, mode_of(at("a")));
    CHECK_EQUAL(0700u, mode_of(at("a/b/c")));
    CHECK(files.make_folder(at("a/b/c/"), 0755).has_value());
    CHECK_EQUAL(0700u, mode_of(at("a/b/c"))); // keeps its mode
    CHECK(files.write(at("f"), "x").has_value());
    CHECK_FALSE(files.make_folder(at("f")).has_value());
    CHECK_FALSE(files.make_folder(at("f/d")).has_value());
}

TEST(SystemFiles, ListsInByteOrderWithoutItsOwnTemporaries) {
    for (const char* name : {"b", "B", "a10", "a9", ".hidden", ".stratum-00.tmp"}) {
        CHECK(files.write(at(name), "x").has_value());
    }
    CHECK(files.list(folder) == (std::vector<std::string>{".hidden", "B", "a10", "a9", "b"}));
    CHECK(files.list(at("gone")).error().code == ErrorCode::kNotFound);
    CHECK(files.list(at("b")).error().code == ErrorCode::kNotFound);
}

TEST(SystemFiles, ReadersSeeOneOfTheWholeFilesWhileWritersReplaceIt) {
    const std::string one(20'000, '1');
    const std::string two(20'000, '2');
    CHECK(files.write(at("f"), one).has_value());
    std::atomic<int> torn = 0;
    std::thread writer_a([&] {
        for (int i = 0; i < 50; ++i) (void)files.write(at("f"), one);
    });
    std::thread writer_b([&] {
        for (int i = 0; i < 50; ++i) (void)files.write(at("f"), two);
    });
    for (int i = 0; i < 200; ++i) {
        const auto content = files.read(at("f"));
        if (content != one && content != two) ++torn;
    }
    writer_a.join();
    writer_b.join();
    CHECK_EQUAL(0, torn.load());
    CHECK_EQUAL(1, entries());
}
