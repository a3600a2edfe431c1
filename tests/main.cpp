// Runs the unit tests. In the sanitizer build CppUTest's own operator new must stand back: it would
// hide heap errors from ASan and report each leak twice.

#include <CppUTest/CommandLineTestRunner.h>

int main(int argc, char** argv) {
#if defined(__SANITIZE_ADDRESS__)
    MemoryLeakWarningPlugin::turnOffNewDeleteOverloads();
#endif
    return CommandLineTestRunner::RunAllTests(argc, argv);
}
