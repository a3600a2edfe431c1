#include "ctl/admin_client.hpp"

#include <iostream>

#include "common/base/hash.hpp"
#include "common/base/terminal.hpp"
#include "common/base/text.hpp"
#include "ctl/known_founders.hpp"
#include "ctl/paths.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr std::uint16_t kDefaultAdminPort = 8443;
constexpr std::int64_t kAskKeyMs = 10'000;
// A request with an Idempotency-Key whose answer was lost is sent again so often, after so long.
constexpr int kSendAgain = 2;
constexpr long kSendAgainMs = 1'000;

Result<HostPort> founder_of(const Arguments& arguments) {
    const std::string text = arguments.value_or("--founder", environment("STRATUM_FOUNDER"));
    if (text.empty()) {
        return fail(ErrorCode::kInvalid,
                    "which founder? Give --founder HOST:PORT or set STRATUM_FOUNDER");
    }
    if (auto whole = HostPort::parse(text)) return whole;
    auto with_port = HostPort::parse(text + ":" + std::to_string(kDefaultAdminPort));
    if (!with_port) return fail_in("--founder", with_port.error());
    return with_port;
}

Result<std::string> token_of(const Arguments& arguments) {
    const std::string file = arguments.value_or("--token-file", environment("STRATUM_TOKEN_FILE"));
    if (!file.empty()) {
        const auto text = system_files().read(file, 4096);
        if (!text) return fail_in("the token file", text.error());
        return std::string(trim(*text));
    }
    std::string token(trim(environment("STRATUM_TOKEN")));
    if (!token.empty()) return token;
    return fail(ErrorCode::kInvalid, "no token: give --token-file FILE, or set STRATUM_TOKEN_FILE "
                                     "or STRATUM_TOKEN");
}

// A key that nobody has named is shown, and taken only when the person at the terminal says so.
Result<link::Fingerprint> confirm_key(const HostPort& founder, const std::string& known_text) {
    auto key = link::ask_key(founder, kAskKeyMs);
    if (!key) return tl::make_unexpected(key.error());
    const auto typed =
        ask_at_terminal("The founder at " + founder.str() + " shows the key\n  " + key->str() +
                        "\n`firstboot founder init` printed it. Is it the same? "
                        "Type yes: ");
    if (!typed && typed.error().code == ErrorCode::kUnavailable) {
        return fail(ErrorCode::kInvalid,
                    "the key of " + founder.str() +
                        " is not known: give --founder-key (init printed it), or run this once at "
                        "a terminal");
    }
    if (!typed || trim(*typed) != "yes") {
        return fail(ErrorCode::kDenied, "the founder's key was not confirmed; nothing was sent");
    }
    const std::string path = known_founders_path();
    if (path.empty()) return key;
    Files& files = system_files();
    if (auto made = files.make_folder(path.substr(0, path.rfind('/')), 0700); !made) return key;
    if (auto kept = files.write(path, with_known(known_text, founder, *key), 0600); !kept) {
        std::cerr << "stratumctl: the key could not be kept: " << kept.error().message << "\n";
    }
    return key;
}

Result<link::Fingerprint> key_of(const Arguments& arguments, const HostPort& founder) {
    const std::string named =
        arguments.value_or("--founder-key", environment("STRATUM_FOUNDER_KEY"));
    if (!named.empty()) {
        auto key = link::Fingerprint::parse(named);
        if (!key) return fail_in("--founder-key", key.error());
        return key;
    }
    const std::string path = known_founders_path();
    const std::string text = path.empty() ? "" : system_files().read(path).value_or("");
    if (const auto known = find_known(text, founder)) return *known;
    return confirm_key(founder, text);
}

} // namespace

std::vector<OptionSpec> connection_options() {
    return {{"--founder", "HOST:PORT", "The founder's admin listener; or STRATUM_FOUNDER"},
            {"--founder-key", "HEX",
             "SHA-256 of its key, as init printed it; or "
             "STRATUM_FOUNDER_KEY"},
            {"--token-file", "FILE",
             "A file that holds the token; or STRATUM_TOKEN_FILE, "
             "STRATUM_TOKEN"}};
}

Result<std::unique_ptr<AdminClient>> AdminClient::open(const Arguments& arguments) {
    const auto founder = founder_of(arguments);
    if (!founder) return tl::make_unexpected(founder.error());
    auto token = token_of(arguments);
    if (!token) return tl::make_unexpected(token.error());
    const auto key = key_of(arguments, *founder);
    if (!key) return tl::make_unexpected(key.error());
    auto client = link::make_client({*founder, {*key}, nullptr, "stratumctl"});
    if (!client) return tl::make_unexpected(client.error());
    return std::unique_ptr<AdminClient>(new AdminClient(std::move(*client), std::move(*token)));
}

Result<link::HttpAnswer> AdminClient::send(const link::HttpRequest& request) {
    link::HttpRequest authorized = request;
    authorized.headers.emplace_back("Authorization", "Bearer " + token_);
    return client_->send(authorized);
}

Result<link::HttpAnswer> AdminClient::stream(const link::HttpRequest& request,
                                             const std::function<bool(std::string_view)>& on_data) {
    link::HttpRequest authorized = request;
    authorized.headers.emplace_back("Authorization", "Bearer " + token_);
    authorized.timeout_ms = 0;
    return client_->stream(authorized, on_data);
}

int delete_and_say(const Arguments& arguments, const std::string& path, const std::string& said) {
    link::HttpRequest request;
    request.method = "DELETE";
    request.path = path;
    const auto answer = ask(arguments, request);
    if (!answer) return answer.error();
    std::cout << said << "\n";
    return kExitOk;
}

int say_error(const Error& error) {
    std::cerr << "stratumctl: " << for_terminal(error.message) << "\n";
    switch (error.code) {
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
        return kExitUsage;
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
        return kExitUnreachable;
    default:
        return kExitFailed;
    }
}

std::string problem_text(const link::ReceivedProblem& problem) {
    std::string out = problem.title.empty()
                          ? "the founder answered " + std::to_string(problem.status)
                          : problem.title;
    if (!problem.code.empty()) out += " (" + problem.code + ")";
    out += "\n";
    if (!problem.detail.empty()) out += "  " + problem.detail + "\n";
    for (const Finding& error : problem.errors)
        out += "  " + (error.field.empty() ? "" : error.field + ": ") + error.message + "\n";
    for (const link::Issue& issue : problem.issues) {
        const bool is_whole = issue.statement < 0;
        out += "  " + (is_whole ? "" : "statements[" + std::to_string(issue.statement) + "]: ") +
               issue.detail + "\n";
    }
    if (const Node* notes = problem.details.find("copyNotes")) {
        for (const Node& note : notes->items()) out += "  note: " + note.as_string() + "\n";
    }
    if (!problem.request_id.empty()) out += "  request " + problem.request_id + "\n";
    return for_terminal(out);
}

int say_problem(const link::ReceivedProblem& problem) {
    std::cerr << "stratumctl: " << problem_text(problem);
    return problem.status == 400 ? kExitUsage : kExitFailed;
}

namespace {

// A 2xx answer's document; else says why not.
tl::expected<Node, int> document_of(const Result<link::HttpAnswer>& answer) {
    if (!answer) return tl::make_unexpected(say_error(answer.error()));
    if (answer->status < 200 || answer->status > 299) {
        return tl::make_unexpected(say_problem(link::read_problem(answer->status, answer->body)));
    }
    if (answer->body.empty()) return Node::object();
    DocumentLimits limits;
    limits.max_bytes = 16u << 20;
    limits.max_nodes = 2'000'000;
    Parsed parsed = parse_json(answer->body, limits);
    if (parsed.root) return std::move(*parsed.root);
    std::cerr << "stratumctl: the founder's answer is not JSON\n";
    return tl::make_unexpected(kExitFailed);
}

bool may_have_been_lost(const Result<link::HttpAnswer>& answer) {
    return !answer && (answer.error().code == ErrorCode::kUnavailable ||
                       answer.error().code == ErrorCode::kTimeout);
}

} // namespace

tl::expected<Node, int> ask(AdminClient& client, const link::HttpRequest& request) {
    return document_of(client.send(request));
}

tl::expected<Node, int> ask_once(const Arguments& arguments, link::HttpRequest request) {
    const auto client = AdminClient::open(arguments);
    if (!client) return tl::make_unexpected(say_error(client.error()));
    request.headers.emplace_back("Idempotency-Key", to_hex(random_bytes(16)));
    auto answer = (*client)->send(request);
    const int stop = stop_descriptor();
    for (int again = 0; again < kSendAgain && may_have_been_lost(answer); ++again) {
        if (wait_for_stop(stop, kSendAgainMs)) break;
        answer = (*client)->send(request);
    }
    return document_of(answer);
}

tl::expected<Node, int> ask_all(const Arguments& arguments, const std::string& path,
                                const std::string& list) {
    const auto client = AdminClient::open(arguments);
    if (!client) return tl::make_unexpected(say_error(client.error()));
    const std::string first = with_parameter(path, "limit", "1000");
    Node all = Node::array();
    std::string cursor;
    do {
        link::HttpRequest request;
        request.path = cursor.empty() ? first : with_parameter(first, "cursor", cursor);
        auto page = ask(**client, request);
        if (!page) return page;
        if (const Node* part = page->find(list)) {
            for (const Node& one : part->items()) all.push(one);
        }
        const Node* next = page->find("nextCursor");
        cursor = next == nullptr ? "" : next->as_string();
    } while (!cursor.empty());
    return Node::object().set(list, std::move(all));
}

tl::expected<Node, int> ask(const Arguments& arguments, const link::HttpRequest& request) {
    const auto client = AdminClient::open(arguments);
    if (!client) return tl::make_unexpected(say_error(client.error()));
    return ask(**client, request);
}

} // namespace stratum::ctl
