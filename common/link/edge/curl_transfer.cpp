#include "common/link/edge/curl_transfer.hpp"

#include "common/base/text.hpp"

namespace stratum::link {

std::size_t Transfer::on_header(char* data, std::size_t, std::size_t size, void* self) {
    try {
        auto& transfer = *static_cast<Transfer*>(self);
        const std::string_view line = trim({data, size});
        // A new status line: what came before belonged to a 100 Continue.
        if (starts_with_nocase(line, "HTTP/")) transfer.answer.headers.clear();
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) return size;
        transfer.answer.headers.emplace_back(trim(line.substr(0, colon)),
                                             trim(line.substr(colon + 1)));
        return size;
    } catch (...) {
        return 0;
    }
}

std::size_t Transfer::on_body(char* data, std::size_t, std::size_t size, void* self) {
    try {
        // Another number than `size` makes libcurl end the transfer.
        return static_cast<Transfer*>(self)->take({data, size}) ? size : size + 1;
    } catch (...) {
        return size + 1;
    }
}

bool Transfer::take(std::string_view piece) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (on_data != nullptr && status >= 200 && status < 300) {
        ended_by_caller = !(*on_data)(piece);
        return !ended_by_caller;
    }
    too_large = piece.size() > request.max_answer_bytes - answer.body.size();
    if (!too_large) answer.body.append(piece);
    return !too_large;
}

} // namespace stratum::link
