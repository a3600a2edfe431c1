// The verdict, and what is to be mended.
#include "common/compat/doctor.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "common/base/text.hpp"
#include "common/compat/doctor_table.hpp"
#include "common/compat/keeper.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMostItems = 100;
constexpr std::size_t kMostNames = 4;

// What is wrong in the same words, with the nodes where it is.
struct Item {
    std::string id, note;
    Fit fit = Fit::kWarn;
    bool is_constraint = false;
    std::vector<std::string> nodes;
};

class Items {
public:
    void add(const std::string& node, const Report& report) {
        for (const auto& one : report.constraints)
            add(node, {one.id, one.note, one.status, true, {}});
        for (const auto& one : report.components)
            add(node, {one.id, one.note, one.status, false, {}});
    }

    // The worst first. A mismatch before the rest: it is what breaks without a word. A rule that is
    // only open after the components: it is mended with them.
    std::vector<Item> sorted() && {
        std::stable_sort(all_.begin(), all_.end(), [](const Item& a, const Item& b) {
            if (a.fit != b.fit) return a.fit > b.fit;
            return a.fit == Fit::kUnsupported ? a.is_constraint && !b.is_constraint
                                              : !a.is_constraint && b.is_constraint;
        });
        return std::move(all_);
    }

private:
    void add(const std::string& node, Item item) {
        if (item.fit == Fit::kOk) return;
        const auto [at, is_new] =
            places_.emplace(std::tuple(item.id, item.note, item.fit), all_.size());
        if (is_new) all_.push_back(std::move(item));
        all_[at->second].nodes.push_back(node);
    }

    std::vector<Item> all_;
    std::map<std::tuple<std::string, std::string, Fit>, std::size_t> places_;
};

// "node-2, node-3 and 4 more"
std::string names(const std::vector<std::string>& nodes) {
    const std::size_t shown =
        nodes.size() <= kMostNames + 1 ? nodes.size() : std::size_t{kMostNames};
    std::string text = join(std::span(nodes).first(shown), ", ");
    if (shown < nodes.size()) text += " and " + std::to_string(nodes.size() - shown) + " more";
    return text;
}

// Broken at spaces, each line but the first set in by four; a word that is too long is cut in two.
std::string wrapped(const std::string& text, std::size_t columns) {
    std::string out;
    std::size_t used = 0;
    for (std::string word : words(to_valid_utf8(text))) {
        const bool is_first = out.empty();
        if (!is_first && used + 1 + word.size() > columns) {
            out += "\n   ";
            used = 3;
        }
        if (!is_first) {
            out += ' ';
            ++used;
        }
        while (used + word.size() > columns) {
            // (At a whole character.)
            const std::size_t part = utf8_length(std::string_view(word).substr(0, columns - used));
            out += word.substr(0, part) + "\n    ";
            word.erase(0, part);
            used = 4;
        }
        out += word;
        used += word.size();
    }
    return out + "\n";
}

std::string item_lines(const Item& item, const DoctorStyle& style, std::size_t columns) {
    const std::string status(fit_name(item.fit));
    const std::string text =
        wrapped(status + " " + item.id + " on " + names(item.nodes) + ": " + item.note, columns);
    return in_ink(status, item.fit, style.colour) + text.substr(status.size());
}

std::string stale_lines(const Fleet& fleet, const DoctorStyle& style, std::size_t columns) {
    std::vector<std::string> nodes;
    std::int64_t oldest = 0, youngest = 0;
    for (const auto& sample : fleet.samples) {
        const std::int64_t age = style.now - sample.sampled_at;
        if (age <= kStaleSeconds) continue;
        oldest = std::max(oldest, age / 60);
        youngest = nodes.empty() ? age / 60 : std::min(youngest, age / 60);
        nodes.push_back(sample.node_id);
    }
    if (nodes.empty()) return {};
    const std::string range = youngest == oldest ? "" : std::to_string(youngest) + " to ";
    return wrapped("stale " + names(nodes) + ": last heard of " + range + std::to_string(oldest) +
                       " minutes ago; see whether the machine runs, and its member service",
                   columns);
}

std::string verdict(const Fleet& fleet, const std::vector<Item>& items, const DoctorStyle& style) {
    const Fit worst = fleet.overall.value_or(fleet.own.overall);
    std::string text = "overall: " + std::string(fit_name(worst));
    if (!fleet.samples.empty())
        text += " (" + (own_is_sampled(fleet) ? "" : style.own_name + " and ") +
                std::to_string(fleet.samples.size()) +
                (fleet.samples.size() == 1 ? " node)" : " nodes)");
    if (!items.empty())
        text += "; mend first: " + items.front().id + " on " + names(items.front().nodes);
    return text;
}

} // namespace

std::string render_doctor(const Fleet& fleet, const DoctorStyle& style) {
    const auto columns = static_cast<std::size_t>(std::max(style.columns, 80));
    Items all;
    if (!own_is_sampled(fleet)) all.add(style.own_name, fleet.own);
    for (const auto& sample : fleet.samples) all.add(sample.node_id, sample.report);
    const std::vector<Item> items = std::move(all).sorted();
    const std::string first = wrapped(verdict(fleet, items, style), columns);
    std::string out = in_ink(first.substr(0, first.size() - 1),
                             fleet.overall.value_or(fleet.own.overall), style.colour) +
                      "\n\n" + doctor_table(fleet, style);
    const std::size_t shown = std::min(items.size(), kMostItems);
    if (shown > 0) out += '\n';
    for (const auto& item : std::span(items).first(shown)) out += item_lines(item, style, columns);
    if (shown < items.size())
        out += "and " + std::to_string(items.size() - shown) + " more; --json has all\n";
    if (const std::string stale = stale_lines(fleet, style, columns); !stale.empty())
        out += "\n" + stale;
    return out;
}

int doctor_exit_code(const Fleet& fleet) {
    return static_cast<int>(fleet.overall.value_or(fleet.own.overall));
}

} // namespace stratum::compat
