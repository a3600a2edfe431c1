// What is printed from the tables: each row and each field is in it, and each form has its words.
#include "common/base/text.hpp"
#include "common/config/documentation.hpp"
#include "common/config/forms.hpp"
#include "common/config/node_config_fields.hpp"
#include "common/config/rules.hpp"
#include "tests/common/config/fixture.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

void check_forms(const std::vector<DescribedField>& fields) {
    for (const DescribedField& field : fields) {
        if (field.info.fault)
            CHECK_TEXT(form_of(field.info.fault) != nullptr, std::string(field.info.name).c_str());
        check_forms(field.inside);
    }
}

template<class Rules>
void check_rows(const std::string& document, const Rules& rules) {
    for (const auto& rule : rules) {
        const std::string row = "| `" + std::string(rule.id) + "` | `" + std::string(rule.field) +
                                "` | " + std::string(rule.refused_when);
        CHECK_TEXT(document.find(row) != std::string::npos, row.c_str());
    }
}

const Node& property(const Node& schema, std::string_view path) {
    const Node* node = &schema;
    for (const std::string& name : split(path, '.')) {
        if (const Node* items = node->find("items")) node = items;
        node = node->find("properties")->find(name);
        CHECK(node != nullptr);
    }
    return *node;
}

} // namespace

TEST_GROUP(ConfigDocumentation){};

TEST(ConfigDocumentation, EveryFormHasItsWordsAndPattern) {
    check_forms(describe<NodeConfig>());
    CHECK(form_of(nullptr) == nullptr);
}

TEST(ConfigDocumentation, EveryRowOfTheTablesIsPrinted) {
    const std::string document = rules_document();
    check_rows(document, approval_rules());
    check_rows(document, node_yaml_rules());
    check_rows(document, founder_yaml_rules());
}

TEST(ConfigDocumentation, EveryFieldIsPrintedWithItsRules) {
    const std::string tables = node_yaml_tables();
    for (const std::string& path : node_yaml_fields())
        CHECK_TEXT(tables.find("| `" + path + "` |") != std::string::npos, path.c_str());
    STRCMP_CONTAINS(
        "| `cluster.networks[].purpose` | What the network is for. | required; storage, "
        "overlay, mgmt, provider. refused when",
        tables.c_str());
}

TEST(ConfigDocumentation, TheSchemaHasTypesWordsRangesAndForms) {
    const Parsed parsed = parse_json(node_yaml_schema());
    CHECK(parsed.root.has_value() && parsed.findings.empty());
    const Node& schema = *parsed.root;
    STRCMP_EQUAL("string", property(schema, "node.role").find("type")->as_string().c_str());
    LONGS_EQUAL(4, property(schema, "node.role").find("enum")->items().size());
    LONGS_EQUAL(9216, property(schema, "mgmt.mtu").find("maximum")->as_int());
    STRCMP_CONTAINS("64", property(schema, "founder.key").find("pattern")->as_string().c_str());
    CHECK(!schema.find("additionalProperties")->as_bool());
    // What may be absent may be null.
    const Node& kind = property(schema, "network.connections.kind");
    LONGS_EQUAL(2, kind.find("type")->items().size());
    CHECK(kind.find("enum")->items().back().is_null());
}
