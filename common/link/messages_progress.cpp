#include <array>
#include <set>

#include "common/base/text.hpp"
#include "common/link/message_fields.hpp"
#include "common/link/messages.hpp"

namespace stratum::link {
namespace {

constexpr std::size_t kMaxSteps = 200;
constexpr std::size_t kMaxLines = 1000;
constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxTitle = 256;

// In the order of StepStatus.
constexpr std::array<std::string_view, 4> kStatusWords{"pending", "running", "done", "failed"};
constexpr std::array<std::string_view, 2> kResultWords{"joined", "failed"};

std::optional<std::string> time_text(const std::optional<std::int64_t>& time) {
    if (!time) return std::nullopt;
    return format_time(*time);
}

StepStatus status_of(std::string_view word) {
    for (std::size_t at = 0; at < kStatusWords.size(); ++at) {
        if (kStatusWords[at] == word) return static_cast<StepStatus>(at);
    }
    return StepStatus::kPending;
}

Step read_step(const Node& node, const FieldPath& path, Findings& findings) {
    ObjectReader reader(node, path, findings, Unknown::kIgnored);
    Step step;
    step.name = fields::required(reader, "name", fields::step_name_of).value_or("");
    step.title = reader.optional_text("title", kMaxTitle);
    step.status = status_of(reader.required_word("status", kStatusWords).value_or("pending"));
    if (const auto percent = reader.optional_int("percent", 0, 100)) {
        step.percent = static_cast<int>(*percent);
    }
    step.started_at = reader.optional_parsed("startedAt", fields::time_of);
    step.finished_at = reader.optional_parsed("finishedAt", fields::time_of);
    step.error = reader.optional_text("error", kMaxLine);
    reader.finish();
    return step;
}

LogLine read_line(const Node& node, const FieldPath& path, Findings& findings) {
    ObjectReader reader(node, path, findings, Unknown::kIgnored);
    LogLine line;
    line.seq = reader.required_int("seq", 1, INT64_MAX).value_or(0);
    line.at = fields::required(reader, "at", fields::time_of).value_or(0);
    if (reader.has("line")) {
        line.line = reader.optional_text("line", kMaxLine);
    } else {
        reader.required_string("line");
    }
    reader.finish();
    return line;
}

// More than a report may hold is one finding at the list, and none of it is read.
bool fits(ObjectReader& reader, std::string_view name, std::size_t most) {
    const Node* list = reader.member(name);
    if (list == nullptr || list->items().size() <= most) return true;
    reader.add(name, "has " + std::to_string(list->items().size()) + " entries, at most " +
                         std::to_string(most) + " go into one report");
    return false;
}

void read_steps(ObjectReader& reader, Progress& message, Findings& findings) {
    if (!fits(reader, "steps", kMaxSteps)) return;
    std::set<std::string> seen;
    reader.each("steps", [&](const Node& item, const FieldPath& at) {
        Step step = read_step(item, at, findings);
        if (!step.name.empty() && !seen.insert(step.name).second) {
            findings.add(at.key("name"), "'" + step.name + "' is in this report twice");
        }
        message.steps.push_back(std::move(step));
    });
}

void read_log(ObjectReader& reader, Progress& message, Findings& findings) {
    if (!fits(reader, "log", kMaxLines)) return;
    reader.each("log", [&](const Node& item, const FieldPath& at) {
        LogLine line = read_line(item, at, findings);
        if (line.seq != 0 && !message.log.empty() && line.seq <= message.log.back().seq) {
            findings.add(at.key("seq"),
                         std::to_string(line.seq) + " follows " +
                             std::to_string(message.log.back().seq) +
                             "; each line needs a higher number than the one before");
        }
        message.log.push_back(std::move(line));
    });
}

Node line_node(const LogLine& line) {
    Node node = Node::object();
    node.set("seq", Node::integer(line.seq)).set("at", format_time(line.at)).set("line", line.line);
    return node;
}

} // namespace

std::string_view step_status_name(StepStatus status) {
    return kStatusWords.at(static_cast<std::size_t>(status));
}

Node to_node(const Step& step) {
    Node node = Node::object();
    node.set("name", step.name);
    if (!step.title.empty()) node.set("title", step.title);
    node.set("status", std::string(step_status_name(step.status)));
    if (step.percent) node.set("percent", Node::integer(*step.percent));
    node.set_if("startedAt", time_text(step.started_at));
    node.set_if("finishedAt", time_text(step.finished_at));
    if (!step.error.empty()) node.set("error", step.error);
    return node;
}

Node to_node(const Progress& message) {
    Node steps = Node::array();
    for (const Step& step : message.steps) steps.push(to_node(step));
    Node log = Node::array();
    for (const LogLine& line : message.log) log.push(line_node(line));
    Node node = Node::object();
    node.set("attempt", Node::integer(message.attempt));
    node.set("steps", std::move(steps)).set("log", std::move(log));
    if (!message.result.empty()) node.set("result", message.result);
    return node;
}

Progress read_progress(const Node& node, Findings& findings) {
    ObjectReader reader(node, {}, findings, Unknown::kIgnored);
    Progress message;
    message.attempt = static_cast<int>(reader.required_int("attempt", 1, 1'000'000).value_or(1));
    read_steps(reader, message, findings);
    read_log(reader, message, findings);
    message.result = reader.optional_word("result", kResultWords).value_or("");
    reader.finish();
    return message;
}

} // namespace stratum::link
