// libblkid's probe, with an owner, and what it tells as values of ours.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <blkid/blkid.h>

#include "hwdiscovery/edge/place.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

struct ProbeDeleter {
    void operator()(blkid_probe probe) const { blkid_free_probe(probe); }
};
using ProbeHandle = std::unique_ptr<std::remove_pointer_t<blkid_probe>, ProbeDeleter>;

// Null where libblkid cannot read the place at all. It has then both ends in memory already, as
// far in as most of its readers look.
ProbeHandle open_probe(const Place& place);

// Forgets what was read, and what was hidden in it, and reads the ends anew.
void read_again(blkid_probe probe, const Place& place);

enum class Chain { kSuperblocks, kTables };

// Starts from the first reader of that chain, and of no other.
void choose(blkid_probe probe, Chain chain);

// The readers of those names no longer take part.
void leave_out(blkid_probe probe, const std::vector<std::string>& readers);

struct Value {
    const char* data = nullptr;
    std::size_t size = 0;
};

// Valid until the probe goes on; null where there is no such value.
Value raw_value_of(blkid_probe probe, const char* name);
std::string value_of(blkid_probe probe, const char* name);

std::string text_or_empty(const char* text);
TablePartition partition_of(blkid_partition raw);

} // namespace stratum::hw
