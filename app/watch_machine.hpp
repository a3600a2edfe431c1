// `firstboot discover --watch`: this machine on standard output, again at each change.
#pragma once

#include "hwdiscovery/discover.hpp"

namespace stratum::app {

// On a terminal the table is drawn anew in its place, with a line below it that says what changed;
// into a pipe go one table after another, an empty line between them, or with `as_json` one
// document a line. Ends, with kExitOk, on SIGINT, SIGTERM, SIGHUP, and when the reader is gone.
int watch_machine(const hw::DiscoverOptions& options, bool as_json);

} // namespace stratum::app
