#include "app/say.hpp"

#include <iostream>
#include <mutex>

#include "common/base/finding_places.hpp"

namespace stratum::app {

int say_failure(const std::string& message, int exit_code) {
    std::cerr << "firstboot: " << message << "\n";
    return exit_code;
}

void say_findings(const std::string& file, const Findings& findings) {
    for (const Finding& finding : findings.all()) std::cerr << finding_line(file, finding) << "\n";
}

void log_line(const std::string& line) {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    std::cerr << line + '\n'; // one write: whoever reads along is woken once
}

} // namespace stratum::app
