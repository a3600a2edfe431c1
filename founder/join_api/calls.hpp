// The calls of the join listener, one function each; routes.cpp has the table.
#pragma once

#include "founder/join_api/routes.hpp"

namespace stratum::founder::join_api {

CallAnswer post_registration(const Call& call);
CallAnswer post_reveal(const Call& call);
CallAnswer put_inventory(const Call& call);
// With If-None-Match of the present view and ?wait=SECONDS (at most 30) it is held until the view
// changes, the time is over (304), or the founder stops.
CallAnswer get_view(const Call& call);
CallAnswer get_node_yaml(const Call& call);
CallAnswer get_bundle(const Call& call);
CallAnswer post_progress(const Call& call);
CallAnswer post_heartbeat(const Call& call);

} // namespace stratum::founder::join_api
