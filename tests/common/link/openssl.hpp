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

// openssl's own server on a free port of 127.0.0.1, for as long as the object lives.
class OpensslServer {
public:
    // `flags`: what to serve (-www, -tls1_2, …); `pem`: key and certificate.
    OpensslServer(const std::string& pem, const std::string& flags);
    ~OpensslServer();
    OpensslServer(const OpensslServer&) = delete;
    OpensslServer& operator=(const OpensslServer&) = delete;

    [[nodiscard]] unsigned short port() const { return port_; }
    // All that it said so far.
    [[nodiscard]] std::string said() const;

private:
    TemporaryFile pem_;
    TemporaryFile log_;
    std::string pid_;
    unsigned short port_ = 0;
};

} // namespace stratum::test
