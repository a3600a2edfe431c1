// What strangers and people send may hold a secret where none belongs: a token pasted into a path,
// a join code in a reason. Before such text is kept or logged, the secrets in it are taken out.
#pragma once

#include <string>
#include <string_view>

namespace stratum::founder {

// The text with every token (fbt_…), join code and pairing code replaced by what it was.
std::string without_secrets(std::string_view text);

} // namespace stratum::founder
