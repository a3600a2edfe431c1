#include "installer/find_code.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kUriStart = "stratum-join://";
constexpr std::string_view kCodeParameter = "stratum.join=";
constexpr std::string_view kFounderParameter = "stratum.founder=";

// The value of the last parameter of that name: the kernel's own rule for one given twice.
std::string parameter(const std::string& command_line, std::string_view name) {
    std::string value;
    for (const std::string& word : words(command_line)) {
        if (word.starts_with(name)) value = word.substr(name.size());
    }
    // Quotes are how a boot loader's user writes a value that he thinks special.
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
        value = value.substr(1, value.size() - 2);
    }
    return value;
}

Result<HostPort> parse_founder(std::string_view text) {
    const bool has_port = text.find("]:") != std::string_view::npos ||
                          (!text.starts_with('[') && text.find(':') != std::string_view::npos);
    const std::string whole =
        has_port ? std::string(text) : std::string(text) + ":" + std::to_string(kDefaultJoinPort);
    auto founder = HostPort::parse(whole);
    if (founder && founder->port != 0) return founder;
    return fail(ErrorCode::kInvalid,
                "the founder's address is needed as HOST or HOST:PORT, such "
                "as 10.20.0.1:8444" +
                    (founder ? std::string("; port 0 is none") : "; " + founder.error().message));
}

Result<GivenCode> parse_uri(std::string_view text) {
    auto uri = link::JoinUri::parse(text);
    if (!uri) return tl::make_unexpected(uri.error());
    return GivenCode{uri->founders, uri->code, uri->founder_key, ""};
}

// A code holds neither of these; an address cannot do without one of them.
bool looks_like_address(const std::string& word) {
    return word.find_first_of(".:[") != std::string::npos;
}

} // namespace

Result<GivenCode> parse_code_line(std::string_view line, std::string_view default_founder) {
    const std::string_view text = trim(line);
    if (starts_with_nocase(text, kUriStart)) return parse_uri(text);
    std::string code_text;
    std::vector<std::string> addresses;
    for (const std::string& word : words(text)) {
        if (looks_like_address(word)) addresses.push_back(word);
        if (!looks_like_address(word)) code_text += word;
    }
    if (addresses.size() > 1) {
        return fail(ErrorCode::kInvalid, "one founder's address is needed beside a short code, "
                                         "there are " +
                                             std::to_string(addresses.size()));
    }
    auto code = link::JoinCode::parse(code_text);
    if (!code) return tl::make_unexpected(code.error());
    if (addresses.empty() && !default_founder.empty()) addresses.emplace_back(default_founder);
    if (addresses.empty()) {
        return fail(ErrorCode::kInvalid, "a short code needs the founder's address beside it, such "
                                         "as XXXX-XXXX-XXXX-XXXX 10.20.0.1:8444");
    }
    const auto founder = parse_founder(addresses.front());
    if (!founder) return tl::make_unexpected(founder.error());
    return GivenCode{{*founder}, *code, std::nullopt, "the console"};
}

CodeSearch find_code(const CodeSources& sources) {
    std::string founder = sources.founder;
    if (founder.empty()) founder = parameter(sources.kernel_command_line, kFounderParameter);
    struct Source {
        std::string text;
        std::string origin;
    };
    const Source in_order[] = {
        {sources.argument, "the command line"},
        {parameter(sources.kernel_command_line, kCodeParameter), "the kernel command line"},
        {sources.file, sources.file_path.empty() ? "a file" : "the file " + sources.file_path},
    };
    CodeSearch search;
    for (const Source& source : in_order) {
        if (trim(source.text).empty()) continue;
        auto code = parse_code_line(source.text, founder);
        if (!code) {
            search.complaints.push_back("the join code of " + source.origin +
                                        " is not one: " + code.error().message);
        } else if (!search.code) {
            code->origin = source.origin;
            search.code = std::move(*code);
        }
    }
    return search;
}

} // namespace stratum::installer
