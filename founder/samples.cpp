#include "founder/samples.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "common/base/text.hpp"
#include "founder/lifecycle.hpp"

namespace stratum::founder {
namespace {

constexpr std::size_t kMostToldFindings = 3;
constexpr std::size_t kMostToldBytes = 1'500;

// Tables, metrics and people name a row by its id.
template<class Row>
void refuse_doubles(const std::vector<Row>& rows, const char* name, Findings& findings) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!seen.insert(rows[i].id).second)
            findings.add(FieldPath().key(name).index(i).key("id"),
                         "“" + rows[i].id + "” stands there twice");
}

std::string told(const Findings& findings) {
    const std::vector<std::string> lines = findings.lines();
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), kMostToldFindings); ++i)
        text += (i == 0 ? "" : "; ") + lines[i];
    if (lines.size() > kMostToldFindings)
        text += "; and " + std::to_string(lines.size() - kMostToldFindings) + " more";
    return to_valid_utf8(std::string_view(text).substr(0, kMostToldBytes));
}

// Null where another build wrote it in a way that this one cannot read: the next one, minutes
// later, is written by this one.
SampleDesk::Report kept_report(Context& context, const std::string& node_id,
                               const std::string& text) {
    if (auto known = context.samples.find(node_id, text)) return known;
    const Parsed parsed = parse_json(text);
    Findings findings = parsed.findings;
    if (!parsed.root || !findings.empty()) return nullptr;
    auto report =
        std::make_shared<const compat::Report>(compat::read_report(*parsed.root, {}, findings));
    if (!findings.empty()) return nullptr;
    context.samples.keep(node_id, text, report);
    return report;
}

// The texts that are kept, by node.
std::map<std::string, std::string> kept_texts(Ledger& ledger) {
    std::map<std::string, std::string> texts;
    for (Entry& entry : ledger.entries(Kind::kSample))
        texts.emplace(std::move(entry.id), std::move(entry.value));
    return texts;
}

// Of each member that sent one, by name, with this machine's own at its place.
void add_reports(Context& context, Ledger& ledger, const NodeReport& own, Compatibility& found) {
    std::map<std::string, std::string> texts = kept_texts(ledger);
    std::vector<MemberRecord> members = ledger.list<MemberRecord>();
    std::sort(members.begin(), members.end(),
              [](const auto& a, const auto& b) { return natural_less(a.name, b.name); });
    for (const MemberRecord& member : members) {
        if (member.node_id == own.node_id) {
            found.nodes.push_back(own);
            continue;
        }
        const auto text = texts.find(member.node_id);
        SampleDesk::Report report;
        if (member.sampled_at != 0 && text != texts.end())
            report = kept_report(context, member.node_id, text->second);
        if (report)
            found.nodes.push_back(
                {member.node_id, member.sampled_at, std::move(report), std::move(text->second)});
        else if (member.status == "joined")
            ++found.unreported;
    }
    if (found.nodes.size() < 2) found.nodes.clear();
}

} // namespace

std::optional<SentSample> read_sample(const Context& context, const link::Heartbeat& beat) {
    if (!beat.compatibility) return std::nullopt;
    const std::size_t size = write_json(*beat.compatibility).size();
    if (size > link::kMostSampleBytes)
        return SentSample{"", "it has " + std::to_string(size) + " bytes, at most " +
                                  std::to_string(link::kMostSampleBytes) + " are taken"};
    Findings findings;
    compat::Report report = compat::read_report(*beat.compatibility, {}, findings);
    refuse_doubles(report.components, "components", findings);
    refuse_doubles(report.constraints, "constraints", findings);
    if (!findings.empty()) return SentSample{"", told(findings)};
    if (context.options.hold_against_pins)
        report = context.options.hold_against_pins(std::move(report));
    // (Beyond that it could not be read back.)
    if (report.constraints.size() > compat::kMostReportRows)
        return SentSample{"", "constraints: there is no room for the founder's own: leave some out "
                              "of that machine's pins"};
    return SentSample{write_json(compat::to_node(report)), ""};
}

void keep_sample(Context& context, Ledger& ledger, MemberRecord& member, const SentSample& sample) {
    if (!sample.refusal.empty()) return;
    // Most are as before: then nothing is written but what the heartbeat writes in any case.
    if (ledger.text(Kind::kSample, member.node_id) != sample.text)
        ledger.put_text(Kind::kSample, member.node_id, sample.text);
    member.sampled_at = context.clock.unix_seconds();
}

void tell_refusal(Context& context, const MemberRecord& member, const SentSample& sample) {
    const bool is_new = context.samples.is_new(member.node_id, sample.refusal);
    if (sample.refusal.empty() || !is_new || !context.options.on_notice) return;
    context.options.on_notice("the report of node " + member.name + " (" + member.node_id +
                              ") is not taken: " + sample.refusal);
}

compat::Fit worst_of(const Compatibility& found) {
    compat::Fit worst = found.own.report.overall;
    for (const NodeReport& one : found.nodes) worst = std::max(worst, one.report->overall);
    return worst;
}

Answer<void> judge_kept_samples(Context& context) {
    if (!context.options.hold_against_pins) return {};
    return change<void>(context, [&](Ledger& ledger) {
        bool is_changed = false;
        for (const auto& [node_id, text] : kept_texts(ledger)) {
            const SampleDesk::Report known = kept_report(context, node_id, text);
            if (!known) continue;
            const compat::Report held = context.options.hold_against_pins(*known);
            // (One row more than can be read back: with its next report the member is told.)
            if (held == *known || held.constraints.size() > compat::kMostReportRows) continue;
            ledger.put_text(Kind::kSample, node_id, write_json(compat::to_node(held)));
            is_changed = true;
        }
        return is_changed ? kept() : Decision<void>{{}, Ending::kRollBack};
    });
}

Answer<Compatibility> compatibility(Context& context, bool refresh) {
    if (!context.options.look_at_self)
        return tl::make_unexpected(
            problem(link::ProblemCode::kInternal, "this founder does not look at its own machine"));
    Compatibility found;
    found.own = context.options.look_at_self(refresh);
    found.now = context.clock.unix_seconds();
    const auto own = std::make_shared<const compat::Report>(found.own.report);
    const std::string own_json = write_json(compat::to_node(*own));
    return look<Compatibility>(context, [&](Ledger& ledger) -> Answer<Compatibility> {
        found.own_node_id = cluster_record(ledger).founder_node_id;
        add_reports(context, ledger, {found.own_node_id, found.own.probed_at, own, own_json},
                    found);
        return found;
    });
}

} // namespace stratum::founder
