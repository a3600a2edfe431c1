// The one question that a health check asks over HTTP, on libcurl. Only the status counts.
#include <memory>
#include <string>
#include <string_view>

#include <curl/curl.h>
#include <psa/crypto.h>

#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "common/health/run.hpp"

namespace stratum::health {
namespace {

struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};

bool prepare() {
    static const bool ready =
        curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK && psa_crypto_init() == PSA_SUCCESS;
    return ready;
}

class Probe {
public:
    explicit Probe(const UrlQuestion& question) : question_(question), easy_(curl_easy_init()) {}

    Result<int> ask() {
        if (!easy_) return fail(ErrorCode::kInternal, "the HTTP library does not start");
        set_all();
        if (refused_ != CURLE_OK)
            return fail(ErrorCode::kInternal,
                        std::string("the HTTP library: ") + curl_easy_strerror(refused_));
        const CURLcode code = curl_easy_perform(easy_.get());
        if (status_ != 0) return static_cast<int>(status_);
        return tl::make_unexpected(error_of(code));
    }

private:
    // The empty line behind the answer's headers ends the exchange: the body is nobody's business,
    // however large it is, and however it ends.
    static std::size_t on_header(char* line, std::size_t, std::size_t size, void* self) {
        Probe& probe = *static_cast<Probe*>(self);
        if (std::string_view(line, size) != "\r\n" && std::string_view(line, size) != "\n")
            return size;
        long status = 0;
        curl_easy_getinfo(probe.easy_.get(), CURLINFO_RESPONSE_CODE, &status);
        if (status < 200) return size; // 100: the answer is still to come
        probe.status_ = status;
        return 0;
    }

    template<class T>
    void set(CURLoption option, T value) {
        if (refused_ == CURLE_OK) refused_ = curl_easy_setopt(easy_.get(), option, value);
    }

    void set_all() {
        set(CURLOPT_URL, question_.url.c_str());
        set(CURLOPT_ERRORBUFFER, detail_);
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_QUICK_EXIT, 1L);
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_FOLLOWLOCATION, 0L);
        set(CURLOPT_PROXY, "");
        set(CURLOPT_NOPROXY, "*");
        set(CURLOPT_USERAGENT, "firstboot-health");
        set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
        set(CURLOPT_TIMEOUT_MS, static_cast<long>(question_.timeout_ms));
        set(CURLOPT_HEADERFUNCTION, on_header);
        set(CURLOPT_HEADERDATA, static_cast<void*>(this));
        set_tls();
    }

    // Who may answer: whom the CA signed for this name, the pinned key, or both.
    void set_tls() {
        const bool by_ca = !question_.ca_pem.empty();
        set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
        set(CURLOPT_SSL_SESSIONID_CACHE, 0L);
        set(CURLOPT_SSL_VERIFYPEER, by_ca ? 1L : 0L);
        set(CURLOPT_SSL_VERIFYHOST, by_ca ? 2L : 0L);
        if (by_ca) {
            curl_blob blob{};
            blob.data = const_cast<char*>(question_.ca_pem.data()); // (copied, not written)
            blob.len = question_.ca_pem.size();
            blob.flags = CURL_BLOB_COPY;
            set(CURLOPT_CAINFO_BLOB, &blob);
        }
        if (question_.pin.empty()) return;
        const auto bytes = from_hex(question_.pin);
        pin_ = "sha256//" + to_base64(bytes.value_or(std::vector<std::uint8_t>{}));
        set(CURLOPT_PINNEDPUBLICKEY, pin_.c_str());
    }

    [[nodiscard]] Error error_of(CURLcode code) const {
        switch (code) {
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
        case CURLE_SSL_CACERT_BADFILE:
            return {ErrorCode::kDenied, "the key that answers there is not one that may", {}};
        case CURLE_OPERATION_TIMEDOUT:
            return {ErrorCode::kTimeout, "no answer in time", {}};
        default:
            const std::string detail = detail_[0] != '\0' ? detail_ : curl_easy_strerror(code);
            return {ErrorCode::kUnavailable, to_valid_utf8(detail).substr(0, 200), {}};
        }
    }

    const UrlQuestion& question_;
    std::unique_ptr<CURL, FreeEasy> easy_;
    CURLcode refused_ = CURLE_OK;
    std::string pin_;
    long status_ = 0;
    char detail_[CURL_ERROR_SIZE] = "";
};

} // namespace

Result<int> probe_url(const UrlQuestion& question) {
    if (!prepare()) return fail(ErrorCode::kInternal, "the HTTP library does not start");
    // An https question without a known key asks nobody: it is refused where it is configured, too.
    const bool is_https = question.url.starts_with("https://");
    if (is_https && question.ca_pem.empty() && question.pin.empty())
        return fail(ErrorCode::kInvalid, "https without a CA or a pinned key");
    return Probe(question).ask();
}

} // namespace stratum::health
