// What one approval writes and asks for: counted, not timed, so that it is the same on any machine.
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>

#include "tests/founder/counting_store.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

constexpr std::size_t kWalHeader = 32;
constexpr std::size_t kFrame = 24 + 4096;

// The frames of the write-ahead log that are of its present round: those with its header's salts
// (https://sqlite.org/fileformat2.html, 4.1 and 4.2).
std::size_t frames_of(const std::string& wal) {
    std::ifstream file(wal, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::size_t frames = 0;
    for (std::size_t at = kWalHeader; at + kFrame <= bytes.size(); at += kFrame, ++frames)
        if (bytes.compare(at + 8, 8, bytes, 16, 8) != 0) break;
    return frames;
}

} // namespace

TEST_GROUP(ApprovalCost) {
    World world;
    CountingStore counted{*world.store};
    std::unique_ptr<Founder> founder;
    std::vector<std::string> ids;

    void setup() override {
        auto opened = Founder::open(counted, world.clock, world.files, world.options);
        CHECK_TRUE(opened.has_value());
        founder = std::move(*opened);
    }

    // That many pending joins more, all of the same hardware.
    void pend(int count) {
        for (int i = 0; i < count; ++i) {
            Machine machine(1);
            const auto number = static_cast<std::uint8_t>(ids.size() + 1);
            machine.key = fingerprint_of(number);
            machine.nonce.fill(static_cast<std::uint8_t>(number ^ 0x80));
            ids.push_back(world.pending(machine));
        }
    }

    void approve(std::size_t i) {
        const auto answer = founder->approve(ids[i], approval_body(Machine(1), "node-1"),
                                             {false, std::nullopt, world.admin});
        if (!answer) FAIL(answer.error().detail.c_str());
    }
};

TEST(ApprovalCost, an_approval_writes_few_pages) {
    pend(30);
    const std::string wal = world.folder.path("founder.db-wal");
    std::size_t all = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::size_t before = frames_of(wal);
        approve(i);
        const std::size_t after = frames_of(wal);
        all += after >= before ? after - before : after; // the log may have begun anew
        CHECK_TRUE(world.reject(ids[i]).has_value());
    }
    const std::string told = std::to_string(all) + " pages in 30 approvals";
    CHECK_TEXT(all <= 30 * 10, told.c_str());
}

TEST(ApprovalCost, an_approval_reads_no_more_with_forty_pending_joins_than_with_two) {
    pend(2);
    approve(0);
    counted.reads.clear();
    approve(0); // again
    const auto with_two = counted.reads;
    pend(40);
    counted.reads.clear();
    approve(0);
    for (const auto& [kind, reads] : counted.reads) {
        const std::string told = "kind " + std::to_string(static_cast<int>(kind));
        LONGS_EQUAL_TEXT(with_two.at(kind), reads, told.c_str());
    }
    CHECK_TRUE(with_two.at(Kind::kJoin) >= 1);
}

TEST(ApprovalCost, an_inventory_is_read_once_and_no_other_unless_it_is_copied_from) {
    pend(1);
    counted.reads.clear();
    approve(0);
    LONGS_EQUAL(1, counted.reads[Kind::kInventory]);
}

} // namespace stratum::founder
