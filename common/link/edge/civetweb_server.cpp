// The HTTPS listener on civetweb and mbedTLS. civetweb accepts, speaks TLS and parses heads; what a
// request is and what an answer looks like is said in civetweb_exchange and http_answer.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <span>

#include <civetweb.h>
#include <mbedtls/ssl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/text.hpp"
#include "common/link/edge/admission.hpp"
#include "common/link/edge/civetweb_exchange.hpp"
#include "common/link/edge/tls_identity.hpp"

namespace stratum::link {
namespace {

constexpr std::size_t kDefaultBodyLimit = 1u << 20;
constexpr int kMaxHeadBytes = 16 * 1024;
// Handlers and answers that are under way at a stop get this long; then their connections end.
constexpr auto kGrace = std::chrono::seconds(3);

// With forward secrecy and authenticated encryption only. mbedTLS does AES-GCM at little more than
// half the speed of ChaCha20-Poly1305, and in TLS 1.3 the client's order counts: without
// AES-256-GCM there, OpenSSL's clients come to ChaCha20; who prefers AES-128-GCM, which everybody
// must know (RFC 8446, 9.1), gets that.
constexpr std::array kCipherSuites = {MBEDTLS_TLS1_3_CHACHA20_POLY1305_SHA256,
                                      MBEDTLS_TLS1_3_AES_128_GCM_SHA256,
                                      MBEDTLS_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
                                      MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
                                      MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
                                      0};

// A file without a name, because civetweb takes key and certificate from a file alone and a secret
// has no business on a disk.
class PemFile {
public:
    explicit PemFile(const std::string& pem)
        : descriptor_(memfd_create("identity", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
        std::string_view left = pem;
        while (descriptor_ >= 0 && !left.empty()) {
            const ssize_t written = ::write(descriptor_, left.data(), left.size());
            if (written <= 0) return;
            left.remove_prefix(static_cast<std::size_t>(written));
        }
        whole_ = descriptor_ >= 0;
    }
    ~PemFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    PemFile(const PemFile&) = delete;
    PemFile& operator=(const PemFile&) = delete;
    [[nodiscard]] bool whole() const { return whole_; }
    [[nodiscard]] std::string path() const {
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

private:
    int descriptor_;
    bool whole_ = false;
};

// Whose answer this thread is at; empty on every other thread.
thread_local std::string request_of_thread;

class CivetServer final : public HttpServer {
public:
    explicit CivetServer(const ServerOptions& options)
        : options_(options), admission_(options.max_connections, options.max_per_address) {}
    ~CivetServer() override;
    CivetServer(const CivetServer&) = delete;
    CivetServer& operator=(const CivetServer&) = delete;

    Status start();
    [[nodiscard]] std::uint16_t port() const override { return port_; }
    [[nodiscard]] bool stopping() const override { return stopping_; }
    void request_stop() override { stopping_ = true; }

private:
    // civetweb's callbacks; none lets an exception out.
    static int on_request(mg_connection* connection);
    static int on_error(mg_connection* connection, int status, const char* message);
    static int on_tls(void* config, void* self);
    static int on_log(const mg_connection*, const char*) { return 1; }
    static int on_connection(const sockaddr* peer, void* self);
    static void on_connection_end(const sockaddr* peer, void* self);

    mg_context* start_civetweb(const std::string& pem_path, std::span<char> error_text);
    int serve(mg_connection* connection);
    ServerAnswer answer_to(Exchange& exchange, ServerRequest& request);
    ServerAnswer handled(const ServerRequest& request);
    ServerAnswer failed(const ServerRequest& request, const char* what);
    void refuse_head(mg_connection* connection, int status);
    void report(const std::string& request_id, const char* what) noexcept;
    void tell(const ServerRequest& request, const ServerAnswer& answer) noexcept;
    Exchange exchange_on(mg_connection* connection);

    ServerOptions options_;
    Admission admission_;
    mg_context* context_ = nullptr;
    std::uint16_t port_ = 0;
    std::atomic<bool> stopping_ = false;
    std::mutex mutex_;
    std::condition_variable idle_;
    int running_ = 0; // requests under way; under mutex_
};

CivetServer* server_of(const mg_connection* connection) {
    return static_cast<CivetServer*>(mg_get_user_data(mg_get_context(connection)));
}

Problem oversize(std::size_t limit) {
    Problem problem;
    problem.code = ProblemCode::kPayloadTooLarge;
    problem.detail = "the body is larger than " + std::to_string(limit) + " bytes";
    return problem;
}

Problem broken_body() {
    Problem problem;
    problem.code = ProblemCode::kInvalidInput;
    problem.detail = "the body did not come whole in time, or its framing does not hold";
    return problem;
}

int CivetServer::on_request(mg_connection* connection) {
    try {
        return server_of(connection)->serve(connection);
    } catch (...) {
        mg_end_connection(connection);
        return 500;
    }
}

int CivetServer::on_error(mg_connection* connection, int status, const char*) {
    try {
        server_of(connection)->refuse_head(connection, status);
    } catch (...) {
        mg_end_connection(connection);
    }
    return 0; // answered: civetweb adds nothing
}

int CivetServer::on_tls(void* config, void* self) {
    auto* tls = static_cast<mbedtls_ssl_config*>(config);
    const auto& options = static_cast<CivetServer*>(self)->options_;
    mbedtls_ssl_conf_min_tls_version(tls, MBEDTLS_SSL_VERSION_TLS1_2);
    mbedtls_ssl_conf_ciphersuites(tls, kCipherSuites.data());
    // Any certificate, its possession proved by the handshake: the handler decides by its key.
    if (options.ask_client_certificate) {
        mbedtls_ssl_conf_authmode(tls, MBEDTLS_SSL_VERIFY_OPTIONAL);
    }
    return 0;
}

int CivetServer::on_connection(const sockaddr* peer, void* self) {
    try {
        return static_cast<CivetServer*>(self)->admission_.admit(peer) ? 1 : 0;
    } catch (...) { // no memory to count it
        return 0;
    }
}

void CivetServer::on_connection_end(const sockaddr* peer, void* self) {
    static_cast<CivetServer*>(self)->admission_.release(peer);
}

Exchange CivetServer::exchange_on(mg_connection* connection) {
    return Exchange(
        connection, [this] { return stopping_.load(); },
        [this] { return admission_.is_crowded(); });
}

void CivetServer::tell(const ServerRequest& request, const ServerAnswer& answer) noexcept {
    try {
        if (options_.on_answer) options_.on_answer(request, answer);
    } catch (...) { // a log that fails must not take the server with it
    }
}

void CivetServer::report(const std::string& request_id, const char* what) noexcept {
    try {
        if (options_.on_fault) options_.on_fault(request_id, what);
    } catch (...) { // a log that fails must not take the server with it
    }
}

ServerAnswer CivetServer::failed(const ServerRequest& request, const char* what) {
    report(request.request_id, what);
    Problem problem;
    problem.code = ProblemCode::kInternal;
    problem.detail = "the server failed at this request; its log says more under the request's id";
    return problem_answer(problem, request);
}

ServerAnswer CivetServer::handled(const ServerRequest& request) {
    try {
        return options_.handler(request);
    } catch (const std::exception& fault) {
        return failed(request, fault.what());
    } catch (...) {
        return failed(request, "an exception of no known type");
    }
}

ServerAnswer CivetServer::answer_to(Exchange& exchange, ServerRequest& request) {
    const auto refusal = exchange.read_head(request);
    request_of_thread = request.request_id;
    if (refusal) {
        exchange.refuse_rest();
        return problem_answer(*refusal, request);
    }
    const std::size_t limit =
        options_.body_limit ? options_.body_limit(request.method, request.path) : kDefaultBodyLimit;
    const BodyState body = exchange.read_body(request, limit);
    if (body == BodyState::kBroken) return problem_answer(broken_body(), request);
    request.body_too_large = body == BodyState::kTooLarge;
    if (!options_.handler) return problem_answer(oversize(limit), request);
    return handled(request);
}

int CivetServer::serve(mg_connection* connection) {
    {
        const std::lock_guard lock(mutex_);
        ++running_;
    }
    struct Done {
        CivetServer& server;
        ~Done() {
            request_of_thread.clear();
            const std::lock_guard lock(server.mutex_);
            --server.running_;
            server.idle_.notify_all();
        }
    } const done{*this};
    if (stopping_) {
        mg_end_connection(connection);
        return 503;
    }
    Exchange exchange = exchange_on(connection);
    ServerRequest request;
    const ServerAnswer answer = answer_to(exchange, request);
    tell(request, answer);
    try {
        exchange.send(answer, request);
    } catch (const std::exception& fault) {
        report(request.request_id, fault.what());
    } catch (...) {
        report(request.request_id, "an exception of no known type");
    }
    return answer.status;
}

// What civetweb itself refuses: a head that is too long, not HTTP, or not complete in time.
void CivetServer::refuse_head(mg_connection* connection, int status) {
    Exchange exchange = exchange_on(connection);
    ServerRequest request;
    request.request_id = to_hex(random_bytes(8));
    request.remote_address = Exchange::peer_of(connection);
    Problem problem;
    problem.code =
        status < 500 || status == 505 ? ProblemCode::kInvalidInput : ProblemCode::kInternal;
    problem.detail = "the head of the request is not HTTP/1.1, did not come whole in time, or is "
                     "longer than 16 KiB";
    exchange.refuse_rest();
    const ServerAnswer answer = problem_answer(problem, request);
    tell(request, answer);
    exchange.send(answer, request);
}

Status CivetServer::start() {
    if (options_.identity == nullptr) {
        return fail(ErrorCode::kInvalid, "a listener needs a key");
    }
    const PemFile pem(options_.identity->private_pem + options_.identity->certificate_pem);
    options_.identity = nullptr; // whose it is may end it once we run
    if (!pem.whole()) return fail(ErrorCode::kIo, "no memory file for the listener's key");
    char text[256] = "";
    context_ = start_civetweb(pem.path(), text);
    if (context_ == nullptr) {
        return fail(ErrorCode::kUnavailable,
                    "cannot listen on " + options_.listen.str() + ": " + to_valid_utf8(text));
    }
    mg_server_port port{};
    if (mg_get_server_ports(context_, 1, &port) == 1) {
        port_ = static_cast<std::uint16_t>(port.port);
    }
    return {};
}

mg_context* CivetServer::start_civetweb(const std::string& pem_path, std::span<char> error_text) {
    const std::string ports = options_.listen.str() + "s";
    const std::string threads = std::to_string(std::clamp(options_.max_connections, 2, 1024));
    const std::string head_bytes = std::to_string(kMaxHeadBytes);
    std::vector<const char*> options;
    const auto set = [&options](const char* name, const char* value) {
        options.insert(options.end(), {name, value});
    };
    set("listening_ports", ports.c_str());
    set("ssl_certificate", pem_path.c_str());
    set("num_threads", threads.c_str());
    // Those that wait for a thread: a burst of machines is not turned away while some answer.
    set("connection_queue", "256");
    set("listen_backlog", "1024");
    set("max_request_size", head_bytes.c_str());
    set("request_timeout_ms", "15000");
    set("enable_keep_alive", "yes");
    set("keep_alive_timeout_ms", "5000"); // an idle connection holds a thread: not for long
    set("tcp_nodelay", "1");
    // Paths are decoded here, strictly; the rest of civetweb is not reached.
    set("decode_url", "no");
    set("decode_query_string", "no");
    set("enable_auth_domain_check", "no");
    set("enable_directory_listing", "no");
    options.push_back(nullptr);
    mg_callbacks callbacks{};
    callbacks.admit_connection = on_connection;
    callbacks.release_connection = on_connection_end;
    callbacks.begin_request = on_request;
    callbacks.http_error = on_error;
    callbacks.init_ssl = on_tls;
    callbacks.log_message = on_log;
    mg_init_data init{};
    init.callbacks = &callbacks;
    init.user_data = this;
    init.configuration_options = options.data();
    mg_error_data error{};
    error.text = error_text.data();
    error.text_buffer_size = error_text.size();
    return mg_start2(&init, &error);
}

CivetServer::~CivetServer() {
    request_stop();
    {
        std::unique_lock lock(mutex_);
        idle_.wait_for(lock, kGrace, [this] { return running_ == 0; });
    }
    // Ends what is still being sent, and waits for every handler.
    if (context_ != nullptr) mg_stop(context_);
}

} // namespace

const std::string& current_request_id() {
    return request_of_thread;
}

Result<std::unique_ptr<HttpServer>> start_server(const ServerOptions& options) {
    if (!IpAddress::parse(options.listen.host)) {
        return fail(ErrorCode::kInvalid, "a listener needs a numeric address, not '" +
                                             to_valid_utf8(options.listen.host) + "'");
    }
    if (const Status ready = prepare_tls(); !ready) return tl::make_unexpected(ready.error());
    static const unsigned features = mg_init_library(MG_FEATURES_TLS);
    if ((features & MG_FEATURES_TLS) == 0) {
        return fail(ErrorCode::kInternal, "the HTTP library was built without TLS");
    }
    auto server = std::make_unique<CivetServer>(options);
    if (const Status started = server->start(); !started) {
        return tl::make_unexpected(started.error());
    }
    return server;
}

} // namespace stratum::link
