// Findings and the text they are about: where a field stands, and the line that tells a person.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/document.hpp"

namespace stratum {

// Where each value of a document stands in its text.
class Positions {
public:
    explicit Positions(const Node& root) { note(root, {}); }

    // Where the field stands, else the nearest thing around it: a missing field is told at its
    // object.
    [[nodiscard]] std::optional<Position> of(std::string_view field) const;

private:
    void note(const Node& node, const FieldPath& path);

    std::map<std::string, Position, std::less<>> all_;
};

// "node.yaml:4:7: links[0].mtu: …"; what is not known of a finding is left out.
std::string finding_line(std::string_view file, const Finding& finding);

} // namespace stratum
