// What both parsers share: the tree as it grows from their events, with its path, its limits and
// the duplicate keys, and the checks of the raw text. For common/base/edge alone.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/field_path.hpp"
#include "common/base/findings.hpp"

namespace stratum {

// The place of the byte at `offset` (at most the length).
Position position_of(std::string_view text, std::size_t offset);

// Size, emptiness, byte order mark, UTF-8 and NUL; false (with a finding) where it must not be
// parsed. `format` is "JSON" or "YAML".
bool check_text(std::string_view text, std::string_view format, const DocumentLimits& limits,
                Findings& findings);

class DocumentBuilder {
public:
    DocumentBuilder(const DocumentLimits& limits, Findings& findings)
        : limits_(limits), findings_(findings) {}

    // Events in the order of the text. False: a limit is passed, there is a finding, stop here.
    bool value(Node node, Position at);
    bool begin(Node::Kind kind, Position at);
    void end();
    void key(std::string name, Position at);
    // A key that cannot be one: its value is read for its own faults and then dropped.
    void unusable_key(std::string_view shown, Position at);

    // True where the next event is a key (or the end) of an object.
    [[nodiscard]] bool expects_key() const;
    [[nodiscard]] std::optional<Position> key_position() const;

    // A finding at the value that comes next.
    void problem(std::string message, Position at);

    std::optional<Node> take_root() { return std::move(root_); }

private:
    struct Frame {
        Node::Kind kind;
        Position at;
        std::vector<Node> items;
        std::vector<Node::Member> members;
        std::map<std::string, Position> names;
        std::optional<std::string> key; // of the value that comes next
        Position key_at;
        bool drop = false; // that value is read and thrown away
    };

    bool count(Position at);
    void attach(Node node);
    [[nodiscard]] FieldPath path() const;

    const DocumentLimits& limits_;
    Findings& findings_;
    std::vector<Frame> open_;
    std::size_t nodes_ = 0;
    std::optional<Node> root_;
};

} // namespace stratum
