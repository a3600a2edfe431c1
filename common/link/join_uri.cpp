#include "common/base/text.hpp"
#include "common/link/join_code.hpp"

namespace stratum::link {
namespace {

constexpr std::string_view kScheme = "stratum-join://";
constexpr std::size_t kMaxLength = 4096;
constexpr std::size_t kMaxFounders = 16;

// What every refusal of a URI ends with. The text itself is never repeated: it holds the code.
constexpr std::string_view kShape =
    "; a join URI is stratum-join://HOST:PORT[,HOST:PORT...]/CODE?k=FINGERPRINT";

tl::unexpected<Error> refuse(std::string what) {
    return fail(ErrorCode::kInvalid, std::move(what) + std::string(kShape));
}

struct Parts {
    std::string_view founders;
    std::string_view code;
    std::string_view query;
};

Result<Parts> split_uri(std::string_view text) {
    if (text.size() > kMaxLength) return refuse("this is longer than 4096 bytes");
    if (!starts_with_nocase(text, kScheme))
        return refuse("this does not begin with stratum-join://");
    text.remove_prefix(kScheme.size());
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return refuse("no code follows the founder's address");
    Parts parts;
    parts.founders = text.substr(0, slash);
    text.remove_prefix(slash + 1);
    const std::size_t question = text.find('?');
    if (question == std::string_view::npos) {
        return refuse("no founder key: ?k= is missing behind the code");
    }
    parts.code = text.substr(0, question);
    parts.query = text.substr(question + 1);
    return parts;
}

Result<std::vector<HostPort>> parse_founders(std::string_view text) {
    std::vector<HostPort> founders;
    for (const std::string& one : split(text, ',')) {
        Result<HostPort> founder = HostPort::parse(one);
        if (!founder)
            return refuse("the founder's address does not hold: " + founder.error().message);
        if (founder->port == 0) return refuse("the founder's port cannot be 0");
        founders.push_back(*std::move(founder));
    }
    if (founders.size() > kMaxFounders) {
        return refuse(std::to_string(founders.size()) + " founders are named, at most 16 can be");
    }
    return founders;
}

Result<Fingerprint> parse_query(std::string_view query) {
    if (query.empty()) return refuse("no founder key: k= is missing");
    std::optional<Fingerprint> key;
    for (const std::string& pair : split(query, '&')) {
        if (pair.substr(0, 2) != "k=")
            return refuse("behind the ? there is something other than k=");
        if (key) return refuse("k= is given twice");
        if (pair.size() == 2) return refuse("no founder key: k= is empty");
        Result<Fingerprint> parsed = Fingerprint::parse(std::string_view(pair).substr(2));
        if (!parsed) return refuse("k= does not hold: " + parsed.error().message);
        key = *parsed;
    }
    return *key;
}

} // namespace

Result<JoinUri> JoinUri::parse(std::string_view text) {
    const Result<Parts> parts = split_uri(trim(text));
    if (!parts) return tl::make_unexpected(parts.error());
    Result<std::vector<HostPort>> founders = parse_founders(parts->founders);
    if (!founders) return tl::make_unexpected(founders.error());
    const Result<JoinCode> code = JoinCode::parse(parts->code);
    if (!code) return refuse(code.error().message);
    const Result<Fingerprint> key = parse_query(parts->query);
    if (!key) return tl::make_unexpected(key.error());
    return JoinUri{*std::move(founders), *code, *key};
}

std::string JoinUri::str() const {
    std::vector<std::string> hosts;
    for (const HostPort& founder : founders) hosts.push_back(founder.str());
    return std::string(kScheme) + join(hosts, ",") + "/" + code.grouped() +
           "?k=" + founder_key.str();
}

} // namespace stratum::link
