// Writing to a reader who may be slow, or gone.
#pragma once

#include <string_view>

namespace stratum::app {

// All of it, or false: the reader is gone, or `stop` (a descriptor; −1: none) became readable while
// the reader took nothing. SIGPIPE must be ignored.
bool write_out(int descriptor, std::string_view text, int stop);

} // namespace stratum::app
