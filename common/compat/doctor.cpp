#include "common/compat/doctor.hpp"

#include <algorithm>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "common/compat/keeper.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMostNodes = 1000;
constexpr std::size_t kWidestName = 24;
constexpr const char* kPlain = "\x1b[0m";

const char* ink_of(Fit fit) {
    switch (fit) {
    case Fit::kOk:
        return "\x1b[32m";
    case Fit::kWarn:
        return "\x1b[33m";
    case Fit::kUnsupported:
        break;
    }
    return "\x1b[31m";
}

// A cell, padded; the colour does not count as width. Every character of an id, a version and a
// status is ASCII; of anything else each byte counts, which only widens a column.
std::string cell(const std::string& text, std::size_t width, std::optional<Fit> fit, bool colour) {
    const std::string shown = to_valid_utf8(text);
    std::string out = colour && fit ? ink_of(*fit) + shown + kPlain : shown;
    if (shown.size() < width) out.append(width - shown.size(), ' ');
    return out;
}

// Nodes whose reports read the same.
struct Column {
    std::string title;
    const Report* report = nullptr;
    std::size_t others = 0;
    std::size_t width = 0;
};

bool reads_same(const Report& a, const Report& b) {
    return a.stratum_version == b.stratum_version && a.components == b.components &&
           a.constraints == b.constraints;
}

const ComponentReport* find(const Report& report, const std::string& id) {
    const auto found = std::find_if(report.components.begin(), report.components.end(),
                                    [&](const ComponentReport& one) { return one.id == id; });
    return found == report.components.end() ? nullptr : &*found;
}

std::string version_text(const Report& report, const std::string& id) {
    const ComponentReport* component = find(report, id);
    if (component == nullptr) return "-";
    if (component->detected) return *component->detected;
    return component->status == Fit::kOk ? "not installed" : "not known";
}

Fit fit_of(const Report& report, const std::string& id) {
    const ComponentReport* component = find(report, id);
    return component == nullptr ? Fit::kWarn : component->status;
}

std::vector<Column> columns_of(const Fleet& fleet, const DoctorStyle& style) {
    std::vector<Column> columns{{style.own_name, &fleet.own, 0, 0}};
    for (const auto& sample : fleet.samples) {
        const auto same = std::find_if(columns.begin() + 1, columns.end(), [&](const Column& one) {
            return reads_same(*one.report, sample.report);
        });
        if (same != columns.end())
            ++same->others;
        else
            columns.push_back({sample.node_id, &sample.report, 0, 0});
    }
    for (auto& column : columns) {
        if (column.title.size() > kWidestName) column.title.resize(kWidestName);
        if (column.others > 0) column.title += " +" + std::to_string(column.others);
    }
    // The node at fault is the one to be seen where not all fit.
    std::stable_sort(columns.begin() + 1, columns.end(), [](const Column& a, const Column& b) {
        return a.report->overall > b.report->overall;
    });
    return columns;
}

// One row of the table: a component, with what is worst among the nodes.
struct Row {
    std::string id, needed;
    Fit worst = Fit::kOk;
    bool differs = false;
};

std::vector<Row> rows_of(const std::vector<Column>& columns) {
    std::vector<Row> rows;
    for (const auto& column : columns)
        for (const auto& component : column.report->components) {
            auto row = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& one) { return one.id == component.id; });
            if (row == rows.end())
                row = rows.insert(
                    rows.end(),
                    {component.id, component.pinned.empty() ? component.range : component.pinned});
            row->worst = std::max(row->worst, component.status);
            row->differs = row->differs || version_text(*column.report, component.id) !=
                                               version_text(*columns.front().report, component.id);
        }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.worst != b.worst ? a.worst > b.worst : a.differs && !b.differs;
    });
    return rows;
}

// How many of the columns fit beside the first two; at least the first node's.
std::size_t fit_columns(std::vector<Column>& columns, const std::vector<Row>& rows,
                        std::size_t room) {
    std::size_t count = 0;
    for (auto& column : columns) {
        column.width = column.title.size();
        for (const auto& row : rows)
            column.width = std::max(column.width, version_text(*column.report, row.id).size());
        const std::size_t needed = column.width + 2;
        if (count > 0 && needed > room) break;
        room -= std::min(room, needed);
        ++count;
    }
    return count;
}

std::string table_of(std::vector<Column> columns, const DoctorStyle& style) {
    const auto rows = rows_of(columns);
    std::size_t id_width = 9, needed_width = 6;
    for (const auto& row : rows) {
        id_width = std::max(id_width, row.id.size());
        needed_width = std::max(needed_width, row.needed.size());
    }
    const std::size_t used = id_width + needed_width + 4;
    const auto all = static_cast<std::size_t>(std::max(style.columns, 40));
    const std::size_t shown = fit_columns(columns, rows, all > used ? all - used : 0);
    std::string out =
        cell("COMPONENT", id_width + 2, {}, false) + cell("NEEDED", needed_width + 2, {}, false);
    for (std::size_t i = 0; i < shown; ++i)
        out += cell(columns[i].title, i + 1 < shown ? columns[i].width + 2 : 0, {}, false);
    out += '\n';
    for (const auto& row : rows) {
        out += cell(row.id, id_width + 2, row.worst, style.colour) +
               cell(row.needed, needed_width + 2, {}, false);
        for (std::size_t i = 0; i < shown; ++i) {
            out += cell(version_text(*columns[i].report, row.id),
                        i + 1 < shown ? columns[i].width + 2 : 0,
                        fit_of(*columns[i].report, row.id), style.colour);
        }
        out += '\n';
    }
    if (shown < columns.size())
        out += "and " + std::to_string(columns.size() - shown) +
               " more columns that do not fit; --json has them all\n";
    return out;
}

struct Advice {
    Fit fit = Fit::kOk;
    std::string text;
};

void add_advice(const std::string& node, const Report& report, std::vector<Advice>& lines) {
    const auto add = [&](const std::string& id, Fit fit, const std::string& note) {
        if (fit == Fit::kOk) return;
        lines.push_back({fit, std::string(fit_name(fit)) + "  " + to_valid_utf8(id) + " on " +
                                  to_valid_utf8(node) + ": " + to_valid_utf8(note)});
    };
    for (const auto& one : report.constraints) add(one.id, one.status, one.note);
    for (const auto& one : report.components) add(one.id, one.status, one.note);
}

std::string stale_lines(const Fleet& fleet, const DoctorStyle& style) {
    std::string out;
    for (const auto& sample : fleet.samples) {
        const std::int64_t age = style.now - sample.sampled_at;
        if (age <= kStaleSeconds) continue;
        out += "stale  " + to_valid_utf8(sample.node_id) + ": its sample is " +
               std::to_string(age / 60) +
               " minutes old; see whether the machine and its member "
               "service run\n";
    }
    return out;
}

Sample read_sample(const Node& item, const FieldPath& at, Findings& findings) {
    ObjectReader reader(item, at, findings, Unknown::kIgnored);
    Sample sample;
    sample.node_id = reader.required_string("nodeId");
    const auto time = parse_time(reader.required_string("sampledAt"));
    if (!time) reader.add("sampledAt", "is no time such as 2026-01-01T00:00:00Z");
    sample.sampled_at = time.value_or(0);
    reader.finish();
    sample.report = read_report(item, at, findings);
    return sample;
}

} // namespace

Fleet read_fleet(const Node& node, Findings& findings) {
    Fleet fleet;
    fleet.own = read_report(node, {}, findings);
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    reader.each("nodes", [&](const Node& item, const FieldPath& at) {
        if (fleet.samples.size() < kMostNodes)
            fleet.samples.push_back(read_sample(item, at, findings));
    });
    reader.finish();
    if (!fleet.samples.empty()) {
        fleet.overall = fleet.own.overall;
        for (const auto& sample : fleet.samples)
            fleet.overall = std::max(*fleet.overall, sample.report.overall);
    }
    return fleet;
}

std::string render_doctor(const Fleet& fleet, const DoctorStyle& style) {
    std::string out = table_of(columns_of(fleet, style), style);
    std::vector<Advice> lines;
    add_advice(style.own_name, fleet.own, lines);
    for (const auto& sample : fleet.samples) add_advice(sample.node_id, sample.report, lines);
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Advice& a, const Advice& b) { return a.fit > b.fit; });
    if (!lines.empty()) out += '\n';
    for (const auto& line : lines)
        out += (style.colour ? ink_of(line.fit) + line.text + kPlain : line.text) + '\n';
    out += stale_lines(fleet, style);
    const Fit worst = fleet.overall.value_or(fleet.own.overall);
    return out + "\noverall: " + std::string(fit_name(worst)) + "\n";
}

int doctor_exit_code(const Fleet& fleet) {
    return static_cast<int>(fleet.overall.value_or(fleet.own.overall));
}

} // namespace stratum::compat
