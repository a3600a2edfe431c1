// Prints one of the documents that are made from the tables: print_docs rules|node-yaml|schema.
#include <cstring>
#include <iostream>

#include "common/config/documentation.hpp"

int main(int argc, char** argv) {
    using namespace stratum::config;
    const char* wanted = argc == 2 ? argv[1] : "";
    if (std::strcmp(wanted, "rules") == 0) return std::cout << rules_document(), 0;
    if (std::strcmp(wanted, "node-yaml") == 0) return std::cout << node_yaml_tables(), 0;
    if (std::strcmp(wanted, "schema") == 0) return std::cout << node_yaml_schema(), 0;
    std::cerr << "print_docs rules|node-yaml|schema\n";
    return 2;
}
