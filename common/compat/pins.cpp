#include "common/compat/pins.hpp"

#include <algorithm>
#include <array>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMost = 64;
constexpr std::size_t kMostArguments = 16;
constexpr std::array<std::string_view, 2> kClasses = {"shipped", "host"};
constexpr std::array<std::string_view, 2> kMismatches = {"warn", "unsupported"};

// One file's rows. A row that the site drops has only its id.
template<class T>
struct Row {
    T value;
    bool is_dropped = false;
};

struct PinsFile {
    std::vector<Row<Component>> components;
    std::vector<Row<Constraint>> constraints;
};

std::string read_id(ObjectReader& reader) {
    std::string id = reader.required_string("id");
    const bool starts_well = !id.empty() && id.front() >= 'a' && id.front() <= 'z';
    if (id.empty() || (is_label(id) && starts_well)) return id;
    reader.add("id", "\"" + to_valid_utf8(id.substr(0, 64)) +
                         "\" is no id: give a letter, then letters, digits and hyphens, lower "
                         "case, at most 63");
    return {};
}

void read_shipped(ObjectReader& reader, Component& component) {
    component.pinned = reader.required_string("pinned");
    if (component.pinned.empty()) return;
    const auto colon = component.pinned.rfind(':');
    const auto pin = colon == std::string::npos
                         ? fail(ErrorCode::kInvalid, "\"" + to_valid_utf8(component.pinned) +
                                                         "\" names no version: give name:version")
                         : Version::parse(std::string_view(component.pinned).substr(colon + 1));
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
                               return one.empty() || one.find('\0') != std::string::npos;
                           });
    if (!is_usable)
        inner.add("argv", "needs a program and its arguments, 1 to 16 of them, none empty");
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

Row<Component> read_component(ObjectReader& reader, Findings& findings) {
    Row<Component> row;
    row.value.id = read_id(reader);
    row.is_dropped = reader.optional_bool("drop").value_or(false);
    if (row.is_dropped) return row;
    const auto kind = reader.required_word("class", kClasses);
    row.value.advice = reader.optional_string("advice").value_or("");
    if (!kind) return row;
    if (*kind == "shipped") {
        row.value.component_class = ComponentClass::kShipped;
        read_shipped(reader, row.value);
    } else {
        read_host(reader, row.value, findings);
    }
    return row;
}

// A column counts from the value's start; of a quoted one the rule begins one later.
Position place_of(const Node& rule, std::size_t offset) {
    Position at = rule.position().value_or(Position{});
    at.column += static_cast<int>(offset);
    return at;
}

Row<Constraint> read_constraint(ObjectReader& reader, Findings& findings) {
    Row<Constraint> row;
    row.value.id = read_id(reader);
    row.is_dropped = reader.optional_bool("drop").value_or(false);
    if (row.is_dropped) return row;
    const std::string rule = reader.required_string("rule");
    const Node* node = reader.member("rule");
    if (node != nullptr && !rule.empty()) {
        row.value.at = node->position();
        auto parsed = Expression::parse(rule);
        if (parsed)
            row.value.rule = std::move(*parsed);
        else
            findings.add(reader.path().key("rule"), parsed.error().message,
                         place_of(*node, parsed.error().offset));
    }
    const auto mismatch = reader.optional_word("mismatch", kMismatches);
    if (mismatch) row.value.mismatch = *parse_fit(*mismatch);
    row.value.advice = reader.optional_string("advice").value_or("");
    return row;
}

template<class T>
std::vector<Row<T>> read_rows(ObjectReader& reader, std::string_view name, Findings& findings,
                              Row<T> (*read)(ObjectReader&, Findings&)) {
    std::vector<Row<T>> rows;
    reader.each(name, [&](const Node& item, const FieldPath& at) {
        ObjectReader one(item, at, findings);
        Row<T> row = read(one, findings);
        one.finish();
        const bool is_twice = std::any_of(rows.begin(), rows.end(), [&](const Row<T>& other) {
            return !row.value.id.empty() && other.value.id == row.value.id;
        });
        if (is_twice) one.add("id", "\"" + row.value.id + "\" stands here twice");
        rows.push_back(std::move(row));
    });
    if (rows.size() > kMost)
        reader.add(name, "has " + std::to_string(rows.size()) + " rows, at most 64 are taken");
    return rows;
}

PinsFile read_file(std::string_view text, Findings& findings) {
    DocumentLimits limits;
    limits.max_bytes = 256 * 1024;
    const Parsed parsed = parse_yaml(text, limits);
    findings.append(parsed.findings);
    if (!parsed.root) return {};
    ObjectReader reader(*parsed.root, {}, findings);
    reader.required_int("version", 1, 1);
    PinsFile file;
    file.components = read_rows(reader, "components", findings, read_component);
    file.constraints = read_rows(reader, "constraints", findings, read_constraint);
    reader.finish();
    return file;
}

template<class T>
std::vector<T> merged(const std::vector<Row<T>>& base, const std::vector<Row<T>>& site) {
    const auto of_site = [&](const std::string& id) {
        return std::find_if(site.begin(), site.end(),
                            [&](const Row<T>& row) { return row.value.id == id; });
    };
    std::vector<T> all;
    for (const auto& row : base) {
        const auto over = of_site(row.value.id);
        if (over == site.end())
            all.push_back(row.value);
        else if (!over->is_dropped)
            all.push_back(over->value);
    }
    for (const auto& row : site) {
        const bool is_new = std::none_of(base.begin(), base.end(), [&](const Row<T>& other) {
            return other.value.id == row.value.id;
        });
        if (is_new && !row.is_dropped) all.push_back(row.value);
    }
    return all;
}

void check_references(const Pins& pins, Findings& findings) {
    std::vector<std::string> ids;
    for (const auto& component : pins.components) ids.push_back(component.id);
    for (const auto& constraint : pins.constraints)
        for (const auto& name : constraint.rule.components()) {
            if (std::find(ids.begin(), ids.end(), name) != ids.end()) continue;
            const auto near = nearest(name, ids);
            findings.add(FieldPath().key("constraints").key(constraint.id).key("rule"),
                         "names the component " + name + ", which there is not" +
                             (near ? "; did you mean " + *near : std::string{}),
                         constraint.at);
        }
}

} // namespace

std::string_view fit_name(Fit fit) {
    switch (fit) {
    case Fit::kOk:
        return "ok";
    case Fit::kWarn:
        return "warn";
    case Fit::kUnsupported:
        break;
    }
    return "unsupported";
}

std::optional<Fit> parse_fit(std::string_view name) {
    for (Fit fit : {Fit::kOk, Fit::kWarn, Fit::kUnsupported})
        if (fit_name(fit) == name) return fit;
    return std::nullopt;
}

std::optional<Pins> read_pins(std::string_view base, std::string_view site, Findings& findings) {
    const PinsFile ours = read_file(base, findings);
    const PinsFile theirs = site.empty() ? PinsFile{} : read_file(site, findings);
    if (!findings.empty()) return std::nullopt;
    Pins pins{merged(ours.components, theirs.components),
              merged(ours.constraints, theirs.constraints)};
    check_references(pins, findings);
    return findings.empty() ? std::optional(std::move(pins)) : std::nullopt;
}

} // namespace stratum::compat
