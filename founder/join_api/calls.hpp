// The calls of the join listener, one function each; routes.cpp has the table.
#pragma once

#include "founder/join_api/routes.hpp"

namespace stratum::founder::join_api {

link::ServerAnswer post_registration(const Call& call);
link::ServerAnswer post_reveal(const Call& call);
link::ServerAnswer put_inventory(const Call& call);
// With If-None-Match of the present view and ?wait=SECONDS (at most 30) it is held until the view
// changes, the time is over (304), or the founder stops.
link::ServerAnswer get_view(const Call& call);
link::ServerAnswer get_node_yaml(const Call& call);
link::ServerAnswer get_bundle(const Call& call);
link::ServerAnswer post_progress(const Call& call);
link::ServerAnswer post_heartbeat(const Call& call);

} // namespace stratum::founder::join_api
