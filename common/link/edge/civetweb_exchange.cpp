#include "common/link/edge/civetweb_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include <civetweb.h>
#include <mbedtls/ssl.h>

#include "common/base/clock.hpp"
#include "common/base/hash.hpp"
#include "common/base/text.hpp"
#include "common/link/edge/tls_identity.hpp"
#include "common/link/http_values.hpp"

namespace stratum::link {
namespace {

// civetweb keeps this many headers and drops the rest in silence.
constexpr int kMaxHeaders = 64;
constexpr std::size_t kPiece = 64 * 1024;

std::string new_request_id() {
    return to_hex(random_bytes(8));
}

std::optional<Fingerprint> peer_key(const mg_connection* connection) {
    const auto* session = static_cast<const mbedtls_ssl_context*>(mg_get_tls_session(connection));
    const mbedtls_x509_crt* peer =
        session != nullptr ? mbedtls_ssl_get_peer_cert(session) : nullptr;
    if (peer == nullptr) return std::nullopt;
    return fingerprint_of(*peer);
}

// ::ffff:10.0.0.1 becomes 10.0.0.1; what is no plain address (a zone) stays as it is.
std::string address_of(const char* text) {
    const Result<IpAddress> address = IpAddress::parse(text);
    return address ? address->str() : std::string(text);
}

Problem bad_request(std::string detail) {
    Problem problem;
    problem.code = ProblemCode::kInvalidInput;
    problem.detail = std::move(detail);
    return problem;
}

std::vector<std::string> all_of(const Headers& headers, std::string_view wanted) {
    std::vector<std::string> found;
    for (const auto& [name, value] : headers)
        if (lower(name) == wanted) found.push_back(value);
    return found;
}

bool is_length(std::string_view text) {
    return !text.empty() && text.size() < 19 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Two readers of one request must not see different bodies: one framing, said once.
std::optional<Problem> check_framing(const Headers& headers, bool is_old) {
    const auto lengths = all_of(headers, "content-length");
    const auto codings = all_of(headers, "transfer-encoding");
    if (lengths.size() > 1) return bad_request("Content-Length is given more than once");
    if (!lengths.empty() && !is_length(lengths.front()))
        return bad_request("Content-Length is not a number");
    if (codings.empty()) return std::nullopt;
    if (!lengths.empty())
        return bad_request("Content-Length and Transfer-Encoding are given together");
    if (is_old) return bad_request("HTTP/1.0 has no Transfer-Encoding");
    if (codings.size() > 1 || lower(codings.front()) != "chunked")
        return bad_request("Transfer-Encoding can only be chunked, and once");
    return std::nullopt;
}

// One host, as HTTP/1.1 needs it; which one is nothing to us.
std::optional<Problem> check_host(const Headers& headers, bool is_old) {
    const auto hosts = all_of(headers, "host");
    if (hosts.empty() && is_old) return std::nullopt;
    if (hosts.size() != 1) return bad_request("the request must have one Host, and only one");
    if (!is_host(hosts.front())) return bad_request("Host is no name or address");
    return std::nullopt;
}

bool has_good_names(const Headers& headers) {
    return std::all_of(headers.begin(), headers.end(),
                       [](const auto& one) { return is_header(one.first, one.second); });
}

bool is_old_version(const mg_request_info& info) {
    return info.http_version != nullptr && std::string_view(info.http_version) == "1.0";
}

// The target's path, and its query.
std::optional<Problem> read_target(const mg_request_info& info, ServerRequest& request) {
    request.query = info.query_string != nullptr ? info.query_string : "";
    Result<std::string> path =
        target_path(request.method, info.local_uri_raw != nullptr ? info.local_uri_raw : "");
    if (!path) return bad_request(path.error().message);
    if (*path == "*" ? info.query_string != nullptr : request.query.find('#') != std::string::npos)
        return bad_request("the query has a #, or belongs to no path");
    request.path = *std::move(path);
    return std::nullopt;
}

bool is_method(std::string_view method) {
    return std::all_of(method.begin(), method.end(),
                       [](char c) { return (c >= 'A' && c <= 'Z') || c == '-'; });
}

} // namespace

Exchange::Exchange(mg_connection* connection, std::function<bool()> stopping,
                   std::function<bool()> crowded)
    : connection_(connection), stopping_(std::move(stopping)), crowded_(std::move(crowded)) {}

std::optional<Problem> Exchange::read_head(ServerRequest& request) {
    const mg_request_info& info = *mg_get_request_info(connection_);
    request.request_id = new_request_id();
    request.stopping = stopping_;
    request.is_crowded = crowded_;
    request.method = info.request_method != nullptr ? info.request_method : "";
    request.remote_address = peer_of(connection_);
    request.client_key = peer_key(connection_);
    for (int at = 0; at < info.num_headers; ++at) {
        request.headers.emplace_back(info.http_headers[at].name, info.http_headers[at].value);
    }
    unread_ = info.content_length > 0 || find_header(request.headers, "Transfer-Encoding");
    const bool is_old = is_old_version(info);
    waits_for_continue_ = !is_old && lists_word(request.headers, "Expect", "100-continue");
    is_kept_ = !lists_word(request.headers, "Connection", "close") &&
               (!is_old || lists_word(request.headers, "Connection", "keep-alive"));
    if (auto refusal = read_target(info, request)) return refusal;
    if (!is_method(request.method)) return bad_request("the method is not in capital letters");
    if (info.num_headers >= kMaxHeaders) return bad_request("the request has too many headers");
    if (!has_good_names(request.headers)) return bad_request("a header's name is none");
    if (auto refusal = check_host(request.headers, is_old)) return refusal;
    return check_framing(request.headers, is_old);
}

std::string Exchange::peer_of(const mg_connection* connection) {
    return address_of(mg_get_request_info(connection)->remote_addr);
}

BodyState Exchange::read_body(ServerRequest& request, std::size_t limit) {
    if (!unread_) return BodyState::kWhole;
    const long long announced = mg_get_request_info(connection_)->content_length; // −1: chunked
    if (announced > 0 && static_cast<unsigned long long>(announced) > limit) {
        return BodyState::kTooLarge;
    }
    if (waits_for_continue_) {
        waits_for_continue_ = false;
        if (!write("HTTP/1.1 100 Continue\r\n\r\n")) return broken();
    }
    const bool chunked = announced < 0;
    std::string piece(kPiece, '\0');
    while (true) {
        std::size_t wanted = piece.size();
        if (!chunked) {
            wanted = std::min(wanted, static_cast<std::size_t>(announced) - request.body.size());
        }
        const int got = wanted > 0 ? mg_read(connection_, piece.data(), wanted) : 0;
        // civetweb gives all that is wanted, or less where the time was over or the peer is gone.
        if (got < 0 || (!chunked && static_cast<std::size_t>(got) != wanted)) return broken();
        if (got == 0) break;
        if (request.body.size() + static_cast<std::size_t>(got) > limit) {
            request.body.clear();
            return BodyState::kTooLarge;
        }
        request.body.append(piece, 0, static_cast<std::size_t>(got));
    }
    unread_ = false;
    return BodyState::kWhole;
}

BodyState Exchange::broken() {
    unread_ = false; // nothing more is waited for
    refuse_rest();
    return BodyState::kBroken;
}

void Exchange::send(const ServerAnswer& answer, const ServerRequest& request) {
    HeadOptions options;
    options.is_head = request.method == "HEAD";
    options.is_old = is_old_version(*mg_get_request_info(connection_));
    options.unix_seconds = system_clock().unix_seconds();
    const Framing framing = framing_of(answer, options);
    const bool stays = is_kept_ && !answer.close && !ending_ && !unread_ && !stopping_() &&
                       !crowded_() && framing != Framing::kToEnd;
    options.keep_alive = stays;
    if (unread_) refuse_rest();
    if (!stays) end_connection();
    std::string head = head_of(answer, request.request_id, options);
    if (answer.stream && framing != Framing::kNone) {
        if (write(head)) send_stream(answer, framing);
    } else {
        if (framing == Framing::kLength) head += answer.body;
        write(head);
    }
    if (failed_) end_connection();
}

void Exchange::send_stream(const ServerAnswer& answer, Framing framing) {
    std::uint64_t sent = 0;
    bool cut = false;
    const auto write_piece = [&](std::string_view piece) {
        cut = cut || failed_ || stopping_();
        if (cut) return false;
        if (piece.empty()) return true; // an empty chunk would be the end
        sent += piece.size();
        if (framing != Framing::kChunked) return write(piece);
        std::array<char, 24> length{};
        const int digits = std::snprintf(length.data(), length.size(), "%zx\r\n", piece.size());
        std::string chunk(length.data(), static_cast<std::size_t>(digits));
        chunk.append(piece).append("\r\n");
        return write(chunk);
    };
    // Whatever goes wrong from here on can only be told by the connection's end.
    try {
        answer.stream(write_piece);
    } catch (...) {
        end_connection();
        throw;
    }
    // A stream that was cut has no proper end: the peer must not take it for whole.
    if (framing == Framing::kChunked && !cut) write("0\r\n\r\n");
    const bool short_of_length =
        framing == Framing::kLength &&
        std::to_string(sent) != find_header(answer.headers, "Content-Length");
    if (cut || short_of_length) end_connection();
}

bool Exchange::write(std::string_view bytes) {
    while (!bytes.empty() && !failed_) {
        const std::string_view part = bytes.substr(0, 1u << 30);
        const int sent = mg_write(connection_, part.data(), part.size());
        failed_ = sent < 0 || static_cast<std::size_t>(sent) != part.size();
        bytes.remove_prefix(part.size());
    }
    return !failed_;
}

void Exchange::end_connection() {
    ending_ = true;
    mg_end_connection(connection_);
}

void Exchange::refuse_rest() {
    ending_ = true;
    // Who waits for 100 Continue has sent nothing yet.
    if (waits_for_continue_) return mg_end_connection(connection_);
    mg_end_connection_gently(connection_);
}

} // namespace stratum::link
