#include <limits>

#include "common/base/text.hpp"
#include "common/config/documentation.hpp"
#include "common/config/forms.hpp"
#include "common/config/node_config_fields.hpp"
#include "common/config/rules.hpp"

namespace stratum::config {

namespace {

// A rule's field as the table spells it: network.connections[i].name is …connections[].name.
std::string spelled(std::string_view pattern) {
    std::string out;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        out += pattern[at];
        if (pattern[at] == '[') ++at; // i or j
    }
    return out;
}

void add(std::string& text, std::string_view more, std::string_view between = "; ") {
    if (!more.empty()) text += say(text.empty() ? "" : between, more);
}

std::string range_words(const FieldInfo& info) {
    constexpr auto kNoMin = std::numeric_limits<std::int64_t>::min();
    constexpr auto kNoMax = std::numeric_limits<std::int64_t>::max();
    if (info.min == kNoMin && info.max == kNoMax) return {};
    if (info.max == kNoMax) return say(info.min, " or more");
    return info.min == info.max ? say(info.min) : say(info.min, "-", info.max);
}

template<class Rules>
std::string refusals_at(const std::string& path, const Rules& rules) {
    std::string refusals;
    for (const auto& rule : rules)
        if (spelled(rule.field) == path) add(refusals, rule.refused_when);
    return refusals;
}

// What a value must be, then what is refused, of any file and of a founder's own.
std::string rules_of(const DescribedField& field, const std::string& path) {
    std::string must;
    if (field.info.required) add(must, "required");
    if (!field.info.words.empty()) add(must, listed(field.info.words));
    add(must, range_words(field.info));
    if (field.shape == Shape::kFlag) add(must, "true or false");
    if (field.shape == Shape::kFree && field.inside.empty()) add(must, "handed on as it stands");
    if (const Form* form = form_of(field.info.fault)) add(must, form->words);
    const std::string refused = refusals_at(path, node_yaml_rules());
    if (!refused.empty()) add(must, "refused when " + refused, ". ");
    const std::string founders = refusals_at(path, founder_yaml_rules());
    if (!founders.empty()) add(must, "*[founder]* refused when " + founders, ". ");
    return must;
}

void put_fields(std::string& out, const std::vector<DescribedField>& fields,
                const std::string& above) {
    for (const DescribedField& field : fields) {
        std::string path = say(above, above.empty() ? "" : ".", field.info.name);
        if (field.shape == Shape::kObjects || field.shape == Shape::kTexts) path += "[]";
        std::string rules = rules_of(field, path);
        // A list as a whole has rules of its own: network.connections beside …connections[].
        if (path.ends_with("[]")) {
            const std::string list = path.substr(0, path.size() - 2);
            const std::string refused = refusals_at(list, node_yaml_rules());
            if (!refused.empty()) add(rules, "the list is refused when " + refused, ". ");
            const std::string founders = refusals_at(list, founder_yaml_rules());
            if (!founders.empty())
                add(rules, "*[founder]* the list is refused when " + founders, ". ");
        }
        out += say("| `", path, "` | ", field.info.about, " | ", rules, " |\n");
        put_fields(out, field.inside, path);
    }
}

} // namespace

std::string node_yaml_tables() {
    std::string out;
    for (const DescribedField& field : describe<NodeConfig>()) {
        std::string table;
        put_fields(table, {field}, {});
        constexpr std::string_view kColumns = "| field | meaning | rules |\n|---|---|---|\n";
        out += say(out.empty() ? "" : "\n", "## ", field.info.name, "\n\n", kColumns, table);
    }
    return out;
}

} // namespace stratum::config
