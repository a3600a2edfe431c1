#include <iostream>

#include "app/commands.hpp"
#include "app/say.hpp"
#include "common/base/files.hpp"
#include "common/config/node_config.hpp"

namespace stratum::app {
namespace {

Node finding_node(const Finding& finding) {
    Node node = Node::object();
    node.set("field", finding.field);
    node.set("message", finding.message);
    if (finding.at) {
        node.set("line", Node::integer(finding.at->line));
        node.set("column", Node::integer(finding.at->column));
    }
    return node;
}

void say_as_json(const Findings& findings) {
    Node errors = Node::array();
    for (const Finding& finding : findings.all()) errors.push(finding_node(finding));
    Node answer = Node::object();
    answer.set("valid", Node::boolean(findings.empty()));
    answer.set("errors", std::move(errors));
    std::cout << write_json(answer, 2) << "\n";
}

} // namespace

int check_config(const std::string& path, bool as_json) {
    const auto text = system_files().read(path);
    if (!text) return say_failure(text.error().message, kExitUsage);
    const auto checked = config::check_node_yaml(*text);
    if (as_json) {
        say_as_json(checked.findings);
    } else if (checked.config) {
        std::cout << path << " is a valid node.yaml for " << checked.config->name << "\n";
    } else {
        say_findings(path, checked.findings);
    }
    return checked.findings.empty() ? kExitOk : kExitUsage;
}

} // namespace stratum::app
