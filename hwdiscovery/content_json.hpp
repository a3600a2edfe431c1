// What reading a device gave, as a document: how the probing process tells it to its parent, and
// how a captured machine keeps it (contents.json, an object of records by kernel name).
#pragma once

#include <map>
#include <string>

#include "common/base/document.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

// Text comes out as valid UTF-8.
Node to_node(const ContentRecord& content);
// What is missing or of the wrong kind stays at its default; a record nobody completed proves
// nothing.
ContentRecord read_content(const Node& node);

std::map<std::string, ContentRecord> read_contents(const Node& node);
Node to_node(const std::map<std::string, ContentRecord>& contents);

} // namespace stratum::hw
