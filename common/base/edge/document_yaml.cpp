#include <algorithm>
#include <sstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "common/base/document.hpp"
#include "common/base/document_builder.hpp"
#include "common/base/text.hpp"
#include "common/base/yaml_scalar.hpp"

namespace stratum {
namespace {

// Leaves the parser; the finding is made.
struct Stop {};

Position position_at(const YAML::Mark& mark) {
    return {mark.line + 1, mark.column + 1};
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
        if (builder_.expects_key()) return add_key(value, is_plain, at);
        Result<Node> node = is_plain ? resolve_plain(value) : Node::string(value);
        if (!node) builder_.problem(node.error().message, at);
        add(node.value_or(Node()), at);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        begin(Node::Kind::kArray, mark, tag, anchor);
    }
    void OnSequenceEnd() override { end(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        begin(Node::Kind::kObject, mark, tag, anchor);
    }
    void OnMapEnd() override { end(); }

private:
    [[nodiscard]] char byte_at(const YAML::Mark& mark) const {
        const auto at = static_cast<std::size_t>(mark.pos);
        return mark.pos >= 0 && at < text_.size() ? text_[at] : '\0';
    }

    // The parser gives an empty value the place of whatever comes behind it.
    [[nodiscard]] Position place_of_null(const YAML::Mark& mark) const {
        const char first = byte_at(mark);
        if (first == '~' || first == 'n' || first == 'N') return position_at(mark);
        if (const auto key_at = builder_.key_position()) return *key_at;
        const std::size_t end =
            std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
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

    void begin(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
               YAML::anchor_t anchor) {
        const Position at = position_at(mark);
        if (skipped_ > 0) {
            ++skipped_;
            return;
        }
        begins_value(at, anchor);
        refuse_tag(mark, tag, "?");
        if (builder_.expects_key()) {
            skipped_ = 1;
            skipped_at_ = at;
            return;
        }
        if (!builder_.begin(kind, at)) throw Stop();
    }

    void end() {
        if (skipped_ == 0) return builder_.end();
        // Said only now: at some syntax errors the parser first guesses such a key.
        if (--skipped_ == 0) {
            refuse_key("?", skipped_at_, "a list or an object is no name; write one word");
        }
    }

    std::string_view text_;
    DocumentBuilder& builder_;
    Findings& findings_;
    int documents_ = 0;
    int skipped_ = 0; // levels open of a key that is a list or an object
    Position skipped_at_;
};

bool refuse(Findings& findings, std::string message, Position at) {
    findings.add(FieldPath(), std::move(message), at);
    return false;
}

// A line that begins with % before the document: %YAML 1.1 would change what the rest means.
bool check_directives(std::string_view text, Findings& findings) {
    std::size_t start = 0;
    while (start < text.size()) {
        if (text[start] == '%') {
            return refuse(findings, "directives are not taken; leave the line out",
                          position_of(text, start));
        }
        const std::string_view line = text.substr(start, text.find('\n', start) - start);
        const std::string_view content = trim(line);
        if (!content.empty() && content.front() != '#') return true;
        start += line.size() + 1;
    }
    return true;
}

// What YAML does not allow in its text, and what the parser would mistake: it takes EOT for the
// end, and a carriage return alone for a character.
bool check_characters(std::string_view text, Findings& findings) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
        if (byte == '\r') {
            return refuse(findings, "a carriage return stands alone here; end lines with a newline",
                          position_of(text, i));
        }
        if (byte < 0x20 && byte != '\t' && byte != '\n') {
            return refuse(findings, "a control character stands here; write it as an escape",
                          position_of(text, i));
        }
        if (text.substr(i, 3) == "\xef\xbb\xbf") {
            return refuse(findings, "a byte order mark stands here; remove it",
                          position_of(text, i));
        }
    }
    return true;
}

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
        !check_characters(text, parsed.findings) || !check_directives(text, parsed.findings)) {
        return parsed;
    }
    DocumentBuilder builder(limits, parsed.findings);
    Handler handler(text, builder, parsed.findings);
    if (run_parser(text, handler, parsed.findings)) parsed.root = builder.take_root();
    return parsed;
}

} // namespace stratum
