// Rules as rows: id, field, what must be sound before it can be judged, the sentence that says when
// it refuses, and a pure function. The approval's table is in rules.cpp, node.yaml's in
// document_rules.cpp, each in the order of judging; docs and tests name rules by their id.
//
// A function answers one sentence for each thing that is wrong at its place; none where the rule
// holds, and none where it cannot tell because its input is missing.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/findings.hpp"
#include "common/config/faults.hpp"
#include "common/config/places.hpp"

namespace stratum::config {

struct ApprovalContext; // rule_context.hpp
struct DocumentContext; // document_rules.hpp

using Sentences = std::vector<std::string>;
inline Sentences sentences(Fault fault) {
    return fault ? Sentences{std::move(*fault)} : Sentences{};
}

template<class Context>
struct RuleOf {
    std::string_view id;
    std::string_view field; // a pattern: links[i].addresses[j]
    // Patterns, blanks between them: with a problem at or below one of these the rule is silent.
    std::string_view needs;
    std::string_view refused_when;
    Sentences (*check)(const Context& context, Place place);
};

using Rule = RuleOf<ApprovalContext>;
using DocumentRule = RuleOf<DocumentContext>;

// Every rule, in the order of judging.
std::span<const Rule> approval_rules();
std::span<const DocumentRule> node_yaml_rules();
// Besides, for a founder's own file.
std::span<const DocumentRule> founder_yaml_rules();

// All that these rules find, in the order of the rows.
void judge(std::span<const Rule> rules, const ApprovalContext& context, Findings& findings);
void judge(std::span<const DocumentRule> rules, const DocumentContext& context, Findings& findings);

// The walk behind both: `needs` and `field` as in a row.
struct RuleWalk {
    std::string_view field;
    std::string_view needs;
    const CountElements& count;
    std::function<Sentences(Place)> check;
};
void walk_rule(const RuleWalk& walk, Findings& findings);

} // namespace stratum::config
