#include "common/config/fields.hpp"

#include "common/base/text.hpp"

namespace stratum::config {

namespace {

// A word that is none of those allowed, in ObjectReader's words.
std::string word_fault(std::string_view found, Words words) {
    const std::vector<std::string> known(words.begin(), words.end());
    const auto near = nearest(found, known);
    return say("\"", found, "\" is not one of: ", listed(words),
               near ? "; did you mean " + *near : "");
}

Fault text_fault(std::string_view text, const FieldInfo& info) {
    if (!info.words.empty() && !has_word(info.words, text)) return word_fault(text, info.words);
    if (info.fault) return info.fault(text);
    return {};
}

// The field's meaning as the end of a sentence.
std::string needed(const FieldInfo& info) {
    std::string text(info.about);
    const bool is_word = text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
    if (is_word) text[0] = lower(text.substr(0, 1))[0];
    if (text.ends_with('.')) text.pop_back();
    return text;
}

// Tells it, too; a value that was refused already is not missing.
bool is_missing(Reading& reading, const FieldInfo& info) {
    if (!info.required || !reading.object.is_object() || reading.object.has(info.name))
        return false;
    if (!reading.findings.has_at(reading.object.path().key(info.name)))
        reading.object.add(info.name, say("missing: ", needed(info)));
    return true;
}

} // namespace

std::optional<std::string> read_text(Reading& reading, const FieldInfo& info) {
    if (is_missing(reading, info)) return {};
    auto text = reading.object.optional_string(info.name);
    if (!text) return {};
    if (text->empty()) {
        if (info.required || !info.words.empty())
            reading.object.add(info.name, say("is empty: ", needed(info)));
        return {};
    }
    if (Fault fault = text_fault(*text, info)) {
        reading.object.add(info.name, std::move(*fault));
        return {};
    }
    return text;
}

std::optional<std::int64_t> read_integer(Reading& reading, const FieldInfo& info) {
    if (is_missing(reading, info)) return {};
    return reading.object.optional_int(info.name, info.min, info.max);
}

std::optional<std::vector<std::string>> read_texts(Reading& reading, const FieldInfo& info) {
    std::vector<std::string> texts;
    const bool there = reading.object.each(info.name, [&](const Node& node, const FieldPath& path) {
        texts.emplace_back(); // a refused one keeps its place, so that the others keep theirs
        if (node.is_null() && reading.findings.has_at(path)) return; // told by the parser
        if (!node.is_string())
            reading.findings.add(path, say("must be a string, found ", node.kind_name()),
                                 node.position());
        else if (Fault fault = text_fault(node.as_string(), info))
            reading.findings.add(path, std::move(*fault), node.position());
        else
            texts.back() = node.as_string();
    });
    if (there) return texts;
    is_missing(reading, info);
    return {};
}

void write_texts(const std::vector<std::string>& texts, const FieldInfo& info, Node& node) {
    Node list = Node::array();
    for (const std::string& text : texts) list.push(Node::string(text));
    node.set(std::string(info.name), std::move(list));
}

} // namespace stratum::config
