#include "common/config/nic_matching.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/copy.hpp"
#include "common/config/link_graph.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

constexpr std::uint32_t kJumboMtu = 9000;

int mtu_class(const facts::Nic& nic) {
    if (!nic.max_mtu) return 0;
    return *nic.max_mtu < kJumboMtu ? 1 : 2;
}

bool fits(int a, int b) {
    return a == 0 || b == 0 || a == b;
}

bool same_driver(const facts::Nic& a, const facts::Nic& b) {
    return !a.driver.empty() && a.driver == b.driver;
}

const facts::Nic* nic_named(const facts::Inventory& inventory, std::string_view name) {
    for (const facts::Nic& nic : inventory.nics)
        if (nic.name == name) return &nic;
    return nullptr;
}

std::string management_nic(const CopySource& source) {
    const auto& interface = source.assignment.mgmt.interface;
    if (!interface) return {};
    const std::vector<Link> links = source.assignment.links.value_or(std::vector<Link>{});
    auto below = LinkGraph(links).nics_below(*interface);
    std::sort(below.begin(), below.end(), natural_less);
    return below.empty() ? std::string{} : below.front();
}

class Matcher {
public:
    Matcher(const CopySource& source, const MachineView& machine)
        : source_(source), machine_(machine), management_(management_nic(source)) {
        if (machine.registered()) lifelines_ = machine.physical_below(machine.registered()->name);
    }

    NicMatches match(std::vector<std::string> wanted) {
        std::sort(wanted.begin(), wanted.end(), natural_less);
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        for (const std::string& name : wanted) keep(name);
        for (const std::string& name : wanted)
            if (!result_.nics.contains(name) && name != management_) find(name);
        return std::move(result_);
    }

private:
    // The management NIC's place, and NICs that keep their name.
    void keep(const std::string& name) {
        if (name == management_) {
            if (!lifelines_.empty()) take_lifeline(name);
            return;
        }
        const facts::Nic* theirs = nic_named(source_.inventory, name);
        const facts::Nic* ours = machine_.nic(name);
        if (!theirs || !ours || !is_free(*ours) || !same_driver(*theirs, *ours)) return;
        if (fits(speed_class(*theirs), speed_class(*ours))) take(name, *ours);
    }

    void take_lifeline(const std::string& name) {
        result_.nics[name] = lifelines_.front();
        if (lifelines_.size() == 1) return;
        result_.notes.push_back(say("the machine registered from ", machine_.registered()->name,
                                    ", which stands on ", listed(lifelines_),
                                    "; the management "
                                    "NIC ",
                                    name, " of ", name_of(source_), " is taken to be ",
                                    lifelines_.front(), " here: check it"));
    }

    void find(const std::string& name) {
        const facts::Nic* theirs = nic_named(source_.inventory, name);
        if (!theirs) return;
        std::vector<const facts::Nic*> alike;
        for (const facts::Nic& ours : machine_.inventory().nics) {
            const bool is_alike = same_driver(*theirs, ours) &&
                                  fits(speed_class(*theirs), speed_class(ours)) &&
                                  fits(mtu_class(*theirs), mtu_class(ours));
            if (is_alike && machine_.nic(ours.name) && is_free(ours)) alike.push_back(&ours);
        }
        if (alike.empty()) return;
        take(name, *alike.front());
        note(name, alike);
    }

    void note(const std::string& name, const std::vector<const facts::Nic*>& alike) {
        std::string text = say("NIC ", name, " of ", name_of(source_), " is taken to be ",
                               alike.front()->name, " here (driver, speed and MTU fit");
        std::vector<std::string> others;
        for (std::size_t i = 1; i < alike.size(); ++i) others.push_back(alike[i]->name);
        if (!others.empty()) text += "; so do those of " + listed(others);
        result_.notes.push_back(text + "): check it");
    }

    bool is_free(const facts::Nic& nic) const {
        return !has_word(lifelines_, nic.name) && !has_word(used_, nic.name) &&
               &nic != machine_.oob();
    }

    void take(const std::string& name, const facts::Nic& ours) {
        result_.nics[name] = ours.name;
        used_.push_back(ours.name);
    }

    const CopySource& source_;
    const MachineView& machine_;
    std::string management_;
    std::vector<std::string> lifelines_; // the joiner's NICs below what it registered from
    std::vector<std::string> used_;
    NicMatches result_;
};

} // namespace

int speed_class(const facts::Nic& nic) {
    const std::uint32_t mbps = nic.speed_mbps.value_or(0);
    if (mbps == 0) return 0;
    static constexpr std::uint32_t kTops[] = {1'000, 5'000, 10'000, 25'000, 50'000};
    int number = 1;
    for (const std::uint32_t top : kTops) {
        if (mbps <= top) return number;
        ++number;
    }
    return number;
}

NicMatches match_nics(const CopySource& source, const MachineView& machine,
                      const std::vector<std::string>& wanted) {
    return Matcher(source, machine).match(wanted);
}

} // namespace stratum::config
