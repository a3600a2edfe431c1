#include "common/compat/pins_file.hpp"

#include <algorithm>
#include <array>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMostArguments = 16;
constexpr std::array<std::string_view, 2> kClasses = {"shipped", "host"};
constexpr std::array<std::string_view, 2> kMismatches = {"warn", "unsupported"};

// What a report of it must be able to carry (report_json.cpp takes 4,096 bytes of a text).
constexpr std::size_t kMostTextBytes = 500;

struct Source {
    std::string_view text;
    Findings& findings;
};

std::string read_id(ObjectReader& reader) {
    std::string id = reader.required_string("id");
    const bool starts_well = !id.empty() && id.front() >= 'a' && id.front() <= 'z';
    const Node* node = reader.member("id");
    const bool is_said = node == nullptr || !node->is_string(); // already a finding
    if (is_said || (is_label(id) && starts_well)) return id;
    reader.add("id", "\"" + to_valid_utf8(id.substr(0, 64)) +
                         "\" is no id: give a letter, then letters, digits and hyphens, lower "
                         "case, at most 63");
    return {};
}

void read_shipped(ObjectReader& reader, Component& component) {
    component.pinned = reader.required_text("pinned", kMostTextBytes);
    const Node* node = reader.member("pinned");
    if (node == nullptr || !node->is_string() || node->as_string().size() > kMostTextBytes) return;
    // (name:version@sha256:… is the same version.)
    const auto name = std::string_view(component.pinned).substr(0, component.pinned.find('@'));
    const auto colon = name.rfind(':');
    const auto pin = colon == std::string_view::npos
                         ? fail(ErrorCode::kInvalid, "\"" + to_valid_utf8(component.pinned) +
                                                         "\" names no version: give name:version")
                         : Version::parse(name.substr(colon + 1));
    if (pin)
        component.pin = *pin;
    else
        reader.add("pinned", pin.error().message);
}

std::optional<Probe> read_probe(ObjectReader& reader, Findings& findings) {
    const Node* node = reader.member("probe");
    if (node == nullptr) {
        reader.add("probe", "is missing: say how a host's version is asked, {argv, output}");
        return std::nullopt;
    }
    ObjectReader inner(*node, reader.path().key("probe"), findings);
    Probe probe;
    probe.argv = inner.optional_strings("argv").value_or(std::vector<std::string>{});
    const bool is_usable = !probe.argv.empty() && probe.argv.size() <= kMostArguments &&
                           std::none_of(probe.argv.begin(), probe.argv.end(), [](const auto& one) {
                               return one.empty() || one.size() > kMostTextBytes ||
                                      one.find('\0') != std::string::npos;
                           });
    if (!is_usable)
        inner.add("argv",
                  "needs a program and its arguments, 1 to 16 of them, none empty or longer than "
                  "500 bytes");
    // Another program wherever whoever asks happens to stand.
    else if (probe.argv.front().find('/') != std::string::npos &&
             !probe.argv.front().starts_with('/'))
        inner.add("argv", "begins with \"" + probe.argv.front() +
                              "\": give the program's name alone, or its whole path from / on");
    const auto output = inner.optional_parsed("output", OutputPattern::parse);
    if (output)
        probe.output = *output;
    else if (!inner.has("output"))
        inner.add("output", "is missing: say where the version stands, as in \"ovs {version}\"");
    inner.finish();
    return is_usable && output ? std::optional(std::move(probe)) : std::nullopt;
}

void read_host(ObjectReader& reader, Component& component, Findings& findings) {
    component.probe = read_probe(reader, findings);
    component.range = reader.optional_parsed("range", VersionRange::parse);
    if (component.range && component.range->str().size() > kMostTextBytes)
        reader.add("range", "is longer than 500 bytes");
    if (!reader.has("range"))
        reader.add("range", "is missing: give comparators such as \">=25.03 <26.00\"");
    if (const auto tested = reader.optional_parsed("testedAgainst", Version::parse)) {
        component.tested_against = tested->str();
        if (component.range && !component.range->contains(*tested))
            reader.add("testedAgainst",
                       "\"" + tested->str() + "\" is outside the range " + component.range->str());
    }
    component.required = reader.optional_bool("required").value_or(true);
}

PinsRow<Component> read_component(ObjectReader& reader, const Source& source) {
    PinsRow<Component> row;
    row.value.id = read_id(reader);
    row.is_dropped = reader.optional_bool("drop").value_or(false);
    if (row.is_dropped) return row;
    const auto kind = reader.required_word("class", kClasses);
    row.value.advice = reader.optional_text("advice", kMostTextBytes);
    if (!kind) return row;
    if (*kind == "shipped") {
        row.value.component_class = ComponentClass::kShipped;
        read_shipped(reader, row.value);
    } else {
        read_host(reader, row.value, source.findings);
    }
    return row;
}

// Where the fault in a rule stands: of a quoted rule's text the first byte is behind the quote, and
// of a folded one only its start is known.
Position place_of(const Node& rule, std::size_t offset, std::string_view text) {
    Position at = rule.position().value_or(Position{});
    for (int line = 1; line < at.line; ++line)
        text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
    const auto column = static_cast<std::size_t>(std::max(at.column, 1)) - 1;
    const char first = column < text.size() ? text[column] : ' ';
    if (first == '|' || first == '>') return at;
    at.column += static_cast<int>(offset) + (first == '"' || first == '\'' ? 1 : 0);
    return at;
}

PinsRow<Constraint> read_constraint(ObjectReader& reader, const Source& source) {
    PinsRow<Constraint> row;
    row.value.id = read_id(reader);
    row.is_dropped = reader.optional_bool("drop").value_or(false);
    if (row.is_dropped) return row;
    const std::string rule = reader.required_string("rule");
    const Node* node = reader.member("rule");
    if (node != nullptr && node->is_string()) {
        row.value.at = node->position();
        auto parsed = Expression::parse(rule);
        if (parsed)
            row.value.rule = std::move(*parsed);
        else
            source.findings.add(reader.path().key("rule"), parsed.error().message,
                                place_of(*node, parsed.error().offset, source.text));
    }
    const auto mismatch = reader.optional_word("mismatch", kMismatches);
    if (mismatch) row.value.mismatch = *parse_fit(*mismatch);
    row.value.advice = reader.optional_text("advice", kMostTextBytes);
    return row;
}

template<class T>
std::vector<PinsRow<T>> read_rows(ObjectReader& reader, std::string_view name, const Source& source,
                                  PinsRow<T> (*read)(ObjectReader&, const Source&)) {
    std::vector<PinsRow<T>> rows;
    reader.each(name, [&](const Node& item, const FieldPath& at) {
        ObjectReader one(item, at, source.findings);
        const std::size_t before = source.findings.size();
        PinsRow<T> row = read(one, source);
        one.finish();
        row.is_whole = source.findings.size() == before;
        row.at = item.position();
        const bool is_twice = std::any_of(rows.begin(), rows.end(), [&](const PinsRow<T>& other) {
            return !row.value.id.empty() && other.value.id == row.value.id;
        });
        if (is_twice) one.add("id", "\"" + row.value.id + "\" stands here twice");
        rows.push_back(std::move(row));
    });
    if (rows.size() > kMostPins)
        reader.add(name, "has " + std::to_string(rows.size()) + " rows, at most 64 are taken");
    return rows;
}

} // namespace

PinsFile read_pins_file(std::string_view text, Findings& findings) {
    DocumentLimits limits;
    limits.max_bytes = 256 * 1024;
    const Parsed parsed = parse_yaml(text, limits);
    findings.append(parsed.findings);
    if (!parsed.root) return {};
    ObjectReader reader(*parsed.root, {}, findings);
    reader.required_int("version", 1, 1);
    PinsFile file;
    file.components = read_rows(reader, "components", {text, findings}, read_component);
    file.constraints = read_rows(reader, "constraints", {text, findings}, read_constraint);
    reader.finish();
    return file;
}

} // namespace stratum::compat
