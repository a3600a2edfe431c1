#include "hwdiscovery/uevent.hpp"

#include "common/base/text.hpp"

namespace stratum::hw {

std::string uevent_value(std::string_view text, std::string_view name) {
    for (const auto& line : split(text, '\n')) {
        const auto equals = line.find('=');
        if (equals != std::string::npos && std::string_view(line).substr(0, equals) == name)
            return line.substr(equals + 1);
    }
    return {};
}

} // namespace stratum::hw
