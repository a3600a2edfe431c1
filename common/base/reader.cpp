#include "common/base/reader.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum {
namespace {

constexpr std::size_t kShownBytes = 64;

std::string shown(std::string_view text) {
    std::string_view kept = text.substr(0, kShownBytes);
    kept = kept.substr(0, kept.size() < text.size() ? utf8_length(kept) : kept.size());
    return "\"" + to_valid_utf8(kept) + (kept.size() < text.size() ? "…\"" : "\"");
}

// What stands there, without showing text: that may be a secret in the wrong place.
std::string found(const Node& node) {
    if (node.kind() == Node::Kind::kInt) return "the number " + std::to_string(node.as_int());
    if (node.kind() == Node::Kind::kBool) return node.as_bool() ? "true" : "false";
    return std::string(node.kind_name());
}

std::string mismatch(std::string_view needed, const Node& node) {
    const bool quotes_help = needed == "a string" && !node.is_array() && !node.is_object();
    return "must be " + std::string(needed) + ", found " + found(node) +
           (quotes_help ? "; put it in quotes" : "");
}

std::string list_of(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words) {
        if (!text.empty()) text += ", ";
        text += word;
    }
    return text;
}

} // namespace

ObjectReader::ObjectReader(const Node& node, FieldPath path, Findings& findings, Unknown unknown)
    : node_(node), path_(std::move(path)), findings_(findings), unknown_(unknown) {
    if (!is_object() && !(node_.is_null() && findings_.has_at(path_))) {
        findings_.add(path_, mismatch("an object", node_), node_.position());
    }
}

bool ObjectReader::has(std::string_view name) {
    return member(name) != nullptr;
}

const Node* ObjectReader::member(std::string_view name) {
    asked_.emplace(name);
    const Node* node = node_.find(name);
    return node != nullptr && !node->is_null() ? node : nullptr;
}

const Node* ObjectReader::typed(std::string_view name, Node::Kind kind, std::string_view needed) {
    const Node* node = member(name);
    if (node == nullptr || node->kind() == kind) return node;
    add(name, mismatch(needed, *node));
    return nullptr;
}

// Only what was never told: a value that was refused (by the parser too) reads as absent.
void ObjectReader::missing(std::string_view name) {
    if (is_object() && !findings_.has_at(path_.key(name))) add(name, "missing");
}

std::optional<std::string> ObjectReader::optional_string(std::string_view name) {
    const Node* node = typed(name, Node::Kind::kString, "a string");
    return node == nullptr ? std::nullopt : std::optional(node->as_string());
}

std::string ObjectReader::required_string(std::string_view name) {
    auto text = optional_string(name);
    if (!text) missing(name);
    return text.value_or("");
}

std::string ObjectReader::optional_text(std::string_view name, std::size_t max_bytes) {
    return bounded_text(name, optional_string(name).value_or(""), max_bytes);
}

std::string ObjectReader::required_text(std::string_view name, std::size_t max_bytes) {
    return bounded_text(name, required_string(name), max_bytes);
}

std::string ObjectReader::bounded_text(std::string_view name, const std::string& text,
                                       std::size_t max_bytes) {
    if (text.size() <= max_bytes) return to_valid_utf8(text);
    add(name, "has " + std::to_string(text.size()) + " bytes, at most " +
                  std::to_string(max_bytes) + " are taken");
    return {};
}

std::optional<std::int64_t> ObjectReader::optional_int(std::string_view name, std::int64_t min,
                                                       std::int64_t max) {
    const Node* node = typed(name, Node::Kind::kInt, "a whole number");
    if (node == nullptr) return std::nullopt;
    const std::int64_t value = node->as_int();
    if (value >= min && value <= max) return value;
    add(name, std::to_string(value) + " is not between " + std::to_string(min) + " and " +
                  std::to_string(max));
    return std::nullopt;
}

std::optional<std::int64_t> ObjectReader::required_int(std::string_view name, std::int64_t min,
                                                       std::int64_t max) {
    const auto value = optional_int(name, min, max);
    if (!value) missing(name);
    return value;
}

std::optional<bool> ObjectReader::optional_bool(std::string_view name) {
    const Node* node = typed(name, Node::Kind::kBool, "true or false");
    return node == nullptr ? std::nullopt : std::optional(node->as_bool());
}

std::optional<std::string> ObjectReader::optional_word(std::string_view name,
                                                       std::span<const std::string_view> words) {
    auto text = optional_string(name);
    if (!text || std::find(words.begin(), words.end(), *text) != words.end()) return text;
    const auto near = nearest(*text, std::vector<std::string>(words.begin(), words.end()));
    add(name, shown(*text) + " is not one of: " + list_of(words) +
                  (near ? "; did you mean " + *near : ""));
    return std::nullopt;
}

std::optional<std::string> ObjectReader::required_word(std::string_view name,
                                                       std::span<const std::string_view> words) {
    auto word = optional_word(name, words);
    if (!word) missing(name);
    return word;
}

std::optional<std::vector<std::string>> ObjectReader::optional_strings(std::string_view name) {
    std::vector<std::string> texts;
    bool is_whole = true;
    const bool is_list = each(name, [&](const Node& item, const FieldPath& at) {
        is_whole = is_whole && item.is_string();
        if (item.is_string()) return texts.push_back(item.as_string());
        if (item.is_null() && findings_.has_at(at)) return;
        findings_.add(at, mismatch("a string", item), item.position());
    });
    // A list with holes would shift the places of the rest.
    return is_list && is_whole ? std::optional(std::move(texts)) : std::nullopt;
}

bool ObjectReader::each(std::string_view name,
                        const std::function<void(const Node&, const FieldPath&)>& visit) {
    const Node* node = typed(name, Node::Kind::kArray, "a list");
    if (node == nullptr) return false;
    const FieldPath at = path_.key(name);
    for (std::size_t i = 0; i < node->items().size(); ++i) visit(node->items()[i], at.index(i));
    return true;
}

void ObjectReader::ignore(std::string_view name) {
    asked_.emplace(name);
}

void ObjectReader::add(std::string_view name, std::string message) {
    const Node* node = node_.find(name);
    findings_.add(path_.key(name), std::move(message),
                  node != nullptr ? node->position() : node_.position());
}

void ObjectReader::finish() {
    if (unknown_ == Unknown::kIgnored) return;
    const std::vector<std::string> known(asked_.begin(), asked_.end());
    for (const auto& [name, value] : node_.members()) {
        if (findings_.size() > Findings::kMaxFindings) return; // no more are kept
        if (name.starts_with("x-") || asked_.contains(name)) continue;
        const auto near = nearest(name, known);
        findings_.add(path_.key(name), near ? "unknown; did you mean " + *near : "unknown",
                      value.key_position());
    }
}

} // namespace stratum
