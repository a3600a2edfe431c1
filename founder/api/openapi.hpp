// docs/openapi.yaml, which the build puts inside the binary.
#pragma once

#include <string>

namespace stratum::founder::api {

const std::string& openapi_json(); // one line of JSON; lives as long as the program

} // namespace stratum::founder::api
