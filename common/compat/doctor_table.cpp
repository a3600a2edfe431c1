#include "common/compat/doctor_table.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "common/base/text.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kWidestId = 28;
constexpr std::size_t kWidestNeed = 24;
constexpr std::size_t kWidestCell = 22; // (and " !": with the two before it, and gaps, 80)
constexpr std::size_t kMostRows = 100;
constexpr std::size_t kGap = 2;
constexpr const char* kStratum = "stratum itself";

// Each byte but those that go on with a character.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

// At most so many characters, whatever came over the wire.
std::string cut(const std::string& text, std::size_t widest) {
    std::string shown = to_valid_utf8(text);
    std::replace(shown.begin(), shown.end(), '\t', ' ');
    if (width_of(shown) <= widest) return shown;
    std::size_t at = 0;
    for (std::size_t left = widest; left > 0; --left) do
            ++at;
        while (at < shown.size() && (static_cast<unsigned char>(shown[at]) & 0xC0) == 0x80);
    return shown.substr(0, at - 1) + "~";
}

std::string padded(std::string text, std::size_t width) {
    const std::size_t own = width_of(text);
    if (own < width) text.append(width - own, ' ');
    return text;
}

struct Cell {
    std::string text = "-";
    Fit fit = Fit::kOk;

    // Without colours it must be seen too.
    [[nodiscard]] std::string shown() const {
        return fit == Fit::kUnsupported ? text + " !" : text;
    }
};

// Nodes whose reports read the same.
struct Column {
    std::string title;
    const Report* report = nullptr;
    std::size_t others = 0;
    std::map<std::string, Cell> cells; // by component
    std::size_t width = 0;
};

std::string version_text(const ComponentReport& component) {
    if (component.detected) return cut(*component.detected, kWidestCell);
    const bool is_absent =
        component.status == Fit::kOk || component.note.find(kIsNotInstalled) != std::string::npos;
    return is_absent ? "not installed" : "not known";
}

// A component is as bad as the worst that is said of it, constraints that name it too.
void fill(Column& column) {
    for (const auto& one : column.report->components)
        column.cells[one.id] = {version_text(one), one.status};
    for (const auto& one : column.report->constraints) {
        if (one.status == Fit::kOk) continue;
        const auto rule = Expression::parse(one.rule);
        if (!rule) continue;
        for (const auto& id : rule->components())
            if (const auto at = column.cells.find(id); at != column.cells.end())
                at->second.fit = std::max(at->second.fit, one.status);
    }
}

std::vector<Column> columns_of(const Fleet& fleet, const DoctorStyle& style) {
    std::vector<Column> columns{{style.own_name, &fleet.own, 0, {}, 0}};
    bool is_named = !own_is_sampled(fleet);
    for (const auto& sample : fleet.samples) {
        const auto same = std::find_if(columns.begin(), columns.end(), [&](const Column& one) {
            return reads_same(*one.report, sample.report);
        });
        if (same == columns.end())
            columns.push_back({sample.node_id, &sample.report, 0, {}, 0});
        else if (same == columns.begin() && !std::exchange(is_named, true))
            same->title = sample.node_id;
        else
            ++same->others;
    }
    for (auto& column : columns) {
        const std::string more = column.others == 0 ? "" : " +" + std::to_string(column.others);
        column.title = cut(column.title, kWidestCell - more.size()) + more;
        fill(column);
        column.cells[kStratum] = {cut(column.report->stratum_version, kWidestCell), Fit::kOk};
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

Cell cell_of(const Column& column, const std::string& id) {
    const auto found = column.cells.find(id);
    return found == column.cells.end() ? Cell{} : found->second;
}

void judge_row(Row& row, const std::vector<Column>& columns) {
    for (const auto& column : columns) {
        const Cell cell = cell_of(column, row.id);
        row.worst = std::max(row.worst, cell.fit);
        row.differs = row.differs || cell.text != cell_of(columns.front(), row.id).text;
    }
}

std::vector<Row> rows_of(const std::vector<Column>& columns) {
    std::vector<Row> rows;
    std::map<std::string, bool> known;
    for (const auto& column : columns)
        for (const auto& one : column.report->components)
            if (known.emplace(one.id, true).second)
                rows.push_back({one.id, one.pinned.empty() ? one.range : one.pinned});
    if (columns.size() > 1) rows.push_back({kStratum, ""});
    if (rows.size() > kMostRows) rows.resize(kMostRows);
    for (auto& row : rows) judge_row(row, columns);
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.differs != b.differs ? a.differs : a.worst > b.worst;
    });
    return rows;
}

// How many of the columns fit beside the first two; at least the first node's.
std::size_t fit_columns(std::vector<Column>& columns, const std::vector<Row>& rows,
                        std::size_t room) {
    std::size_t count = 0;
    for (auto& column : columns) {
        column.width = width_of(column.title);
        for (const auto& row : rows)
            column.width = std::max(column.width, width_of(cell_of(column, row.id).shown()));
        if (count > 0 && column.width > room) break;
        room -= std::min(room, column.width + kGap);
        ++count;
    }
    return count;
}

struct Widths {
    std::size_t id = 9, needed = 6; // of their heads
};

Widths widths_of(const std::vector<Row>& rows) {
    Widths widths;
    for (const auto& row : rows) {
        widths.id = std::max(widths.id, width_of(cut(row.id, kWidestId)));
        widths.needed = std::max(widths.needed, width_of(cut(row.needed, kWidestNeed)));
    }
    widths.id += kGap;
    widths.needed += kGap;
    return widths;
}

std::string line_of(const Row& row, const std::vector<Column>& columns, const Widths& widths,
                    bool colour) {
    const std::string id = cut(row.id, kWidestId);
    std::string line = in_ink(id, row.worst, colour) + std::string(widths.id - width_of(id), ' ') +
                       padded(cut(row.needed, kWidestNeed), widths.needed);
    std::size_t owed = 0; // spaces, which the last cell does not get
    for (const auto& column : columns) {
        const Cell cell = cell_of(column, row.id);
        line += std::string(owed, ' ') + in_ink(cell.shown(), cell.fit, colour);
        owed = column.width + kGap - width_of(cell.shown());
    }
    return line + "\n";
}

} // namespace

bool reads_same(const Report& a, const Report& b) {
    return a.stratum_version == b.stratum_version && a.components == b.components &&
           a.constraints == b.constraints;
}

bool own_is_sampled(const Fleet& fleet) {
    return std::any_of(fleet.samples.begin(), fleet.samples.end(),
                       [&](const Sample& sample) { return reads_same(sample.report, fleet.own); });
}

std::string in_ink(const std::string& text, Fit fit, bool colour) {
    if (!colour) return text;
    const char* const ink = fit == Fit::kOk     ? "\x1b[32m"
                            : fit == Fit::kWarn ? "\x1b[33m"
                                                : "\x1b[31m";
    return ink + text + "\x1b[0m";
}

std::string doctor_table(const Fleet& fleet, const DoctorStyle& style) {
    std::vector<Column> columns = columns_of(fleet, style);
    const auto rows = rows_of(columns);
    const Widths widths = widths_of(rows);
    const auto all = static_cast<std::size_t>(std::max(style.columns, 80));
    const std::size_t hidden =
        columns.size() - fit_columns(columns, rows, all - widths.id - widths.needed);
    columns.resize(columns.size() - hidden);
    std::string out = padded("COMPONENT", widths.id) + padded("NEEDED", widths.needed);
    for (const auto& column : columns)
        out +=
            &column == &columns.back() ? column.title : padded(column.title, column.width + kGap);
    out += '\n';
    for (const auto& row : rows) out += line_of(row, columns, widths, style.colour);
    if (hidden > 0)
        out += "and " + std::to_string(hidden) +
               (hidden == 1 ? " more column that does" : " more columns that do") +
               " not fit; --json has all\n";
    return out;
}

} // namespace stratum::compat
