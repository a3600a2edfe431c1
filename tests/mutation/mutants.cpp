// The rule tables with one row changed, for the unit tests' own binary: the linker (--wrap) sends
// every call of the tables' functions here. STRATUM_MUTANT=KIND:ID says which:
//   out      the rule refuses nothing
//   always   the rule refuses everything
//   needless the rule speaks though what it stands on is spoiled
// No other binary is linked with this file.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "common/base/text.hpp"
#include "common/config/rules.hpp"

namespace stratum::config {
namespace {

struct Mutant {
    std::string kind, id;
};

Mutant asked_for() {
    const char* text = std::getenv("STRATUM_MUTANT"); // NOLINT(concurrency-mt-unsafe): one thread
    const std::vector<std::string> parts = split(text ? text : "", ':');
    return parts.size() == 2 ? Mutant{parts[0], parts[1]} : Mutant{};
}

template<class Context>
Sentences says_nothing(const Context&, Place) {
    return {};
}

template<class Context>
Sentences says_no(const Context&, Place) {
    return {"no"};
}

template<class Context>
std::vector<RuleOf<Context>> changed(std::span<const RuleOf<Context>> rules) {
    std::vector<RuleOf<Context>> table(rules.begin(), rules.end());
    const Mutant mutant = asked_for();
    for (RuleOf<Context>& rule : table) {
        if (rule.id != mutant.id) continue;
        std::cout << "mutant " << mutant.kind << ":" << mutant.id << "\n";
        if (mutant.kind == "out") rule.check = says_nothing<Context>;
        if (mutant.kind == "always") rule.check = says_no<Context>;
        if (mutant.kind == "needless") rule.needs = "";
    }
    return table;
}

} // namespace
} // namespace stratum::config

// The names are the linker's: the real function and the one that stands in for it. The tables are
// made before any test runs, or the first that asks would seem to leak them.
#define STRATUM_WRAP(Rule, name)                                                                   \
    std::span<const stratum::config::Rule> real_##name() __asm__("__real_" #name);                 \
    std::span<const stratum::config::Rule> wrap_##name() __asm__("__wrap_" #name);                 \
    static const std::vector<stratum::config::Rule> table_##name =                                 \
        stratum::config::changed(real_##name());                                                   \
    std::span<const stratum::config::Rule> wrap_##name() {                                         \
        return table_##name;                                                                       \
    }

STRATUM_WRAP(Rule, _ZN7stratum6config14approval_rulesEv)
STRATUM_WRAP(DocumentRule, _ZN7stratum6config15node_yaml_rulesEv)
STRATUM_WRAP(DocumentRule, _ZN7stratum6config18founder_yaml_rulesEv)
