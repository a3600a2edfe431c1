#include <algorithm>
#include <sstream>
#include <vector>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "common/base/document.hpp"
#include "common/base/document_builder.hpp"
#include "common/base/text.hpp"
#include "common/base/yaml_scalar.hpp"
#include "common/base/yaml_text.hpp"

namespace stratum {
namespace {

// Leaves the parser; the finding is made.
struct Stop {};

Position position_at(const YAML::Mark& mark) {
    return {mark.line + 1, mark.column + 1};
}

bool refuse(Findings& findings, std::string message, Position at) {
    findings.add(FieldPath(), std::move(message), at);
    return false;
}

class Handler final : public YAML::EventHandler {
public:
    Handler(std::string_view text, DocumentBuilder& builder, Findings& findings)
        : text_(text), builder_(builder), findings_(findings) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ == 1) return;
        findings_.add(FieldPath(), "more stands behind the end of the document; only one is taken",
                      position_at(mark));
        throw Stop();
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const Position at = place_of_null(mark);
        if (!begins_value(at, anchor)) return;
        if (byte_at(mark) == '!') refuse_tag(mark, "!", ""); // with nothing behind it
        if (builder_.expects_key()) return refuse_key("null", at, "is no name");
        if (byte_at(mark) == ',' && !builder_.key_position()) {
            builder_.problem("an element is empty here; remove the comma or write null", at);
        }
        add(Node(), at);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        const Position at = position_at(mark);
        if (skipped_ > 0) return;
        static constexpr std::string_view kWords = "aliases are not taken; write the value out";
        if (builder_.expects_key()) return refuse_key("*", at, kWords);
        builder_.problem(std::string(kWords), at);
        add(Node(), at);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        const Position at = position_at(mark);
        if (!begins_value(at, anchor)) return;
        const bool has_tag = refuse_tag(mark, tag, "!");
        const bool is_plain = tag == "?" && !has_tag;
        check(scalar_problem(text_, offset_of(mark)), mark);
        if (builder_.expects_key()) {
            const bool is_bare = !has_tag && anchor == YAML::NullAnchor;
            if (is_bare) check(key_problem(text_, offset_of(mark), value), mark);
            return add_key(value, is_plain, at);
        }
        check_indent(mark);
        Result<Node> node = is_plain ? resolve_plain(value) : Node::string(value);
        if (!node) builder_.problem(node.error().message, at);
        add(node.value_or(Node()), at);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value style) override {
        begin({Node::Kind::kArray, style, tag, anchor}, mark);
    }
    void OnSequenceEnd() override { end(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value style) override {
        begin({Node::Kind::kObject, style, tag, anchor}, mark);
    }
    void OnMapEnd() override { end(); }

private:
    [[nodiscard]] std::size_t offset_of(const YAML::Mark& mark) const {
        return std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
    }
    [[nodiscard]] char byte_at(const YAML::Mark& mark) const {
        const std::size_t at = offset_of(mark);
        return at < text_.size() ? text_[at] : '\0';
    }

    // The parser gives an empty value the place of whatever comes behind it.
    [[nodiscard]] Position place_of_null(const YAML::Mark& mark) const {
        const char first = byte_at(mark);
        if (first == '~' || first == 'n' || first == 'N') return position_at(mark);
        if (const auto key_at = builder_.key_position()) return *key_at;
        const std::size_t end = offset_of(mark);
        const std::size_t last = text_.substr(0, end).find_last_not_of(" \t\r\n");
        if (last == std::string_view::npos || text_[last] != '-') return position_at(mark);
        const std::string_view between = text_.substr(last, end - last);
        const auto lines = static_cast<int>(std::count(between.begin(), between.end(), '\n'));
        // (The last newline before it; npos + 1 is the start of the text.)
        const std::size_t line_start = text_.substr(0, last).rfind('\n') + 1;
        return {mark.line + 1 - lines, static_cast<int>(last - line_start) + 1};
    }

    // False inside a key that is no text: nothing of it is kept.
    bool begins_value(Position at, YAML::anchor_t anchor) {
        if (skipped_ > 0) return false;
        if (anchor != YAML::NullAnchor) {
            builder_.problem("anchors are not taken; write the value out at each place", at);
        }
        return true;
    }

    // `own` is what the parser itself says of quoted scalars; "!" written in the text is a tag.
    bool refuse_tag(const YAML::Mark& mark, const std::string& tag, std::string_view own) {
        const bool is_given = !tag.empty() && tag != "?" && (tag != own || byte_at(mark) == '!');
        if (is_given) builder_.problem("tags are not taken; leave it out", position_at(mark));
        return is_given;
    }

    void check(std::string_view problem, const YAML::Mark& mark) {
        if (problem.empty()) return;
        refuse(findings_, "this is not YAML: " + std::string(problem), position_at(mark));
        throw Stop();
    }

    // In block style a value on a line of its own stands deeper than its key; the parser does not
    // look, and would take the first word of a text cut short for the value above it.
    void check_indent(const YAML::Mark& mark) {
        const auto key_at = builder_.key_position();
        const Position at = position_at(mark);
        if (is_flow_.empty() || is_flow_.back() || !key_at || at.line == key_at->line) return;
        const std::string_view before = text_.substr(0, offset_of(mark));
        const bool has_own_colon = trim(before.substr(before.rfind('\n') + 1)).starts_with(':');
        if (at.column > key_at->column || has_own_colon) return;
        check("a value must stand deeper than its key", mark);
    }

    void refuse_key(std::string_view shown, Position at, std::string_view why) {
        builder_.problem("the key " + to_valid_utf8(shown.substr(0, 64)) + ": " + std::string(why),
                         at);
        builder_.unusable_key(shown, at);
    }

    void add_key(const std::string& name, bool is_plain, Position at) {
        if (is_plain && name == "<<") {
            return refuse_key(name, at, "merge keys are not taken; write the members out");
        }
        const Result<Node> read = is_plain ? resolve_plain(name) : Node::string(name);
        if (!read) return refuse_key(name, at, read.error().message);
        if (!read->is_string()) return refuse_key(name, at, "is no text to a reader; quote it");
        builder_.key(name, at);
    }

    void add(Node node, Position at) {
        if (!builder_.value(std::move(node), at)) throw Stop();
    }

    struct Container {
        Node::Kind kind;
        YAML::EmitterStyle::value style;
        const std::string& tag;
        YAML::anchor_t anchor;
    };

    void begin(const Container& container, const YAML::Mark& mark) {
        const Position at = position_at(mark);
        if (skipped_ > 0) {
            ++skipped_;
            return;
        }
        begins_value(at, container.anchor);
        refuse_tag(mark, container.tag, "?");
        if (builder_.expects_key()) {
            skipped_ = 1;
            skipped_at_ = at;
            return;
        }
        const bool is_flow = container.style == YAML::EmitterStyle::Flow;
        if (is_flow) check_indent(mark);
        if (!builder_.begin(container.kind, at)) throw Stop();
        is_flow_.push_back(is_flow);
    }

    void end() {
        if (skipped_ == 0) {
            is_flow_.pop_back();
            return builder_.end();
        }
        // Said only now: at some syntax errors the parser first guesses such a key.
        if (--skipped_ == 0) {
            refuse_key("?", skipped_at_, "a list or an object is no name; write one word");
        }
    }

    std::string_view text_;
    DocumentBuilder& builder_;
    Findings& findings_;
    std::vector<bool> is_flow_; // of each container that is open
    int documents_ = 0;
    int skipped_ = 0; // levels open of a key that is a list or an object
    Position skipped_at_;
};

bool run_parser(std::string_view text, Handler& handler, Findings& findings) {
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(handler)) {
            return refuse(findings, "the document is empty; YAML was needed", {1, 1});
        }
        return !parser.HandleNextDocument(handler);
    } catch (const Stop&) {
        return false;
    } catch (const YAML::DeepRecursion&) {
        findings.add(FieldPath(), "the document is nested too deep, or a bracket is never closed");
    } catch (const YAML::ParserException& error) {
        const auto at =
            error.mark.is_null() ? std::nullopt : std::optional(position_at(error.mark));
        findings.add(FieldPath(), "this is not YAML: " + to_valid_utf8(error.msg), at);
    } catch (const YAML::Exception& error) {
        findings.add(FieldPath(), "this is not YAML: " + to_valid_utf8(error.msg));
    }
    return false;
}

} // namespace

Parsed parse_yaml(std::string_view text, const DocumentLimits& limits) {
    Parsed parsed;
    if (!check_text(text, "YAML", limits, parsed.findings) ||
        !check_yaml_text(text, parsed.findings)) {
        return parsed;
    }
    DocumentBuilder builder(limits, parsed.findings);
    Handler handler(text, builder, parsed.findings);
    if (run_parser(text, handler, parsed.findings)) parsed.root = builder.take_root();
    return parsed;
}

} // namespace stratum
