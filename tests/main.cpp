// Runs the unit tests. In the sanitizer build CppUTest's own operator new must stand back: it would
// hide heap errors from ASan and report each leak twice.

#include "tests/fakes/warm_up.hpp"

#include <CppUTest/CommandLineTestRunner.h>

int main(int argc, char** argv) {
#if defined(__SANITIZE_ADDRESS__)
    MemoryLeakWarningPlugin::turnOffNewDeleteOverloads();
#else
    // Servers answer from threads of their own.
    MemoryLeakWarningPlugin::turnOnThreadSafeNewDeleteOverloads();
#endif
    stratum::fakes::warm_up();
    return CommandLineTestRunner::RunAllTests(argc, argv);
}
