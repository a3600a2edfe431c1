#include "common/base/text.hpp"
#include "common/config/documentation.hpp"
#include "common/config/rules.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

constexpr std::string_view kHead =
    "# Rules\n"
    "\n"
    "<!-- Printed from the tables of common/config by `make docs`; do not edit. -->\n"
    "\n"
    "A rule is a row: its id, the field that its problem is told at, and when it refuses. All "
    "rules\n"
    "are asked, in this order, and every problem comes in one answer. A rule says nothing where "
    "one\n"
    "of the fields that it stands on (last column) already has a problem at or below it, nor about "
    "a\n"
    "default that was taken from a field that has one.\n";

std::string code(std::string_view text) {
    return say("`", text, "`");
}

// A bar would end the cell.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

template<class Rules>
void put_rules(std::string& out, std::string_view title, const Rules& rules) {
    out +=
        say("\n## ", title, "\n\n| id | field | refused when | stands on |\n|---|---|---|---|\n");
    for (const auto& rule : rules) {
        std::string needs;
        for (const std::string& field : words(rule.needs))
            if (field != rule.field) needs += (needs.empty() ? "" : ", ") + code(field);
        out += say("| ", code(rule.id), " | ", code(rule.field), " | ", cell(rule.refused_when),
                   " | ", needs, " |\n");
    }
}

} // namespace

std::string rules_document() {
    std::string out(kHead);
    put_rules(out, "Of an approval", approval_rules());
    out +=
        "\nWhat passes them all is rendered as node.yaml and read back; what the rules below then\n"
        "refuse is told at the empty field, as a problem of the whole approval.\n";
    put_rules(out, "Of node.yaml", node_yaml_rules());
    put_rules(out, "Besides, of a founder's own node.yaml", founder_yaml_rules());
    return out;
}

} // namespace stratum::config
