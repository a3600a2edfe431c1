// openssl's command line as the second opinion on keys and certificates.
#pragma once

#include <string>

namespace stratum::test {

// What `openssl ARGUMENTS` (a shell's words, pipes allowed) writes, with `input` on its standard
// input.
std::string openssl(const std::string& arguments, const std::string& input);

// What a shell command writes.
std::string shell(const std::string& command);

// A file in /tmp with mode 0600 that goes away with the object.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& content);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace stratum::test
