// A site's pins over the build's, and what must hold of both together.
#include "common/compat/pins.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/compat/pins_file.hpp"

namespace stratum::compat {
namespace {

template<class T>
using Rows = std::vector<PinsRow<T>>;

template<class T>
const PinsRow<T>* find(const Rows<T>& rows, const std::string& id) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const PinsRow<T>& row) { return row.value.id == id; });
    return found == rows.end() ? nullptr : &*found;
}

// The base's rows in their order, each as the site has it, then the site's own.
template<class T>
Rows<T> merged(const Rows<T>& base, const Rows<T>& site) {
    Rows<T> all;
    for (const auto& row : base) {
        const auto* over = find(site, row.value.id);
        if (over == nullptr || !over->is_dropped) all.push_back(over == nullptr ? row : *over);
    }
    for (const auto& row : site)
        if (!row.is_dropped && find(base, row.value.id) == nullptr) all.push_back(row);
    return all;
}

template<class T>
std::vector<std::string> ids_of(const Rows<T>& rows) {
    std::vector<std::string> ids;
    for (const auto& row : rows) ids.push_back(row.value.id);
    return ids;
}

std::string did_you_mean(const std::string& id, const std::vector<std::string>& ids) {
    const auto near = nearest(id, ids);
    return near ? "; did you mean " + *near : std::string{};
}

template<class T>
void check_merge(std::string_view name, const Rows<T>& base, const Rows<T>& site,
                 Findings& findings) {
    for (std::size_t i = 0; i < site.size(); ++i) {
        const std::string& id = site[i].value.id;
        if (!site[i].is_dropped || id.empty() || find(base, id) != nullptr) continue;
        findings.add(FieldPath().key(name).index(i).key("id"),
                     "there is no " + id + " to drop" + did_you_mean(id, ids_of(base)), site[i].at);
    }
    const std::size_t count = merged(base, site).size();
    if (count > kMostPins)
        findings.add(FieldPath().key(name), "makes " + std::to_string(count) +
                                                " with the build's own, at most 64 are taken");
}

void check_references(const Rows<Component>& components, const Rows<Constraint>& constraints,
                      Findings& findings) {
    const auto ids = ids_of(components);
    // What a component without a good id is called is not known.
    if (std::find(ids.begin(), ids.end(), std::string{}) != ids.end()) return;
    for (const auto& row : constraints) {
        if (!row.is_whole) continue;
        for (const auto& name : row.value.rule.components()) {
            if (std::find(ids.begin(), ids.end(), name) != ids.end()) continue;
            findings.add(FieldPath().key("constraints").key(row.value.id).key("rule"),
                         "names the component " + name + ", which there is not" +
                             did_you_mean(name, ids),
                         row.value.at);
        }
    }
}

template<class T>
std::vector<T> values_of(Rows<T> rows) {
    std::vector<T> values;
    for (auto& row : rows) values.push_back(std::move(row.value));
    return values;
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
    const PinsFile ours = read_pins_file(base, findings);
    const PinsFile theirs = site.empty() ? PinsFile{} : read_pins_file(site, findings);
    check_merge("components", ours.components, theirs.components, findings);
    check_merge("constraints", ours.constraints, theirs.constraints, findings);
    const auto components = merged(ours.components, theirs.components);
    const auto constraints = merged(ours.constraints, theirs.constraints);
    check_references(components, constraints, findings);
    if (!findings.empty()) return std::nullopt;
    return Pins{values_of(components), values_of(constraints)};
}

} // namespace stratum::compat
