// HTTP's names, paths and queries as values: pure, strict, shared by server and client.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/result.hpp"

namespace stratum::link {

using Headers = std::vector<std::pair<std::string, std::string>>;

// The value of the first header of that name, without case; nothing where it is absent.
std::optional<std::string> find_header(const Headers& headers, std::string_view name);

// May this stand in a header: a token as name; no control characters but tab in the value.
bool is_header(std::string_view name, std::string_view value);

// The path of a request: begins with /, percent-decoded once, valid UTF-8. Refused are a bad
// percent sign, an encoded slash, control characters, and . or .. as a segment: whoever looks for a
// file below a folder gets nothing that leads out of it.
Result<std::string> decode_path(std::string_view raw);

// The path that a request's target names, decoded as above: of a path itself, of a whole address
// (https://host[:port]/path; under which name we are reached is not ours to know, so that any host
// is this one), or "*", which is for OPTIONS alone. `target` is without its query.
Result<std::string> target_path(std::string_view method, std::string_view target);

// May this stand in Host: a name or an address (IPv6 in brackets), and a port or none.
bool is_host(std::string_view text);

// Does a header that is a list of words (Connection) have this one, in any of its lines?
bool lists_word(const Headers& headers, std::string_view name, std::string_view word);

// The decoded value of the first query parameter of that name (+ is a space); nothing where it is
// absent or does not decode to UTF-8.
std::optional<std::string> query_parameter(std::string_view query, std::string_view name);

// Percent-encodes what is not a letter, a digit or one of -._~, so that any text is one segment of
// a path, or one value of a query. (Whether "." and ".." may stand there is the caller's question.)
std::string encode_segment(std::string_view text);
// The same for a whole decoded path: its slashes stay.
std::string encode_path(std::string_view path);

// Does an Accept header allow an answer of this type? The most specific range decides; an empty
// header allows all, and an empty type (nothing is answered) is always allowed.
bool accepts(std::string_view accept, std::string_view type);
// Does an If-None-Match header list this ETag (weakly compared), or is it *?
bool lists_etag(std::string_view if_none_match, std::string_view etag);

// "Mon, 30 Nov 2026 12:00:00 GMT", for the Date header.
std::string http_date(std::int64_t unix_seconds);

// The words that stand behind a status: 404 is "Not Found". "Status" for an unknown number.
std::string_view reason_phrase(int status);

} // namespace stratum::link
