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
// So far a founder's clock may have been set back since a report came.
constexpr std::int64_t kMostAheadSeconds = 60;

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

// Nothing of them that is newer than three periods.
struct Unheard {
    std::vector<std::string> stale;
    std::vector<std::string> ahead; // by a time that is still to come: how old it is nobody knows
    std::int64_t oldest = 0, youngest = 0; // of the stale ones, in seconds
    std::size_t unreported = 0;
    [[nodiscard]] bool empty() const { return stale.empty() && ahead.empty() && unreported == 0; }
};

Unheard unheard_of(const Fleet& fleet, std::int64_t now, const std::string& own_name) {
    Unheard unheard;
    unheard.unreported = std::max(fleet.unreported, fleet.unreported_names.size());
    const auto add = [&](const std::string& node, std::int64_t sampled_at) {
        const std::int64_t age = now - sampled_at;
        if (age < -kMostAheadSeconds) unheard.ahead.push_back(node);
        if (age <= kStaleSeconds) return;
        unheard.oldest = std::max(unheard.oldest, age);
        unheard.youngest = unheard.stale.empty() ? age : std::min(unheard.youngest, age);
        unheard.stale.push_back(node);
    };
    if (fleet.own_at && !own_is_sampled(fleet)) add(own_name, *fleet.own_at);
    for (const auto& sample : fleet.samples) add(sample.node_id, sample.sampled_at);
    return unheard;
}

std::string unreported_text(const Fleet& fleet, std::size_t count) {
    const std::size_t named = fleet.unreported_names.size();
    std::string unnamed = std::to_string(count - named) + (named > 0 ? " more" : "") +
                          (count - named == 1 ? " member" : " members");
    if (named == 0) return unnamed;
    return names(fleet.unreported_names) + (named < count ? " and " + unnamed : "");
}

std::string unheard_lines(const Fleet& fleet, const Unheard& unheard, std::size_t columns) {
    std::string out;
    if (!unheard.stale.empty()) {
        const std::string youngest = std::to_string(unheard.youngest / 60);
        const std::string oldest = std::to_string(unheard.oldest / 60);
        out += wrapped("stale " + names(unheard.stale) + ": last heard of " +
                           (youngest == oldest ? "" : youngest + " to ") + oldest +
                           " minutes ago; see whether the machine runs, and its member service",
                       columns);
    }
    if (!unheard.ahead.empty())
        out += wrapped("stale " + names(unheard.ahead) +
                           ": last heard of at a time that is still to come; see whether the "
                           "founder's clock is right",
                       columns);
    if (unheard.unreported > 0)
        out += wrapped("no report yet from " + unreported_text(fleet, unheard.unreported) +
                           "; see whether the machine runs, and its member service, and whether it "
                           "is of a release that sends reports",
                       columns);
    return out;
}

Fit worst_of(const Fleet& fleet, const Unheard& unheard) {
    const Fit worst = fleet.overall.value_or(fleet.own.overall);
    return unheard.empty() ? worst : std::max(worst, Fit::kWarn);
}

std::string first_to_mend(const Fleet& fleet, const std::vector<Item>& items,
                          const Unheard& unheard) {
    if (!items.empty())
        return "; mend first: " + items.front().id + " on " + names(items.front().nodes);
    if (!unheard.stale.empty()) return "; mend first: stale is " + names(unheard.stale);
    if (!unheard.ahead.empty()) return "; mend first: stale is " + names(unheard.ahead);
    if (unheard.unreported > 0)
        return "; mend first: no report yet from " + unreported_text(fleet, unheard.unreported);
    return {};
}

std::string verdict(const Fleet& fleet, Fit worst, const DoctorStyle& style) {
    std::string text = "overall: " + std::string(fit_name(worst));
    if (fleet.samples.empty()) return text;
    return text + " (" + (own_is_sampled(fleet) ? "" : style.own_name + " and ") +
           std::to_string(fleet.samples.size()) +
           (fleet.samples.size() == 1 ? " node)" : " nodes)");
}

} // namespace

std::string render_doctor(const Fleet& fleet, const DoctorStyle& style) {
    const auto columns = static_cast<std::size_t>(std::max(style.columns, 80));
    Items all;
    if (!own_is_sampled(fleet)) all.add(style.own_name, fleet.own);
    for (const auto& sample : fleet.samples) all.add(sample.node_id, sample.report);
    const std::vector<Item> items = std::move(all).sorted();
    const Unheard unheard = unheard_of(fleet, style.now, style.own_name);
    const Fit worst = worst_of(fleet, unheard);
    const std::string first =
        wrapped(verdict(fleet, worst, style) + first_to_mend(fleet, items, unheard), columns);
    std::string out = in_ink(first.substr(0, first.size() - 1), worst, style.colour) + "\n\n" +
                      doctor_table(fleet, style);
    const std::size_t shown = std::min(items.size(), kMostItems);
    if (shown > 0) out += '\n';
    for (const auto& item : std::span(items).first(shown)) out += item_lines(item, style, columns);
    if (shown < items.size())
        out += "and " + std::to_string(items.size() - shown) + " more; --json has all\n";
    if (!unheard.empty()) out += "\n" + unheard_lines(fleet, unheard, columns);
    return out;
}

int doctor_exit_code(const Fleet& fleet, std::int64_t now) {
    return static_cast<int>(worst_of(fleet, unheard_of(fleet, now, {})));
}

} // namespace stratum::compat
