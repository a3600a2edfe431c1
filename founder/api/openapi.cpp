#include "founder/api/openapi.hpp"

#include "common/base/document.hpp"
#include "embedded/openapi_yaml.hpp" // made by the build from docs/openapi.yaml

namespace stratum::founder::api {

const std::string& openapi_json() {
    static const std::string json = [] {
        const Parsed parsed = parse_yaml(embedded::kOpenapiYaml);
        return parsed.root ? write_json(*parsed.root) : std::string("{}");
    }();
    return json;
}

} // namespace stratum::founder::api
