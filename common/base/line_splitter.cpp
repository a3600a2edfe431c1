#include "common/base/line_splitter.hpp"

#include <algorithm>

namespace stratum {

void LineSplitter::feed(std::string_view piece, const Visit& visit) {
    for (;;) {
        const std::size_t end = piece.find('\n');
        keep(piece.substr(0, end));
        if (end == std::string_view::npos) return;
        give(visit);
        piece.remove_prefix(end + 1);
    }
}

void LineSplitter::finish(const Visit& visit) {
    if (!line_.empty()) give(visit);
}

void LineSplitter::keep(std::string_view piece) {
    line_ += piece.substr(0, std::min(piece.size(), kMaxLineBytes - line_.size()));
}

void LineSplitter::give(const Visit& visit) {
    if (line_.ends_with('\r')) line_.pop_back();
    // Emptied before the call: whoever is called may throw.
    const std::string line = std::move(line_);
    line_.clear();
    visit(line);
}

} // namespace stratum
