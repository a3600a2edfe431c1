// One exchange over libcurl: its options, and what its callbacks fill.
#pragma once

#include <functional>
#include <string>

#include <curl/curl.h>

#include "common/link/http_client.hpp"

namespace stratum::link {

// Sets options and remembers the first that this libcurl does not take: then nothing is sent.
class Setter {
public:
    explicit Setter(CURL* easy) : easy_(easy) {}
    template<class T>
    void set(CURLoption option, T value) {
        if (code_ == CURLE_OK) code_ = curl_easy_setopt(easy_, option, value);
    }
    [[nodiscard]] Status status() const {
        if (code_ == CURLE_OK) return {};
        return fail(ErrorCode::kInternal,
                    std::string("the HTTP library does not take an option that is needed (") +
                        curl_easy_strerror(code_) + "); nothing is sent without it");
    }

private:
    CURL* easy_;
    CURLcode code_ = CURLE_OK;
};

// One exchange under way: what libcurl's callbacks fill.
struct Transfer {
    const HttpRequest& request;
    const std::function<bool(std::string_view)>* on_data; // nullptr: keep the body
    CURL* easy;
    HttpAnswer answer;
    bool too_large = false;
    bool ended_by_caller = false;

    static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self);
    static std::size_t on_body(char* data, std::size_t, std::size_t size, void* self);
    bool take(std::string_view piece);
};

} // namespace stratum::link
