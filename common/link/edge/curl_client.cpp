// The HTTPS client on libcurl. What a request may be is checked here; whose key counts, in
// tls_pins.
#include "common/link/http_client.hpp"

#include <algorithm>
#include <atomic>

#include <curl/curl.h>
#include <mbedtls/ssl.h>

#include "common/base/text.hpp"
#include "common/link/edge/curl_transfer.hpp"
#include "common/link/edge/tls_pins.hpp"
#include "common/link/http_values.hpp"

namespace stratum::link {
namespace {

constexpr long kConnectMs = 10'000;
constexpr int kPollMs = 1000;

Status prepare_curl() {
    static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code == CURLE_OK) return prepare_tls();
    return fail(ErrorCode::kInternal, "the HTTP library does not start");
}

struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// libcurl's spelling of several pins.
std::string pin_list(const std::vector<Fingerprint>& pins) {
    std::string list;
    for (const Fingerprint& pin : pins) {
        if (!list.empty()) list += ';';
        list += "sha256//" + to_base64(pin.bytes());
    }
    return list;
}

Status check_request(const HttpRequest& request) {
    const auto plain = [](char c) { return c > ' ' && c < 0x7f; };
    if (request.path.empty() || request.path.front() != '/' ||
        !std::all_of(request.path.begin(), request.path.end(), plain)) {
        return fail(ErrorCode::kInvalid,
                    "the path of a request begins with / and is percent-encoded");
    }
    if (!is_header(request.method, "")) {
        return fail(ErrorCode::kInvalid, "the method of a request is a word");
    }
    for (const auto& [name, value] : request.headers) {
        if (is_header(name, value)) continue;
        return fail(ErrorCode::kInvalid, "the header '" + to_valid_utf8(name) +
                                             "' cannot be sent: it has a character that HTTP "
                                             "does not allow");
    }
    return {};
}

class CurlClient final : public HttpClient {
public:
    explicit CurlClient(const ClientOptions& options)
        : server_(options.server), agent_(options.user_agent), pin_list_(pin_list(options.pins)),
          pins_(options.pins) {}
    ~CurlClient() override = default;
    CurlClient(const CurlClient&) = delete;
    CurlClient& operator=(const CurlClient&) = delete;

    Status prepare(const KeyPair* identity);
    Result<HttpAnswer> send(const HttpRequest& request) override {
        return exchange(request, nullptr);
    }
    Result<HttpAnswer> stream(const HttpRequest& request,
                              const std::function<bool(std::string_view)>& on_data) override {
        return exchange(request, &on_data);
    }
    void stop() override {
        stopped_ = true;
        if (multi_) curl_multi_wakeup(multi_.get());
    }
    // Connects and says whose key is there; for a client without pins.
    Result<Fingerprint> ask(std::int64_t timeout_ms);

private:
    static CURLcode on_tls(CURL*, void* config, void* self);

    Result<HttpAnswer> exchange(const HttpRequest& request,
                                const std::function<bool(std::string_view)>* on_data);
    Status set_connection(std::int64_t timeout_ms);
    Status set_request(const HttpRequest& request, Transfer& transfer);
    void set_method(Setter& options, const HttpRequest& request);
    Result<CURLcode> run();
    [[nodiscard]] Error error_of(CURLcode code) const;
    [[nodiscard]] Error wrong_key() const;
    [[nodiscard]] bool is_connected() const;

    HostPort server_;
    std::string agent_;
    std::string pin_list_;
    PinCheck pins_;
    std::unique_ptr<TlsIdentity> identity_;
    std::unique_ptr<CURLM, FreeMulti> multi_;
    std::unique_ptr<CURL, FreeEasy> easy_;
    std::unique_ptr<curl_slist, FreeList> headers_;
    char detail_[CURL_ERROR_SIZE] = "";
    std::atomic<bool> stopped_ = false;
};

Status CurlClient::prepare(const KeyPair* identity) {
    if (identity != nullptr) {
        auto parsed = TlsIdentity::parse(identity->private_pem + identity->certificate_pem);
        if (!parsed) return fail_in("this side's key", parsed.error());
        identity_ = *std::move(parsed);
    }
    multi_.reset(curl_multi_init());
    easy_.reset(curl_easy_init());
    if (!multi_ || !easy_) return fail(ErrorCode::kInternal, "the HTTP library does not start");
    // Said now rather than at the first call: a libcurl that cannot pin is of no use.
    return set_connection(1000);
}

CURLcode CurlClient::on_tls(CURL*, void* config, void* self) {
    auto& client = *static_cast<CurlClient*>(self);
    client.pins_.install(*static_cast<mbedtls_ssl_config*>(config), client.identity_.get());
    return CURLE_OK;
}

Status CurlClient::set_connection(std::int64_t timeout_ms) {
    curl_easy_reset(easy_.get());
    detail_[0] = '\0';
    Setter options(easy_.get());
    options.set(CURLOPT_ERRORBUFFER, detail_);
    options.set(CURLOPT_NOSIGNAL, 1L);
    options.set(CURLOPT_QUICK_EXIT, 1L);
    options.set(CURLOPT_PROTOCOLS_STR, "https");
    options.set(CURLOPT_FOLLOWLOCATION, 0L);
    options.set(CURLOPT_PROXY, "");
    options.set(CURLOPT_NOPROXY, "*");
    options.set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    options.set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    options.set(CURLOPT_SSL_VERIFYPEER, 0L);
    options.set(CURLOPT_SSL_VERIFYHOST, 0L);
    options.set(CURLOPT_SSL_SESSIONID_CACHE, 0L); // a resumed session shows no certificate
    options.set(CURLOPT_SSL_CTX_FUNCTION, on_tls);
    options.set(CURLOPT_SSL_CTX_DATA, this);
    if (!pin_list_.empty()) options.set(CURLOPT_PINNEDPUBLICKEY, pin_list_.c_str());
    options.set(CURLOPT_TCP_KEEPALIVE, 1L);
    options.set(CURLOPT_TCP_KEEPIDLE, 15L);
    options.set(CURLOPT_TCP_KEEPINTVL, 5L);
    const long limit = static_cast<long>(std::max<std::int64_t>(timeout_ms, 0));
    options.set(CURLOPT_TIMEOUT_MS, limit);
    options.set(CURLOPT_CONNECTTIMEOUT_MS, limit > 0 ? std::min(limit, kConnectMs) : kConnectMs);
    return options.status();
}

void CurlClient::set_method(Setter& options, const HttpRequest& request) {
    if (request.method == "HEAD" && !request.body) {
        options.set(CURLOPT_NOBODY, 1L);
        return;
    }
    const bool takes_body = request.method == "POST" || request.method == "PUT";
    if (request.body || takes_body) {
        options.set(CURLOPT_POST, 1L);
        const std::string_view body = request.body ? *request.body : std::string_view("");
        options.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        options.set(CURLOPT_POSTFIELDS, body.data());
    }
    options.set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

Status CurlClient::set_request(const HttpRequest& request, Transfer& transfer) {
    Setter options(easy_.get());
    const std::string url = "https://" + server_.str() + request.path;
    options.set(CURLOPT_URL, url.c_str());
    options.set(CURLOPT_PATH_AS_IS, 1L);
    options.set(CURLOPT_USERAGENT, agent_.c_str());
    set_method(options, request);
    headers_.reset();
    const auto add = [this](const std::string& line) {
        headers_.reset(curl_slist_append(headers_.release(), line.c_str()));
    };
    for (const auto& [name, value] : request.headers) {
        // libcurl takes an empty value only with ; instead of :
        std::string line = name;
        line.append(value.empty() ? ";" : ": ").append(value);
        add(line);
    }
    if (request.body && !find_header(request.headers, "Content-Type")) {
        add("Content-Type: application/json");
    }
    options.set(CURLOPT_HTTPHEADER, headers_.get());
    options.set(CURLOPT_HEADERFUNCTION, Transfer::on_header);
    options.set(CURLOPT_HEADERDATA, &transfer);
    options.set(CURLOPT_WRITEFUNCTION, Transfer::on_body);
    options.set(CURLOPT_WRITEDATA, &transfer);
    return options.status();
}

// Drives the one transfer; the connection stays in the multi handle for the next.
Result<CURLcode> CurlClient::run() {
    pins_.forget();
    curl_multi_add_handle(multi_.get(), easy_.get());
    int running = 1;
    CURLMcode code = CURLM_OK;
    while (running > 0 && code == CURLM_OK && !stopped_) {
        code = curl_multi_perform(multi_.get(), &running);
        if (running > 0 && code == CURLM_OK && !stopped_) {
            code = curl_multi_poll(multi_.get(), nullptr, 0, kPollMs, nullptr);
        }
    }
    std::optional<CURLcode> result;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg == CURLMSG_DONE) result = message->data.result;
    }
    curl_multi_remove_handle(multi_.get(), easy_.get());
    if (result) return *result;
    if (stopped_) return fail(ErrorCode::kUnavailable, "stopped");
    return fail(ErrorCode::kInternal,
                std::string("the HTTP library: ") + curl_multi_strerror(code));
}

Result<HttpAnswer> CurlClient::exchange(const HttpRequest& request,
                                        const std::function<bool(std::string_view)>* on_data) {
    if (stopped_) return fail(ErrorCode::kUnavailable, "stopped");
    if (const Status good = check_request(request); !good) {
        return tl::make_unexpected(good.error());
    }
    Transfer transfer{request, on_data, easy_.get(), {}, false, false};
    Status ready = set_connection(request.timeout_ms);
    if (ready) ready = set_request(request, transfer);
    if (!ready) return tl::make_unexpected(ready.error());
    const Result<CURLcode> code = run();
    if (!code) return tl::make_unexpected(code.error());
    if (transfer.too_large) {
        return fail(ErrorCode::kTooLarge, "the answer of " + server_.str() + " is larger than " +
                                              std::to_string(request.max_answer_bytes) + " bytes");
    }
    if (*code != CURLE_OK && !transfer.ended_by_caller) {
        return tl::make_unexpected(error_of(*code));
    }
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    transfer.answer.status = static_cast<int>(status);
    return std::move(transfer.answer);
}

bool CurlClient::is_connected() const {
    curl_off_t microseconds = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_PRETRANSFER_TIME_T, &microseconds);
    return microseconds > 0;
}

Error CurlClient::wrong_key() const {
    const std::string found = pins_.seen() ? pins_.seen()->str() : "unknown";
    return Error{ErrorCode::kDenied,
                 "the key of " + server_.str() + " is " + found +
                     ", not the one that is expected here; nothing was sent to it",
                 {}};
}

Error CurlClient::error_of(CURLcode code) const {
    if (pins_.refused() || code == CURLE_SSL_PINNEDPUBKEYNOTMATCH ||
        code == CURLE_PEER_FAILED_VERIFICATION) {
        return wrong_key();
    }
    ErrorCode kind = ErrorCode::kUnavailable;
    if (code == CURLE_OPERATION_TIMEDOUT && is_connected()) kind = ErrorCode::kTimeout;
    if (code == CURLE_WEIRD_SERVER_REPLY || code == CURLE_UNSUPPORTED_PROTOCOL ||
        code == CURLE_BAD_CONTENT_ENCODING || code == CURLE_URL_MALFORMAT) {
        kind = ErrorCode::kInvalid;
    }
    const std::string detail = detail_[0] != '\0' ? detail_ : curl_easy_strerror(code);
    return Error{kind, server_.str() + ": " + to_valid_utf8(detail), {}};
}

Result<Fingerprint> CurlClient::ask(std::int64_t timeout_ms) {
    if (const Status ready = set_connection(timeout_ms); !ready) {
        return tl::make_unexpected(ready.error());
    }
    Setter options(easy_.get());
    const std::string url = "https://" + server_.str() + "/";
    options.set(CURLOPT_URL, url.c_str());
    options.set(CURLOPT_CONNECT_ONLY, 1L);
    if (const Status ready = options.status(); !ready) return tl::make_unexpected(ready.error());
    const Result<CURLcode> code = run();
    if (!code) return tl::make_unexpected(code.error());
    if (*code != CURLE_OK) return tl::make_unexpected(error_of(*code));
    // The handshake is over: whoever answered has proved to hold this key.
    if (pins_.seen()) return *pins_.seen();
    return fail(ErrorCode::kUnavailable, server_.str() + " showed no key");
}

Status check_server(const HostPort& server) {
    if (server.port != 0 && HostPort::parse(server.str())) return {};
    return fail(ErrorCode::kInvalid,
                "'" + to_valid_utf8(server.str()) + "' is no address to connect to");
}

} // namespace

Result<std::unique_ptr<HttpClient>> make_client(const ClientOptions& options) {
    if (options.pins.empty()) {
        return fail(ErrorCode::kInvalid, "no founder key: without the key that " +
                                             options.server.str() +
                                             " must have, nothing is sent to it");
    }
    if (const Status good = check_server(options.server); !good) {
        return tl::make_unexpected(good.error());
    }
    if (const Status ready = prepare_curl(); !ready) return tl::make_unexpected(ready.error());
    auto client = std::make_unique<CurlClient>(options);
    if (const Status ready = client->prepare(options.identity); !ready) {
        return tl::make_unexpected(ready.error());
    }
    return client;
}

Result<Fingerprint> ask_key(const HostPort& server, std::int64_t timeout_ms) {
    if (const Status good = check_server(server); !good) return tl::make_unexpected(good.error());
    if (const Status ready = prepare_curl(); !ready) return tl::make_unexpected(ready.error());
    ClientOptions options;
    options.server = server;
    CurlClient client(options);
    if (const Status ready = client.prepare(nullptr); !ready) {
        return tl::make_unexpected(ready.error());
    }
    return client.ask(timeout_ms);
}

} // namespace stratum::link
