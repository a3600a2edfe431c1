// How an attempt ended: stored first, then told until the founder has acknowledged it, and only
// then is it true.
#pragma once

#include <string>

#include "installer/session.hpp"

namespace stratum::installer {

inline constexpr std::string_view kJournalFile = "journal.json";

// The session's reporter for the record's attempt, where there is none yet.
void make_reporter(Session& session);
void show_steps(Session& session);
// Stores `result` (joined, failed) with the words for the console; tell_result does the rest.
Next end_attempt(Session& session, const std::string& result, const Words& words);
Next refuse_delivery(Session& session, const std::string& why);
// Tells the stored result; where it is known, the state is joined or failed.
Next tell_result(Session& session);

} // namespace stratum::installer
