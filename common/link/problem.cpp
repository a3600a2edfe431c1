#include "common/link/problem.hpp"

#include <array>

#include "common/base/text.hpp"

namespace stratum::link {
namespace {

using Code = ProblemCode;

constexpr std::array kProblems{
    ProblemInfo{Code::kInvalidInput, "INVALID_INPUT", 400, "The request does not decode"},
    ProblemInfo{Code::kUnauthenticated, "UNAUTHENTICATED", 401, "Who asks is not known"},
    ProblemInfo{Code::kForbidden, "FORBIDDEN", 403, "Not allowed"},
    ProblemInfo{Code::kJoinCodeInvalid, "JOIN_CODE_INVALID", 403, "The join code does not hold"},
    ProblemInfo{Code::kJoinKeyMismatch, "JOIN_KEY_MISMATCH", 403, "Another key than the join's"},
    ProblemInfo{Code::kNotFound, "NOT_FOUND", 404, "There is no such thing"},
    ProblemInfo{Code::kMethodNotAllowed, "METHOD_NOT_ALLOWED", 405,
                "This path does not take this method"},
    ProblemInfo{Code::kNotAcceptable, "NOT_ACCEPTABLE", 406,
                "The answer has no form that was asked for"},
    ProblemInfo{Code::kJoinStateConflict, "JOIN_STATE_CONFLICT", 409,
                "The join's state does not allow it"},
    ProblemInfo{Code::kJoinApprovalRefused, "JOIN_APPROVAL_REFUSED", 409,
                "The approval is refused"},
    ProblemInfo{Code::kReleaseMismatch, "RELEASE_MISMATCH", 409,
                "The release does not fit the cluster's"},
    ProblemInfo{Code::kPairingFailed, "PAIRING_FAILED", 409, "The pairing failed"},
    ProblemInfo{Code::kJoinKeyInUse, "JOIN_KEY_IN_USE", 409, "The key belongs to another machine"},
    ProblemInfo{Code::kIdempotencyConflict, "IDEMPOTENCY_CONFLICT", 409,
                "The same request came before with another content"},
    ProblemInfo{Code::kPreconditionFailed, "PRECONDITION_FAILED", 412,
                "It has changed since it was read"},
    ProblemInfo{Code::kPayloadTooLarge, "PAYLOAD_TOO_LARGE", 413, "The body is too large"},
    ProblemInfo{Code::kUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", 415,
                "The body is of a type that is not taken"},
    ProblemInfo{Code::kRangeNotSatisfiable, "RANGE_NOT_SATISFIABLE", 416,
                "The file has no such range"},
    ProblemInfo{Code::kTooManyRequests, "TOO_MANY_REQUESTS", 429, "Too many requests"},
    ProblemInfo{Code::kInternal, "INTERNAL", 500, "The server failed"},
    ProblemInfo{Code::kReleaseBusy, "RELEASE_BUSY", 503, "Too many downloads at once"},
};

// The rows stand in the order of the enum, so that a code finds its row by its number.
constexpr bool rows_in_order() {
    for (std::size_t at = 0; at < kProblems.size(); ++at) {
        if (static_cast<std::size_t>(kProblems[at].code) != at) return false;
    }
    return kProblems.size() == static_cast<std::size_t>(Code::kReleaseBusy) + 1;
}
static_assert(rows_in_order());

std::string type_of(const ProblemInfo& info) {
    std::string name = lower(info.name);
    for (char& c : name) c = c == '_' ? '-' : c;
    return "urn:stratum:problem:" + name;
}

Node error_nodes(const std::vector<Finding>& errors) {
    Node list = Node::array();
    for (const Finding& error : errors) {
        Node one = Node::object();
        one.set("field", error.field).set("message", error.message);
        list.push(std::move(one));
    }
    return list;
}

Node issue_nodes(const std::vector<Issue>& issues) {
    Node list = Node::array();
    for (const Issue& issue : issues) {
        Node one = Node::object();
        one.set("code", issue.code).set("statement", Node::integer(issue.statement));
        one.set("detail", issue.detail).set_if("action", issue.action);
        list.push(std::move(one));
    }
    return list;
}

std::string text_member(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

Issue read_issue(const Node& node) {
    Issue issue;
    issue.code = text_member(node, "code");
    issue.detail = text_member(node, "detail");
    const Node* statement = node.find("statement");
    const bool is_index = statement != nullptr && statement->kind() == Node::Kind::kInt &&
                          statement->as_int() >= 0 && statement->as_int() < 1'000'000;
    if (is_index) issue.statement = static_cast<int>(statement->as_int());
    if (const std::string action = text_member(node, "action"); !action.empty())
        issue.action = action;
    return issue;
}

// What a body that is no problem document began with, for a person.
std::string beginning_of(std::string_view body) {
    static constexpr std::size_t kShown = 200;
    const std::string shown = to_valid_utf8(trim(body.substr(0, kShown)));
    if (shown.empty()) return "the answer has no body";
    return "the answer is no problem document; it begins: " + shown;
}

} // namespace

const ProblemInfo& info_of(ProblemCode code) {
    return kProblems.at(static_cast<std::size_t>(code));
}

std::span<const ProblemInfo> all_problems() {
    return kProblems;
}

Problem invalid_input(const Findings& findings) {
    Problem problem;
    problem.code = ProblemCode::kInvalidInput;
    problem.errors = findings.all();
    const std::vector<std::string> lines = findings.lines();
    problem.detail = lines.size() == 1
                         ? lines.front()
                         : std::to_string(lines.size()) + " problems; `errors` says where each is";
    return problem;
}

Node to_node(const Problem& problem, std::string_view request_id, std::string_view instance) {
    const ProblemInfo& info = info_of(problem.code);
    Node node = Node::object();
    node.set("type", type_of(info)).set("title", std::string(info.title));
    node.set("status", Node::integer(info.status)).set("detail", problem.detail);
    node.set("instance", std::string(instance)).set("requestId", std::string(request_id));
    node.set("code", std::string(info.name));
    if (!problem.errors.empty()) node.set("errors", error_nodes(problem.errors));
    if (!problem.issues.empty()) node.set("issues", issue_nodes(problem.issues));
    if (!problem.details.is_null()) node.set("details", problem.details);
    return node;
}

ReceivedProblem read_problem(int status, std::string_view body) {
    ReceivedProblem problem;
    problem.status = status;
    const Parsed parsed = parse_json(body);
    if (!parsed.root || !parsed.root->is_object() || !parsed.findings.empty() ||
        text_member(*parsed.root, "title").empty()) {
        problem.detail = beginning_of(body);
        return problem;
    }
    const Node& root = *parsed.root;
    problem.code = text_member(root, "code");
    problem.title = text_member(root, "title");
    problem.detail = text_member(root, "detail");
    problem.request_id = text_member(root, "requestId");
    if (const Node* errors = root.find("errors")) {
        for (const Node& error : errors->items()) {
            problem.errors.push_back(
                {text_member(error, "field"), text_member(error, "message"), {}});
        }
    }
    if (const Node* issues = root.find("issues")) {
        for (const Node& issue : issues->items()) problem.issues.push_back(read_issue(issue));
    }
    if (const Node* details = root.find("details")) problem.details = *details;
    return problem;
}

} // namespace stratum::link
