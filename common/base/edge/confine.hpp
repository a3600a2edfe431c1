// A program that is asked something and given no grace can leave nothing behind: neither it nor
// what it starts can leave its process group, which is killed when it ends.
#pragma once

namespace stratum::edge {

// For the child between fork and exec (only system calls). A kernel that cannot do it goes on
// without; a program of another architecture is not held.
void confine_to_group();

} // namespace stratum::edge
