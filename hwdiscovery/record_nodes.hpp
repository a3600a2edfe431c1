// What the writers of a captured machine's documents share. Private to this room.
#pragma once

#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/text.hpp"

namespace stratum::hw {

// Text goes out as valid UTF-8; an empty one means "not known" and is left out.
inline void put(Node& node, const char* name, const std::string& text) {
    if (!text.empty()) node.set(name, to_valid_utf8(text));
}

inline Node texts_node(const std::vector<std::string>& texts) {
    Node list = Node::array();
    for (const auto& text : texts) list.push(Node::string(to_valid_utf8(text)));
    return list;
}

} // namespace stratum::hw
