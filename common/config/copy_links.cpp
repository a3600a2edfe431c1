#include <algorithm>

#include "common/config/copy.hpp"
#include "common/config/link_graph.hpp"
#include "common/config/nic_matching.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

constexpr std::string_view kLifelines[] = {"oob", "mgmt"};

// Without the lifelines' purposes; nothing for a link that is only a lifeline.
std::optional<Link> without_lifelines(Link link) {
    const bool had_purposes = !link.purposes.empty();
    std::erase_if(link.purposes,
                  [](const std::string& purpose) { return has_word(kLifelines, purpose); });
    if (had_purposes && link.purposes.empty()) return {};
    link.addresses.clear();
    link.addresses_allocated = false;
    return link;
}

class LinkCopier {
public:
    LinkCopier(const CopySource& source, const MachineView& machine)
        : source_(source), machine_(machine) {
        for (const Link& link : source.assignment.links.value_or(std::vector<Link>{}))
            if (auto kept = without_lifelines(link)) links_.push_back(std::move(*kept));
    }

    CopiedLinks copy() {
        const LinkGraph graph(links_);
        matches_ = match_nics(source_, machine_, wanted(graph));
        result_.notes = matches_.notes;
        // NICs first, then what stands on them, whatever the order of the list.
        left_out_.assign(links_.size(), false);
        for (std::size_t i = 0; i < links_.size(); ++i)
            if (is_ethernet(links_[i])) place_ethernet(i);
        for (std::size_t i = 0; i < links_.size(); ++i)
            if (is_bond(links_[i])) judge_bond(graph, i);
        for (std::size_t i = 0; i < links_.size(); ++i)
            if (is_vlan(links_[i])) place_vlan(graph, i);
        for (std::size_t i = 0; i < links_.size(); ++i)
            if (!left_out_[i]) result_.links.push_back(links_[i]);
        place_upstream(graph);
        return std::move(result_);
    }

private:
    std::vector<std::string> wanted(const LinkGraph& graph) const {
        std::vector<std::string> names;
        for (const Link& link : links_) {
            if (is_ethernet(link)) names.push_back(link.interface);
            if (is_vlan(link) && link.parent && !graph.bond(*link.parent))
                names.push_back(*link.parent);
        }
        const auto& upstream = source_.assignment.provider.upstream_interface;
        if (upstream && !graph.bond(*upstream)) names.push_back(*upstream);
        return names;
    }

    void leave_out(std::size_t i, const std::string& why) {
        left_out_[i] = true;
        result_.complete = false;
        result_.notes.push_back(say("link ", links_[i].name, " is left out: ", why));
    }

    std::string no_match(const std::string& nic) const {
        std::string like = nic + " of " + name_of(source_);
        for (const facts::Nic& theirs : source_.inventory.nics)
            if (theirs.name == nic && !theirs.driver.empty())
                like += say(" (driver ", theirs.driver, ", ", nic_words(theirs), ")");
        return say("no NIC here matches ", like, "; ", machine_.choices());
    }

    void place_ethernet(std::size_t i) {
        const auto found = matches_.nics.find(links_[i].interface);
        if (found == matches_.nics.end()) return leave_out(i, no_match(links_[i].interface));
        links_[i].interface = found->second;
    }

    void judge_bond(const LinkGraph& graph, std::size_t i) {
        const auto members = graph.members_of(links_[i].interface);
        const bool has_member = std::any_of(members.begin(), members.end(),
                                            [&](std::size_t m) { return !left_out_[m]; });
        if (!has_member) leave_out(i, "none of its members has a NIC here");
    }

    void place_vlan(const LinkGraph& graph, std::size_t i) {
        const std::string parent = links_[i].parent.value_or("");
        if (const Link* bond = graph.bond(parent)) {
            const auto at = static_cast<std::size_t>(bond - links_.data());
            if (left_out_[at]) leave_out(i, say("it stands on ", parent, ", which is left out"));
            return;
        }
        const auto found = matches_.nics.find(parent);
        if (found == matches_.nics.end()) return leave_out(i, no_match(parent));
        links_[i].parent = found->second;
    }

    void place_upstream(const LinkGraph& graph) {
        const auto& upstream = source_.assignment.provider.upstream_interface;
        if (!upstream) return;
        if (const Link* bond = graph.bond(*upstream)) {
            if (!left_out_[static_cast<std::size_t>(bond - links_.data())])
                result_.upstream_interface = *upstream;
        } else if (const auto found = matches_.nics.find(*upstream); found != matches_.nics.end()) {
            result_.upstream_interface = found->second;
        }
        if (result_.upstream_interface.empty())
            result_.notes.push_back(say("the uplink ", *upstream, " of ", name_of(source_),
                                        " is not copied: it has no match here"));
    }

    const CopySource& source_;
    const MachineView& machine_;
    std::vector<Link> links_;
    std::vector<bool> left_out_;
    NicMatches matches_;
    CopiedLinks result_;
};

} // namespace

CopiedLinks copy_links(const CopySource& source, const MachineView& machine) {
    return LinkCopier(source, machine).copy();
}

} // namespace stratum::config
