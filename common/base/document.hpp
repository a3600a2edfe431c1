// One tree for JSON and YAML. Every room reads and writes documents through this; no room sees a
// parser's types. Reading is strict: duplicate keys, bad UTF-8, a second YAML document, anchors,
// aliases and tags, numbers such as 010 or 0x1F, and whatever passes the limits are findings at
// their path and position. Objects keep the order of their members.
//
// Formats: JSON is RFC 8259 (UTF-8, no byte order mark), YAML is 1.2's core schema without anchors,
// aliases and tags; a plain scalar that older YAML reads as something else (yes, no, on, off, 010,
// 0o17, 1_000, 12:30:00) stays a finding-free string only when quoted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/findings.hpp"

namespace stratum {

class Node {
public:
    enum class Kind { kNull, kBool, kInt, kDouble, kString, kArray, kObject };
    using Member = std::pair<std::string, Node>;

    Node() = default; // null
    static Node boolean(bool value);
    static Node integer(std::int64_t value);
    static Node number(double value); // finite; anything else becomes null
    static Node string(std::string value);
    static Node array(std::vector<Node> items = {});
    static Node object(std::vector<Member> members = {});

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool is_null() const { return kind_ == Kind::kNull; }
    [[nodiscard]] bool is_string() const { return kind_ == Kind::kString; }
    [[nodiscard]] bool is_object() const { return kind_ == Kind::kObject; }
    [[nodiscard]] bool is_array() const { return kind_ == Kind::kArray; }
    // "a string", "a list", … for messages.
    [[nodiscard]] std::string_view kind_name() const;

    // Each asks for the right kind; of another kind the answer is false, 0, empty.
    [[nodiscard]] bool as_bool() const { return bool_; }
    [[nodiscard]] std::int64_t as_int() const { return int_; }
    [[nodiscard]] double as_double() const; // also of kInt
    [[nodiscard]] const std::string& as_string() const { return text_; }
    [[nodiscard]] const std::vector<Node>& items() const { return items_; }
    [[nodiscard]] const std::vector<Member>& members() const { return members_; }

    // The member of that name, or nullptr (absent, or not an object).
    [[nodiscard]] const Node* find(std::string_view name) const;

    // Building. `set` replaces a member of the same name in place, else appends.
    Node& set(std::string name, Node value);
    Node& set(std::string name, std::string value) {
        return set(std::move(name), string(std::move(value)));
    }
    Node& set(std::string name, const char* value) { return set(std::move(name), string(value)); }
    // Appends only what is there; an absent optional leaves no member.
    Node& set_if(std::string name, const std::optional<std::string>& value);
    Node& remove(std::string_view name);
    Node& push(Node item);

    // Where it stood in the text; absent for a node that was built.
    [[nodiscard]] std::optional<Position> position() const { return position_; }
    void set_position(Position at) { position_ = at; }
    // Where its key stood, for a member of an object that was read.
    [[nodiscard]] std::optional<Position> key_position() const { return key_position_; }
    void set_key_position(Position at) { key_position_ = at; }

    // Equal in kind and value; positions do not count, the order of members does not either.
    friend bool operator==(const Node& a, const Node& b);

private:
    Kind kind_ = Kind::kNull;
    bool bool_ = false;
    std::int64_t int_ = 0;
    double double_ = 0;
    std::string text_;
    std::vector<Node> items_;
    std::vector<Member> members_;
    std::optional<Position> position_;
    std::optional<Position> key_position_;
};

struct DocumentLimits {
    std::size_t max_bytes = 1024 * 1024;
    int max_depth = 32;
    std::size_t max_nodes = 100'000;
};

// The tree, where the text is whole; and every finding. `root` is there exactly when the text could
// be parsed to its end within the limits; findings (duplicate keys, …) may still be there beside
// it.
struct Parsed {
    std::optional<Node> root;
    Findings findings;
};

Parsed parse_json(std::string_view text, const DocumentLimits& limits = {});
Parsed parse_yaml(std::string_view text, const DocumentLimits& limits = {});

// UTF-8 JSON. `indent` 0 is one line without spaces; 2 is for people. Strings that are not UTF-8
// come out with each bad byte as U+FFFD.
std::string write_json(const Node& node, int indent = 0);
// YAML in block style, strings quoted where a reader could take them for something else: reading it
// back with parse_yaml gives an equal tree. (Bad bytes come out as in JSON, and so do Unicode's
// noncharacters; a NUL in a string is refused by both readers.)
std::string write_yaml(const Node& node);

} // namespace stratum
