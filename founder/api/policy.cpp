#include "founder/api/policy.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "founder/api/route.hpp"

namespace stratum::founder::api {
namespace {

constexpr std::size_t kMostStatements = 50;

bool is_family(std::string_view pattern) {
    return pattern.size() > 2 && pattern.substr(pattern.size() - 2) == ":*";
}

bool matches_action(std::string_view pattern, std::string_view action) {
    if (pattern == "*" || pattern == action) return true;
    if (!is_family(pattern)) return false;
    const std::string_view family = pattern.substr(0, pattern.size() - 1);
    return action.substr(0, family.size()) == family;
}

bool matches_resource(std::string_view pattern, std::string_view resource) {
    if (pattern == "*" || pattern == resource) return true;
    if (pattern.size() < 2 || pattern.substr(pattern.size() - 2) != "/*") return false;
    const std::string_view kind = pattern.substr(0, pattern.size() - 1);
    return resource.substr(0, kind.size()) == kind;
}

// Could a resource of this kind ever match the pattern?
bool is_about(std::string_view pattern, std::string_view kind) {
    return pattern == "*" || pattern.substr(0, pattern.find('/')) == kind;
}

class PolicyReader {
public:
    ReadPolicy read(const Node& document) {
        if (!document.is_object()) {
            issue("INVALID_DOCUMENT", -1,
                  "a policy is an object, not " + std::string(document.kind_name()));
            return std::move(result_);
        }
        known_members(document, {"version", "statements"}, -1);
        const Node* version = document.find("version");
        if (version == nullptr || version->kind() != Node::Kind::kInt || version->as_int() != 1) {
            issue("INVALID_DOCUMENT", -1, "version must be 1");
        }
        const Node* statements = document.find("statements");
        if (statements == nullptr || !statements->is_array() || statements->items().empty() ||
            statements->items().size() > kMostStatements) {
            issue("INVALID_DOCUMENT", -1, "statements must be a list of 1 to 50 statements");
            return std::move(result_);
        }
        for (const Node& one : statements->items()) statement(one);
        return std::move(result_);
    }

private:
    void issue(std::string code, int at, std::string detail,
               std::optional<std::string> action = {}) {
        result_.issues.push_back({std::move(code), at, std::move(detail), std::move(action)});
    }

    void known_members(const Node& object, std::initializer_list<std::string_view> known, int at) {
        for (const auto& [name, value] : object.members()) {
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            issue("INVALID_DOCUMENT", at, "unknown member “" + name + "”");
        }
    }

    std::vector<std::string> strings(const Node& object, std::string_view name, int at) {
        const Node* list = object.find(name);
        std::vector<std::string> found;
        bool whole = list != nullptr && list->is_array() && !list->items().empty();
        if (whole) {
            for (const Node& item : list->items()) {
                whole = whole && item.is_string();
                found.push_back(item.as_string());
            }
        }
        if (whole) return found;
        issue("INVALID_DOCUMENT", at, std::string(name) + " must be a list of at least one string");
        return {};
    }

    void statement(const Node& node) {
        const int at = number_++;
        if (!node.is_object()) {
            issue("INVALID_DOCUMENT", at, "a statement is an object");
            return;
        }
        known_members(node, {"effect", "actions", "resources"}, at);
        const Node* effect = node.find("effect");
        const std::string word = effect == nullptr ? "" : effect->as_string();
        if (word != "allow" && word != "deny") {
            issue("INVALID_DOCUMENT", at, "effect must be allow or deny");
        }
        Statement read{word == "allow", strings(node, "actions", at),
                       strings(node, "resources", at)};
        for (const std::string& resource : read.resources) check_resource(resource, at);
        for (const std::string& action : read.actions) check_action(action, read.resources, at);
        result_.policy.statements.push_back(std::move(read));
    }

    void check_resource(const std::string& resource, int at) {
        if (resource == "*") return;
        const std::string kind = resource.substr(0, resource.find('/'));
        const bool known = std::any_of(actions().begin(), actions().end(),
                                       [&](const auto& one) { return one.resource == kind; });
        const std::string id = resource.substr(std::min(kind.size() + 1, resource.size()));
        // A star inside an id would match nothing, and a deny that matches nothing lets through.
        const bool shaped =
            kind == "cluster"
                ? resource == kind
                : id == "*" || (!id.empty() && id.find_first_of("*/") == std::string::npos);
        if (known && shaped) return;
        issue("INVALID_DOCUMENT", at,
              "“" + resource +
                  "” is no resource: *, cluster, or join/…, join-code/…, member/…, token/…");
    }

    void check_action(const std::string& action, const std::vector<std::string>& resources,
                      int at) {
        std::vector<const ActionSpec*> meant;
        for (const ActionSpec& one : actions()) {
            if (matches_action(action, one.name)) meant.push_back(&one);
        }
        if (meant.empty()) {
            issue("UNKNOWN_ACTION", at, "there is no action “" + action + "”", action);
            return;
        }
        const bool applies = std::any_of(meant.begin(), meant.end(), [&](const ActionSpec* one) {
            return std::any_of(
                resources.begin(), resources.end(),
                [&](const std::string& resource) { return is_about(resource, one->resource); });
        });
        if (applies || resources.empty()) return;
        issue("ACTION_NOT_APPLICABLE", at,
              action + " is about " + std::string(meant.front()->resource) +
                  ", and no resource of "
                  "this statement is",
              action);
    }

    ReadPolicy result_;
    int number_ = 0;
};

bool matches(const Statement& statement, std::string_view action, std::string_view resource) {
    const auto is_meant = [](const auto& patterns, const auto& test) {
        return std::any_of(patterns.begin(), patterns.end(), test);
    };
    return is_meant(statement.actions,
                    [&](const auto& one) { return matches_action(one, action); }) &&
           is_meant(statement.resources,
                    [&](const auto& one) { return matches_resource(one, resource); });
}

// Stands for every id that no statement names: all of them are judged alike.
constexpr std::string_view kAnyOther = "?";

// One resource of this kind for each way in which the two policies can judge one.
std::vector<std::string> told_apart(const Policy& a, const Policy& b, std::string_view kind) {
    if (kind == "cluster") return {"cluster"};
    const std::string prefix = std::string(kind) + "/";
    std::vector<std::string> all = {prefix + std::string(kAnyOther)};
    for (const Policy* policy : {&a, &b}) {
        for (const Statement& statement : policy->statements) {
            for (const std::string& resource : statement.resources)
                if (resource.starts_with(prefix) && !resource.ends_with("/*"))
                    all.push_back(resource);
        }
    }
    return all;
}

std::string in_words(const std::string& resource) {
    if (!resource.ends_with(kAnyOther)) return resource;
    return "every " + resource.substr(0, resource.find('/'));
}

int statement_allowing(const Policy& policy, const ActionSpec& action,
                       const std::string& resource) {
    for (std::size_t at = 0; at < policy.statements.size(); ++at) {
        const Statement& one = policy.statements[at];
        if (one.allow && matches(one, action.name, resource)) return static_cast<int>(at);
    }
    return -1;
}

} // namespace

ReadPolicy read_policy(const Node& document) {
    return PolicyReader().read(document);
}

std::vector<link::Issue> beyond(const Policy& maker, const Policy& wanted) {
    std::vector<link::Issue> issues;
    for (const ActionSpec& action : actions()) {
        for (const std::string& resource : told_apart(maker, wanted, action.resource)) {
            if (!allows(wanted, action.name, resource) || allows(maker, action.name, resource))
                continue;
            issues.push_back({"EXCEEDS_OWN_POLICY", statement_allowing(wanted, action, resource),
                              "the token that makes it may not " + std::string(action.name) +
                                  " on " + in_words(resource),
                              std::string(action.name)});
            break;
        }
    }
    return issues;
}

bool allows(const Policy& policy, std::string_view action, std::string_view resource) {
    bool allowed = false;
    for (const Statement& statement : policy.statements) {
        if (!matches(statement, action, resource)) continue;
        if (!statement.allow) return false;
        allowed = true;
    }
    return allowed;
}

} // namespace stratum::founder::api
