#include "hwdiscovery/capture.hpp"

#include <utility>

#include "common/base/document.hpp"
#include "hwdiscovery/captured.hpp"
#include "hwdiscovery/content_json.hpp"
#include "hwdiscovery/edge/capture_folder.hpp"
#include "hwdiscovery/edge/live_tree.hpp"
#include "hwdiscovery/recording_tree.hpp"
#include "hwdiscovery/seen.hpp"

namespace stratum::hw {
namespace {

RecordedEntry document(const Node& node) {
    return {RecordedEntry::Kind::kFile, write_json(node, 1) + "\n"};
}

// What did not come out of files gets files of its own.
void add_documents(const Seen& seen, std::map<std::string, RecordedEntry>& entries) {
    if (seen.contents) entries["/contents.json"] = document(to_node(*seen.contents));
    if (!seen.net) return;
    entries["/ip-addr.json"] = document(ip_links_node(seen.net->links));
    entries["/ip-route.json"] = document(ip_routes_node(seen.net->routes));
}

bool reads_back(const DiscoverOptions& options, const std::string& folder,
                facts::Inventory wanted) {
    DiscoverOptions back = options;
    back.root = folder;
    facts::Inventory found = discover(back);
    // What could not be asked is said of the asking, which is another one now.
    found.warnings.clear();
    wanted.warnings.clear();
    return found == wanted;
}

} // namespace

Result<facts::Inventory> capture(const DiscoverOptions& options, const std::string& folder) {
    const auto target = CaptureFolder::claim(folder);
    if (!target) return tl::make_unexpected(target.error());
    const auto source = open_tree(options.root);
    const RecordingTree tree(*source);
    Seen seen;
    facts::Inventory inventory = discover(tree, options, &seen);
    auto entries = tree.recorded();
    add_documents(seen, entries);
    if (auto done = target->write(entries); !done) return tl::make_unexpected(done.error());
    const std::map<std::string, RecordedEntry> last = {
        {"/expected.json", document(facts::to_node(inventory))}};
    if (auto done = target->write(last); !done) return tl::make_unexpected(done.error());
    if (!reads_back(options, folder, inventory))
        return fail(ErrorCode::kInternal,
                    "the machine written to " + folder +
                        " reads back as another one than was discovered. That is a fault of this "
                        "program: send the folder all the same, and say so");
    return inventory;
}

} // namespace stratum::hw
