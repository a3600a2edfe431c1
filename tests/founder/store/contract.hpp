// What every store must do, as one list of checks that each implementation runs (see
// test_sqlite_store.cpp: one TEST for each row of STORE_CONTRACT).
#pragma once

#include <memory>

#include "founder/store/store.hpp"

namespace stratum::founder::contract {

// Another founder on the same state with each call; the state is empty at the first.
class StoreFactory {
public:
    virtual ~StoreFactory() = default;
    virtual std::unique_ptr<Store> open() = 0;
};

#define STORE_CONTRACT(X)                                                                          \
    X(absent_record_is_absent)                                                                     \
    X(what_was_put_is_there_for_another_founder)                                                   \
    X(a_value_may_be_any_bytes)                                                                    \
    X(put_replaces)                                                                                \
    X(erase_removes_and_absent_is_no_error)                                                        \
    X(kinds_do_not_meet)                                                                           \
    X(a_list_is_in_the_order_of_ids)                                                               \
    X(a_list_can_be_turned_cut_and_gone_on_with)                                                   \
    X(a_prefix_lists_only_what_begins_with_it)                                                     \
    X(rolling_back_leaves_nothing)                                                                 \
    X(an_error_of_the_work_rolls_back_and_is_passed_on)                                            \
    X(reading_cannot_write)                                                                        \
    X(a_claim_has_one_holder)                                                                      \
    X(a_claim_taken_again_by_its_holder_is_no_error)                                               \
    X(claims_given_back_are_free)                                                                  \
    X(what_is_held_is_listed_by_value_with_its_holder)                                             \
    X(claims_of_another_sort_do_not_meet)                                                          \
    X(a_lost_claim_leaves_the_transaction_usable)                                                  \
    X(counters_count_from_one_each_for_itself)                                                     \
    X(a_rolled_back_number_is_given_again)                                                         \
    X(the_version_moves_with_everybodys_commits_and_with_nothing_else)                             \
    X(a_work_sees_its_own_writes)                                                                  \
    X(many_threads_claim_and_each_value_has_one_holder)                                            \
    X(many_threads_of_two_founders_count_without_losing_one)                                       \
    X(a_change_read_by_another_founder_is_whole)                                                   \
    X(an_audit_entry_that_is_there_cannot_be_replaced)                                             \
    X(an_audit_entry_cannot_be_erased)                                                             \
    X(an_audit_entry_that_was_rolled_back_was_never_there)

#define DECLARE_CONTRACT(name) void name(StoreFactory& factory);
STORE_CONTRACT(DECLARE_CONTRACT)
#undef DECLARE_CONTRACT

} // namespace stratum::founder::contract
