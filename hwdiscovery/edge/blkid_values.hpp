// libblkid's probe, with an owner, and what it tells as values of ours.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <blkid/blkid.h>

#include "hwdiscovery/edge/place.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

struct ProbeDeleter {
    void operator()(blkid_probe probe) const { blkid_free_probe(probe); }
};
using ProbeHandle = std::unique_ptr<std::remove_pointer_t<blkid_probe>, ProbeDeleter>;

// Null where libblkid cannot read the place at all.
ProbeHandle open_probe(const Place& place);

enum class Chain { kSuperblocks, kTables };

// Starts from the first reader of that chain, and of no other.
void choose(blkid_probe probe, Chain chain);

// The readers of superblocks that read most, hundreds of KiB at either end, or all the others.
// Those first: libblkid keeps what it has read, and most of what the others ask for is then in
// memory.
void choose_readers(blkid_probe probe, bool are_far_reading);

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
