// A piece of a test in a network namespace of its own, in a child process: what it makes there is
// nobody else's and goes with it. Needs root, or user namespaces.
#pragma once

#include <functional>
#include <string>

namespace stratum::hw {

// The child's answer: empty where it found everything as it should be. A child that hangs is ended
// after 20 seconds, and that is the answer.
std::string in_network_namespace(const std::function<std::string()>& act);

// Both ends up; false: the kernel did not want to.
bool add_veth_pair(const std::string& one, const std::string& other);
bool add_bridge(const std::string& name, const std::string& member);
bool set_link(const std::string& name, bool up);
// A frame as it stands, out of an interface.
bool send_frame(const std::string& interface, const std::string& frame);

} // namespace stratum::hw
