#include "common/config/fields.hpp"

#include "common/base/text.hpp"

namespace stratum::config {

namespace {

// A word that is none of those allowed.
std::string word_fault(std::string_view found, Words words) {
    std::vector<std::string> known(words.begin(), words.end());
    std::string message = say("\"", found, "\" is unknown; it is one of ", listed(words));
    if (const auto near = nearest(found, known))
        message = say("\"", found, "\" is unknown; did you mean ", *near, "? It is one of ",
                      listed(words));
    return message;
}

Fault text_fault(std::string_view text, const FieldInfo& info) {
    if (!info.words.empty() && !has_word(info.words, text)) return word_fault(text, info.words);
    if (info.fault) return info.fault(text);
    return {};
}

} // namespace

std::optional<std::string> read_text(Reading& reading, const FieldInfo& info) {
    if (info.required && !reading.object.has(info.name)) {
        reading.object.add(info.name, say("missing: ", info.about));
        return {};
    }
    auto text = reading.object.optional_string(info.name);
    if (!text) return {};
    if (text->empty()) {
        if (info.required || !info.words.empty())
            reading.object.add(info.name, say("is empty: ", info.about));
        return {};
    }
    if (Fault fault = text_fault(*text, info)) {
        reading.object.add(info.name, std::move(*fault));
        return {};
    }
    return text;
}

std::optional<std::int64_t> read_integer(Reading& reading, const FieldInfo& info) {
    if (info.required && !reading.object.has(info.name)) {
        reading.object.add(info.name, say("missing: ", info.about));
        return {};
    }
    return reading.object.optional_int(info.name, info.min, info.max);
}

std::optional<std::vector<std::string>> read_texts(Reading& reading, const FieldInfo& info) {
    std::vector<std::string> texts;
    const bool there = reading.object.each(info.name, [&](const Node& node, const FieldPath& path) {
        if (!node.is_string())
            reading.findings.add(path, say("needs a string, found ", node.kind_name()),
                                 node.position());
        else if (Fault fault = text_fault(node.as_string(), info))
            reading.findings.add(path, std::move(*fault), node.position());
        else
            texts.push_back(node.as_string());
    });
    if (there) return texts;
    if (info.required && !reading.object.has(info.name))
        reading.object.add(info.name, say("missing: ", info.about));
    return {};
}

void write_texts(const std::vector<std::string>& texts, const FieldInfo& info, Node& node) {
    Node list = Node::array();
    for (const std::string& text : texts) list.push(Node::string(text));
    node.set(std::string(info.name), std::move(list));
}

} // namespace stratum::config
