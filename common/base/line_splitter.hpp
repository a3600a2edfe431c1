// A program's output as whole lines, while it comes in pieces.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace stratum {

class LineSplitter {
public:
    using Visit = std::function<void(const std::string& line)>;
    // What a longer line has beyond this is dropped: a program may never write a newline.
    static constexpr std::size_t kMaxLineBytes = 64 * 1024;

    // Calls `visit` with each line that is whole now, without its end (\n or \r\n).
    void feed(std::string_view piece, const Visit& visit);
    // The last line, where no newline ended it.
    void finish(const Visit& visit);

private:
    void keep(std::string_view piece);
    void give(const Visit& visit);

    std::string line_;
};

} // namespace stratum
