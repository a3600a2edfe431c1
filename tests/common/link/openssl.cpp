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

OpensslServer::OpensslServer(const std::string& pem, const std::string& flags)
    : pem_(pem), log_("") {
    pid_ = shell("sleep 15 | timeout 15 openssl s_server -accept 127.0.0.1:0 -cert " + pem_.path() +
                 " -key " + pem_.path() + " " + flags + " > " + log_.path() + " 2>&1 & echo $!");
    for (int tries = 0; tries < 100 && port_ == 0; ++tries) {
        const std::string line = said();
        const std::size_t at = line.find("ACCEPT 127.0.0.1:");
        if (at != std::string::npos && line.find('\n', at) != std::string::npos) {
            port_ = static_cast<unsigned short>(std::stoi(line.substr(at + 17)));
        } else {
            usleep(50'000);
        }
    }
}

OpensslServer::~OpensslServer() {
    shell("kill " + pid_);
}

std::string OpensslServer::said() const {
    return shell("cat " + log_.path());
}

} // namespace stratum::test
