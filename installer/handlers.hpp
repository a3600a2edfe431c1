// What the joiner does in each state: one function a state, found by table. Each does one thing and
// says what comes next; none of them waits.
#pragma once

#include <string>

#include "installer/session.hpp"

namespace stratum::installer {

Next run_state(Session& session); // the handler of the state it is in

// handle_code.cpp
Next need_code(Session& session);
Next connect(Session& session);
Next wait_for_key_press(Session& session); // ended, stopped
// A line that somebody typed while the session waited.
Next take_line(Session& session, const std::string& line);

// handle_pairing.cpp
Next register_machine(Session& session);
Next reveal(Session& session);

// handle_waiting.cpp: waiting, needs-upgrade, queued, failed
Next poll(Session& session);
// What the founder says the join is now.
Next take_view(Session& session, const link::JoinerView& view);
// Asks for the view at once and takes it.
Next look_again(Session& session);
// A refusal of a call on this join.
Next take_refusal(Session& session, const Refusal& refusal);

// handle_fetch.cpp, handle_install.cpp
Next fetch(Session& session);
Next install(Session& session);

} // namespace stratum::installer
