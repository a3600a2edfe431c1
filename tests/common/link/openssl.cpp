#include "tests/common/link/openssl.hpp"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace stratum::test {

TemporaryFile::TemporaryFile(const std::string& content) : path_("/tmp/stratum-test-XXXXXX") {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0 ||
        write(descriptor, content.data(), content.size()) != static_cast<ssize_t>(content.size())) {
        std::abort();
    }
    close(descriptor);
}

TemporaryFile::~TemporaryFile() {
    unlink(path_.c_str());
}

std::string shell(const std::string& command) {
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) std::abort();
    std::string out;
    char buffer[4096];
    std::size_t got = 0;
    while ((got = fread(buffer, 1, sizeof buffer, pipe)) > 0) out.append(buffer, got);
    pclose(pipe);
    return out;
}

std::string openssl(const std::string& arguments, const std::string& input) {
    const TemporaryFile file(input);
    return shell("cat " + file.path() + " | openssl " + arguments + " 2>/dev/null");
}

} // namespace stratum::test
