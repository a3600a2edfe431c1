// Everything that libblkid, and our own rows, recognise in one place of a device. Not what libblkid
// would choose: every result of every reader, those that stand behind another of the same kind
// (an old array's superblock at the other end), those whose checksum is wrong, and the copy of a
// GPT that is left alone.
#pragma once

#include <string>
#include <vector>

#include "hwdiscovery/edge/place.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

struct PlaceContents {
    std::vector<SignatureRecord> signatures;
    std::vector<TableRecord> tables;
    // What the tables say, nested ones too; at most 256. What stands in them is not read.
    std::vector<TablePartition> partitions;
    // Why not every spot could be read where something could stand; empty: all were, and what is
    // not listed is not there.
    std::string problem;
};

PlaceContents read_contents_of(const Place& place);

} // namespace stratum::hw
