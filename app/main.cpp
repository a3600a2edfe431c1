// The entry of both names, firstboot and stratumctl. Until the command table stands it says only
// what it is.

#include <cstring>
#include <iostream>

#include "app/version.hpp"

int main(int argc, char** argv) {
    if (argc < 2 || std::strcmp(argv[1], "--version") != 0) {
        std::cerr << "firstboot: found no known command; try --version\n";
        return 2;
    }
    std::cout << "firstboot " << stratum::app::product_version() << " (" << stratum::app::commit()
              << ")\n";
    for (const auto& library : stratum::app::libraries()) {
        std::cout << "  " << library.name << " " << library.version << "\n";
    }
}
