// Made-up clusters, machines and requests that are right, and ways to spoil one thing of them: what
// the property tests are fed with. The same seed makes the same.
#pragma once

#include <random>
#include <string>

#include "tests/common/config/fixture.hpp"

namespace stratum::config::test {

class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    // A request that every rule accepts, on a cluster and a machine of its own.
    Trial right();
    // The same cluster with another machine, `number` 1 to 90, and a request for it.
    void next_machine(Trial& trial, int number);
    // Spoils one thing. The field that a refusal must name; empty where there was nothing to spoil.
    std::string spoil(Trial& trial);
    // How many ways to spoil there are, and the way that `spoil` last took.
    static std::size_t ways();
    [[nodiscard]] std::size_t last_way() const { return last_way_; }

    int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    bool chance(int one_in) { return below(one_in) == 0; }
    template<class T>
    T one_of(std::initializer_list<T> values) {
        return *(values.begin() + below(static_cast<int>(values.size())));
    }

private:
    ClusterView cluster();
    facts::Inventory machine(int number);
    facts::Disk disk(int machine, int index);
    void request(Trial& trial);
    void put_links(Trial& trial);
    void put_disks(Trial& trial);
    void name_addresses(Trial& trial);

    std::mt19937 random_;
    std::size_t last_way_ = 0;
};

} // namespace stratum::config::test
