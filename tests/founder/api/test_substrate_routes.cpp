// The substrate over the admin API and in /metrics.

#include "common/link/http_values.hpp"
#include "founder/api/admin_api.hpp"
#include "founder/api/route.hpp"
#include "founder/api/substrate_metrics.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder::api {
namespace {

compat::Report report_with(const std::string& version, compat::Fit fit) {
    compat::ComponentReport component;
    component.id = "ovn-controller";
    component.detected = version;
    component.range = ">=25.03 <26.00";
    component.status = fit;
    if (fit != compat::Fit::kOk) component.note = "it is another";
    const compat::ConstraintReport rule{"match", "a == b", fit, component.note};
    return {kRelease, fit, {component}, {rule}};
}

} // namespace

TEST_GROUP(SubstrateRoutes) {
    World world;
    Machine first{1};
    link::Handler handler = make_admin_handler(*world.founder);

    void setup() override {
        world.own = {report_with("25.03.1", compat::Fit::kOk), world.clock.unix_seconds()};
    }
    link::ServerAnswer call(const std::string& path, const std::string& query = {},
                            const std::string& token = {}) {
        link::ServerRequest made;
        made.method = "GET";
        made.path = path;
        made.query = query;
        made.remote_address = "192.0.2.7";
        made.request_id = "0123456789abcdef";
        made.headers.emplace_back("Authorization",
                                  "Bearer " + (token.empty() ? world.token : token));
        return handler(made);
    }
    link::ServerAnswer matrix(const std::string& query = {}, const std::string& token = {}) {
        return call("/v1/admin/substrate/compatibility", query, token);
    }
    std::string token_for(const std::string& action) {
        const Parsed policy = parse_json(
            R"({"version": 1, "statements": [{"effect": "allow", "resources": ["*"],
                "actions": [")" +
            action + "\"]}]}");
        return world.founder->create_token("", *policy.root, world.admin)->token;
    }
    std::string joined_with(const compat::Report& report) {
        std::string node = world.record(world.joined(first, "beta")).node_id;
        link::Heartbeat beat;
        beat.generation_applied = world.generation();
        beat.compatibility = compat::to_node(report);
        CHECK_TRUE(world.founder->heartbeat(link::to_node(beat), first.key).has_value());
        return node;
    }
};

TEST(SubstrateRoutes, alone_there_are_no_nodes_and_no_status_of_the_fleet) {
    const Node answer = *parse_json(matrix().body).root;
    LONGS_EQUAL(0, answer.find("nodes")->items().size());
    CHECK_TRUE(answer.find("fleetOverallStatus") == nullptr);
    STRCMP_EQUAL("ok", answer.find("overallStatus")->as_string().c_str());
    STRCMP_EQUAL(kRelease, answer.find("stratumVersion")->as_string().c_str());
}

TEST(SubstrateRoutes, the_fleets_status_is_the_worst_of_all_and_the_tops_its_own) {
    joined_with(report_with("24.09.1", compat::Fit::kUnsupported));
    const Node answer = *parse_json(matrix().body).root;
    LONGS_EQUAL(2, answer.find("nodes")->items().size());
    STRCMP_EQUAL("ok", answer.find("overallStatus")->as_string().c_str());
    STRCMP_EQUAL("unsupported", answer.find("fleetOverallStatus")->as_string().c_str());
    Findings findings;
    CHECK_TRUE(compat::read_report(answer, {}, findings) == world.own.report);
    CHECK_TRUE(findings.empty());
}

TEST(SubstrateRoutes, the_age_is_of_the_report_on_top_and_never_negative) {
    const auto age = [](const link::ServerAnswer& answer) {
        return *link::find_header(answer.headers, "Age");
    };
    world.clock.advance_seconds(42);
    STRCMP_EQUAL("42", age(matrix()).c_str());
    world.own.probed_at = world.clock.unix_seconds() + 100; // the clock was set back
    STRCMP_EQUAL("0", age(matrix()).c_str());
}

TEST(SubstrateRoutes, members_without_a_report_are_counted_in_the_head_and_in_the_metrics) {
    const auto count = [this] {
        return *link::find_header(matrix("", token_for("substrate:GetCompatibility")).headers,
                                  "Stratum-Unreported-Nodes");
    };
    STRCMP_EQUAL("0", count().c_str());
    world.joined(first, "beta");
    STRCMP_EQUAL("1", count().c_str());
    STRCMP_CONTAINS("\nstratum_compatibility_unreported_members 1\n",
                    call("/metrics").body.c_str());
    LONGS_EQUAL(0, parse_json(matrix().body).root->find("nodes")->items().size());
}

TEST(SubstrateRoutes, refresh_looks_now_and_other_parameters_are_refused) {
    LONGS_EQUAL(200, matrix("refresh=false").status);
    LONGS_EQUAL(0, world.looks);
    LONGS_EQUAL(200, matrix("refresh=true").status);
    LONGS_EQUAL(1, world.looks);
    for (const char* wrong : {"refresh=1", "refresh=", "refresh=true&refresh=true", "fresh=true"})
        LONGS_EQUAL(400, matrix(wrong).status);
    LONGS_EQUAL(1, world.looks);
}

TEST(SubstrateRoutes, it_gates_on_its_action_alone) {
    LONGS_EQUAL(200, matrix("", token_for("substrate:GetCompatibility")).status);
    LONGS_EQUAL(200, matrix("", token_for("substrate:*")).status);
    LONGS_EQUAL(403, matrix("", token_for("ha:*")).status);
    LONGS_EQUAL(401, matrix("", "nonsense").status);
    // Who may not ask does not have programs run.
    LONGS_EQUAL(403, matrix("refresh=true", token_for("ha:*")).status);
    LONGS_EQUAL(0, world.looks);
}

TEST(SubstrateRoutes, metrics_name_each_row_of_each_node_its_age_and_the_worst) {
    const std::string node = joined_with(report_with("24.09.1", compat::Fit::kUnsupported));
    world.clock.advance_seconds(60);
    const std::string text = call("/metrics").body;
    for (const std::string& line :
         {std::string("stratum_component_status{node=\"n-founder1\",component=\"ovn-controller\"} "
                      "0\n"),
          "stratum_component_status{node=\"" + node + "\",component=\"ovn-controller\"} 2\n",
          "stratum_constraint_status{node=\"" + node + "\",constraint=\"match\"} 2\n",
          "stratum_compatibility_status{node=\"" + node + "\"} 2\n",
          "stratum_compatibility_age_seconds{node=\"" + node + "\"} 60\n",
          std::string("\nstratum_compatibility_worst 2\n")})
        STRCMP_CONTAINS(line.c_str(), text.c_str());
}

TEST(SubstrateRoutes, metrics_of_a_single_node_are_the_founders_own) {
    const std::string text =
        substrate_metrics({"n-1", {report_with("25.03.1", compat::Fit::kWarn), 100}, {}, 130});
    STRCMP_CONTAINS("stratum_component_status{node=\"n-1\",component=\"ovn-controller\"} 1\n",
                    text.c_str());
    STRCMP_CONTAINS("stratum_compatibility_age_seconds{node=\"n-1\"} 30\n", text.c_str());
    STRCMP_CONTAINS("\nstratum_compatibility_worst 1\n", text.c_str());
}

TEST(SubstrateRoutes, what_a_member_calls_a_row_stays_inside_its_quotes) {
    compat::Report report = report_with("25.03.1", compat::Fit::kOk);
    report.components[0].id = "a\"} 9\nstratum_green 1\\";
    const std::string text = substrate_metrics({"n-1", {report, 100}, {}, 130});
    STRCMP_CONTAINS("component=\"a\\\"} 9\\nstratum_green 1\\\\\"} 0\n", text.c_str());
    CHECK_TRUE(text.find("\nstratum_green") == std::string::npos);
}

} // namespace stratum::founder::api
