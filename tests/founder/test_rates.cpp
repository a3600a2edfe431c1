// Rates: who is slowed down, who is not, and that a restart does not help.

#include "founder/rates.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(Rates) {
    World world;
    Machine machine{1};

    // A registration whose code is not there.
    std::string wrong(const std::string& address) {
        Machine from = machine;
        from.address = address;
        return code_of(world.register_with(from, link::JoinCode::generate()));
    }
};

TEST(Rates, a_bucket_gives_its_burst_and_then_what_comes_back) {
    constexpr Rate kRate{"test", 3, 500};
    BucketRecord bucket;
    for (int i = 0; i < 3; ++i) LONGS_EQUAL(0, take_one(kRate, bucket, 1000));
    LONGS_EQUAL(2, take_one(kRate, bucket, 1000));
    LONGS_EQUAL(1, take_one(kRate, bucket, 1001));
    LONGS_EQUAL(0, take_one(kRate, bucket, 1002));
    LONGS_EQUAL(2, take_one(kRate, bucket, 1002));
    LONGS_EQUAL(3000, refilled(kRate, bucket, 2000).left_milli);
}

TEST(Rates, a_clock_that_goes_back_gives_nothing_and_holds_nobody_for_ever) {
    constexpr Rate kRate{"test", 1, 1000};
    BucketRecord bucket;
    LONGS_EQUAL(0, take_one(kRate, bucket, 1'000'000));
    LONGS_EQUAL(1, take_one(kRate, bucket, 10));
    LONGS_EQUAL(0, take_one(kRate, bucket, 11));
}

TEST(Rates, an_ipv6_address_is_counted_by_what_one_machine_can_have) {
    STRCMP_EQUAL("address/10.0.0.1", bucket_id(kAddressRate, "10.0.0.1").c_str());
    STRCMP_EQUAL("address/2001:db8:1:2::/64",
                 bucket_id(kAddressRate, "2001:db8:1:2:3:4:5:6").c_str());
    STRCMP_EQUAL("address/fe80::1%eth_", bucket_id(kAddressRate, "fe80::1%eth ").c_str());
}

TEST(Rates, wrong_codes_of_one_address_are_slowed_down_and_others_are_not) {
    for (int i = 0; i < 20; ++i) STRCMP_EQUAL("JOIN_CODE_INVALID", wrong("10.0.0.1").c_str());
    STRCMP_EQUAL("TOO_MANY_REQUESTS", wrong("10.0.0.1").c_str());
    STRCMP_EQUAL("JOIN_CODE_INVALID", wrong("10.0.0.2").c_str());
    world.clock.advance_ms(5000); // one in five seconds comes back
    STRCMP_EQUAL("JOIN_CODE_INVALID", wrong("10.0.0.1").c_str());
    STRCMP_EQUAL("TOO_MANY_REQUESTS", wrong("10.0.0.1").c_str());
    LONGS_EQUAL(22, *world.founder->wrong_join_codes());
}

TEST(Rates, the_slowed_down_learn_nothing_of_a_code_that_holds) {
    for (int i = 0; i < 20; ++i) wrong(machine.address);
    const auto refused = world.register_with(machine, world.code());
    STRCMP_EQUAL("TOO_MANY_REQUESTS", code_of(refused).c_str());
    STRCMP_EQUAL("Retry-After", refused.error().headers.front().first.c_str());
    STRCMP_EQUAL("5", refused.error().headers.front().second.c_str());
}

TEST(Rates, wrong_codes_are_remembered_over_a_restart) {
    for (int i = 0; i < 20; ++i) wrong("10.0.0.1");
    world.restart();
    STRCMP_EQUAL("TOO_MANY_REQUESTS", wrong("10.0.0.1").c_str());
    LONGS_EQUAL(20, *world.founder->wrong_join_codes());
}

TEST(Rates, a_known_key_that_comes_back_without_a_code_is_not_held_up) {
    world.pending(machine);
    for (int i = 0; i < 25; ++i) {
        Machine other(2);
        other.address = machine.address;
        world.register_with(other, link::JoinCode::generate());
    }
    CHECK_TRUE(world.register_with(machine, std::nullopt).has_value());
}

TEST(Rates, one_code_takes_only_so_many_at_once) {
    const link::JoinCode code = world.code(100);
    int taken = 0;
    Machine other(2);
    for (int i = 0; i < 201; ++i) {
        other.nonce.fill(static_cast<std::uint8_t>(i));
        Node body = world.registration(other, code);
        body.set("codeProof", std::string(64, '0')); // so that nothing is made
        other.address = "10.1." + std::to_string(i) + ".1";
        if (code_of(world.register_raw(other, body)) == "JOIN_CODE_INVALID") ++taken;
    }
    LONGS_EQUAL(200, taken);
    world.clock.advance_ms(1000);
    other.address = "10.2.0.1";
    CHECK_TRUE(world.register_with(other, code).has_value());
}

TEST(Rates, requests_of_one_address_are_bounded_and_survive_a_restart) {
    for (int i = 0; i < 2000; ++i) CHECK_TRUE(world.founder->count_request("10.0.0.1").has_value());
    STRCMP_EQUAL("TOO_MANY_REQUESTS", code_of(world.founder->count_request("10.0.0.1")).c_str());
    CHECK_TRUE(world.founder->count_request("10.0.0.2").has_value());
    world.tick(); // writes them down
    world.restart();
    STRCMP_EQUAL("TOO_MANY_REQUESTS", code_of(world.founder->count_request("10.0.0.1")).c_str());
    world.clock.advance_ms(1000);
    CHECK_TRUE(world.founder->count_request("10.0.0.1").has_value());
}

TEST(Rates, a_founder_that_is_killed_forgets_no_guess) {
    // Not once is there time to write anything down.
    for (int i = 0; i < 300; ++i) {
        CHECK_TRUE(world.founder->count_wrong_token("10.0.0.1").has_value());
        if (i % 100 == 99) world.restart();
    }
    STRCMP_EQUAL("TOO_MANY_REQUESTS",
                 code_of(world.founder->count_wrong_token("10.0.0.1")).c_str());
    CHECK_TRUE(world.founder->count_wrong_token("10.0.0.2").has_value());
    for (int i = 0; i < 20; ++i) {
        STRCMP_EQUAL("JOIN_CODE_INVALID", wrong("10.0.0.1").c_str());
        world.restart();
    }
    STRCMP_EQUAL("TOO_MANY_REQUESTS", wrong("10.0.0.1").c_str());
}

TEST(Rates, a_flood_from_many_addresses_costs_no_write_each_and_slows_each_down) {
    for (int i = 0; i < 1500; ++i)
        CHECK_TRUE(world.founder
                       ->count_wrong_token("10.1." + std::to_string(i / 250) + "." +
                                           std::to_string(i % 250))
                       .has_value());
    std::size_t rows = 0;
    CHECK_TRUE(world.store
                   ->read([&](Transaction& tx) -> Status {
                       rows = tx.list(Kind::kBucket, {})->size();
                       return {};
                   })
                   .has_value());
    CHECK_TRUE(rows <= 500);
    // Nothing more is written now; an address that guesses is slowed down all the same, and
    // counted.
    for (int i = 0; i < 20; ++i) STRCMP_EQUAL("JOIN_CODE_INVALID", wrong("10.0.0.1").c_str());
    STRCMP_EQUAL("TOO_MANY_REQUESTS", wrong("10.0.0.1").c_str());
    world.clock.advance_ms(5000);
    wrong("10.0.0.2");
    LONGS_EQUAL(21, *world.founder->wrong_join_codes());
}

TEST(Rates, what_is_full_again_leaves_the_store) {
    for (int i = 0; i < 1500; ++i) (void)world.founder->count_request("10.0.0.1");
    wrong("10.0.0.3");
    world.tick(10);
    world.tick(3600);
    world.tick(3600);
    std::size_t left = 0;
    CHECK_TRUE(world.store
                   ->read([&](Transaction& tx) -> Status {
                       left = tx.list(Kind::kBucket, {})->size();
                       return {};
                   })
                   .has_value());
    LONGS_EQUAL(1, left); // how many wrong codes there ever were
}

TEST(Rates, five_hundred_machines_at_once_meet_no_limit) {
    for (int i = 0; i < 500; ++i) {
        const std::string address =
            "127.0." + std::to_string(i / 250) + "." + std::to_string(i % 250);
        for (int request = 0; request < 40; ++request)
            CHECK_TRUE(world.founder->count_request(address).has_value());
    }
    Rates codes;
    for (int code = 0; code < 5; ++code)
        for (int use = 0; use < 100; ++use)
            LONGS_EQUAL(0, codes.take(kCodeRate, std::to_string(code), 1000));
}

} // namespace stratum::founder
