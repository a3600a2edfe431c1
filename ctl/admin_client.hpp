// A client of one founder's admin API: where it is, its key, the token. The founder's key is known
// before a token is sent: from a flag, the environment, what was confirmed earlier, or shown on a
// terminal and confirmed there once.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/base/command_line.hpp"
#include "common/base/document.hpp"
#include "common/link/http_client.hpp"
#include "common/link/problem.hpp"

namespace stratum::ctl {

// The options that every command takes, for its row.
std::vector<OptionSpec> connection_options();

class AdminClient {
public:
    // What was typed, then the environment: --founder (STRATUM_FOUNDER), --founder-key
    // (STRATUM_FOUNDER_KEY), --token-file (STRATUM_TOKEN_FILE, STRATUM_TOKEN). kInvalid: something
    // is missing or wrong; kUnavailable: nobody answers; kDenied: the key there is another one, or
    // the person did not confirm it.
    static Result<std::unique_ptr<AdminClient>> open(const Arguments& arguments);

    // An answer of any status is a value.
    Result<link::HttpAnswer> send(const link::HttpRequest& request);
    Result<link::HttpAnswer> stream(const link::HttpRequest& request,
                                    const std::function<bool(std::string_view)>& on_data);

private:
    AdminClient(std::unique_ptr<link::HttpClient> client, std::string token)
        : client_(std::move(client)), token_(std::move(token)) {}
    std::unique_ptr<link::HttpClient> client_;
    std::string token_;
};

// One call whose 2xx answer is a JSON document. On anything else says why on standard error and
// gives the exit code.
tl::expected<Node, int> ask(const Arguments& arguments, const link::HttpRequest& request);
// The same over a client that is open already.
tl::expected<Node, int> ask(AdminClient& client, const link::HttpRequest& request);

// The same for a call that must act once: it carries an Idempotency-Key, and is sent again with it
// where no answer came.
tl::expected<Node, int> ask_once(const Arguments& arguments, link::HttpRequest request);
// Every page of a list: {LIST: [all of them]}.
tl::expected<Node, int> ask_all(const Arguments& arguments, const std::string& path,
                                const std::string& list);

// DELETE of what stands there; `said` on standard output when it is gone. The exit code.
int delete_and_say(const Arguments& arguments, const std::string& path, const std::string& said);

// "stratumctl: message"; returns the exit code for this kind of error.
int say_error(const Error& error);
// Title, detail, each error at its field, the issues of a policy, the copy notes. Pure.
std::string problem_text(const link::ReceivedProblem& problem);
// Says that; returns the exit code.
int say_problem(const link::ReceivedProblem& problem);

} // namespace stratum::ctl
