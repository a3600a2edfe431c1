// A founder that serves: the admin listener (its handler is handed in), the join listener and the
// thread that asks the clock. Stops when told, with every held call answered.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/base/net.hpp"
#include "common/compat/pins.hpp"
#include "common/link/http_server.hpp"
#include "founder/founder.hpp"

namespace stratum::founder {

struct ServeOptions {
    HostPort admin{"0.0.0.0", 8443};
    HostPort join{"0.0.0.0", 8444};
    std::string release;
    std::string upgrades_from;
    std::string upgrade_source;
    std::string bundle_folder;
    std::vector<HostPort> advertise; // empty: what init stored
    compat::Pins pins;               // what this machine's own programs are judged by
    std::string health_file;         // empty: health.yaml in the state folder, if it is there
    // The admin API over this founder; called once, before the listeners start.
    std::function<link::Handler(Founder&)> admin_handler;
    std::function<std::size_t(const std::string& method, const std::string& path)> admin_body_limit;
    // One line of what happened, for the program's log; from any thread. May be empty.
    std::function<void(const std::string& line)> log;
};

class RunningFounder {
public:
    virtual ~RunningFounder() = default; // stops and waits
    [[nodiscard]] virtual std::uint16_t admin_port() const = 0;
    [[nodiscard]] virtual std::uint16_t join_port() const = 0;
    [[nodiscard]] virtual Founder& founder() = 0;
    virtual void request_stop() = 0; // returns at once; safe from any thread, not from a signal
};

// Both listeners serve when it returns. kNotFound where the folder holds no founder (says to run
// init), kUnavailable where a listener's address cannot be had.
Result<std::unique_ptr<RunningFounder>> serve(const std::string& state_dir,
                                              const ServeOptions& options);

} // namespace stratum::founder
