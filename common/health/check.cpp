#include "common/health/check.hpp"

#include <algorithm>
#include <set>

#include "common/base/document.hpp"
#include "common/base/finding_places.hpp"
#include "common/base/net.hpp"
#include "common/base/reader.hpp"
#include "common/base/text.hpp"

namespace stratum::health {
namespace {

constexpr std::size_t kLongestUrl = 2000;

// HOST or HOST:PORT, in brackets for IPv6.
bool is_authority(const std::string& text) {
    if (const auto whole = HostPort::parse(text)) return true;
    return HostPort::parse(text + ":1").has_value();
}

std::string url_fault(const std::string& url) {
    const bool plain =
        std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c < 127; });
    const auto scheme_end = url.find("://");
    const std::string scheme = url.substr(0, scheme_end);
    if (scheme_end == std::string::npos || (scheme != "http" && scheme != "https"))
        return "must begin with http:// or https://";
    if (!plain || url.size() > kLongestUrl)
        return "must be printable ASCII without spaces, at most 2000 characters";
    const std::string rest = url.substr(scheme_end + 3);
    const std::string authority = rest.substr(0, rest.find_first_of("/?#"));
    if (authority.find('@') != std::string::npos)
        return "must not hold a user or password: what stands here is read by many";
    if (url.find('#') != std::string::npos) return "must not have a fragment (#…)";
    return is_authority(authority) ? "" : "has no host, or a port that is none";
}

Result<std::string> parse_pin(std::string_view text) {
    const auto bytes = from_hex(text);
    if (bytes && bytes->size() == 32) return lower(text);
    return fail(ErrorCode::kInvalid, "needs 64 hex digits: the SHA-256 of the server's public key");
}

void read_tls(ObjectReader& reader, Check& check) {
    const bool is_https = check.url.starts_with("https://");
    check.ca_file = reader.optional_string("caFile").value_or("");
    check.pin = reader.optional_parsed("pin", parse_pin).value_or("");
    const bool has_ca = reader.has("caFile");
    const bool has_pin = reader.has("pin");
    if (has_ca && !check.ca_file.starts_with('/'))
        reader.add("caFile", "must be an absolute path to a PEM file");
    if (is_https && !has_ca && !has_pin)
        reader.add("url", "https needs caFile or pin: who may answer there is not known otherwise");
    for (const char* name : {"caFile", "pin"})
        if (!is_https && reader.has(name)) reader.add(name, "is for an https:// url only");
}

void read_what(ObjectReader& reader, Check& check) {
    check.command = reader.optional_strings("command").value_or(check.command);
    check.url = reader.optional_string("url").value_or("");
    const bool has_command = reader.has("command");
    const bool has_url = reader.has("url");
    if (has_command == has_url)
        reader.add(has_command ? "url" : "command",
                   "a check is either a command or a url, exactly one of them");
    if (has_command && (check.command.empty() || check.command.front().empty()))
        reader.add("command", "must name a program and its arguments, as a list");
    if (!has_url) check.url.clear();
    if (const std::string fault = has_url ? url_fault(check.url) : ""; !fault.empty())
        reader.add("url", fault);
    read_tls(reader, check);
    if (!has_url && reader.has("expectStatus")) reader.add("expectStatus", "is for a url only");
    check.expect_status = reader.optional_int("expectStatus", 100, 599).value_or(200);
}

Check read_check(const Node& node, const FieldPath& path, Findings& findings) {
    ObjectReader reader(node, path, findings);
    Check check;
    check.name = reader.required_string("name");
    if (reader.has("name") && !is_label(check.name))
        reader.add("name", "must be a label: lower-case letters, digits and hyphens");
    read_what(reader, check);
    check.every_s = reader.optional_int("everySeconds", 5, 3600).value_or(check.every_s);
    check.timeout_s = reader.optional_int("timeoutSeconds", 1, 60).value_or(check.timeout_s);
    reader.finish();
    return check;
}

void read_body(const Node& root, Findings& findings, ReadChecks& read) {
    ObjectReader reader(root, {}, findings);
    reader.required_int("version", 1, 1);
    std::set<std::string> names;
    const bool listed = reader.each("checks", [&](const Node& item, const FieldPath& at) {
        Check check = read_check(item, at, findings);
        if (!check.name.empty() && !names.insert(check.name).second)
            findings.add(at.key("name"), "an earlier check has this name");
        if (read.checks.size() == kMostChecks)
            findings.add(at, "there are more than " + std::to_string(kMostChecks) + " checks");
        if (read.checks.size() <= kMostChecks) read.checks.push_back(std::move(check));
    });
    if (!listed && !reader.has("checks")) reader.add("checks", "missing: a list of checks");
    reader.finish();
}

} // namespace

ReadChecks read_checks(std::string_view yaml) {
    const Parsed parsed = parse_yaml(yaml);
    Findings findings = parsed.findings;
    ReadChecks read;
    if (parsed.root) read_body(*parsed.root, findings, read);
    Positions positions{Node{}};
    if (parsed.root) positions = Positions(*parsed.root);
    read.findings = findings.all();
    for (Finding& finding : read.findings)
        if (!finding.at) finding.at = positions.of(finding.field);
    if (!parsed.root && read.findings.empty())
        read.findings.push_back({"", "it is empty: version and checks are missing", {}});
    if (!read.findings.empty()) read.checks.clear();
    return read;
}

std::vector<std::string> fault_lines(std::string_view file, const ReadChecks& read) {
    std::vector<std::string> lines;
    for (const Finding& finding : read.findings) lines.push_back(finding_line(file, finding));
    return lines;
}

} // namespace stratum::health
