// The two kinds of things that the table is made of, and how it puts words together.
#pragma once

#include <string>
#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/table_text.hpp"

namespace stratum::hw {

void draw_disk(const facts::Disk& disk, TableText& text);
void draw_nic(const facts::Nic& nic, bool reaches_founder, TableText& text);

// Unless it is empty.
void add_part(std::vector<std::string>& parts, std::string part);
std::string counted(std::size_t count, const std::string& one); // "1 disk", "2 disks"
std::string short_list(const std::vector<std::string>& parts);  // a dozen, and how many more

} // namespace stratum::hw
