#include "founder/api/metric_text.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::founder::api;

TEST_GROUP(MetricText){};

TEST(MetricText, AHeadThenALineForEachValue) {
    Metric members("stratum_members", "Members by status.");
    members.add(label("status", "up"), 3);
    members.add(label("status", "down") + "," + label("az", "1"), 0);
    STRCMP_EQUAL("# HELP stratum_members Members by status.\n# TYPE stratum_members gauge\n"
                 "stratum_members{status=\"up\"} 3\n"
                 "stratum_members{status=\"down\",az=\"1\"} 0\n",
                 members.text().c_str());
    Metric wrong("stratum_wrong_total", "Wrong ones.", "counter");
    wrong.add(7);
    STRCMP_EQUAL("# HELP stratum_wrong_total Wrong ones.\n# TYPE stratum_wrong_total counter\n"
                 "stratum_wrong_total 7\n",
                 wrong.text().c_str());
}

TEST(MetricText, ALabelStaysInsideItsQuotes) {
    STRCMP_EQUAL("node=\"a\\\"} 1\\nb\\\\\"", label("node", "a\"} 1\nb\\").c_str());
}
