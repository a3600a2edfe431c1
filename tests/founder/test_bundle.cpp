// Bundles: the tar's form, the placeholders, and what is refused.

#include <fstream>

#include "common/base/processes.hpp"
#include "founder/bundle.hpp"
#include "founder/ustar.hpp"
#include "tests/fakes/fake_files.hpp"
#include "tests/fakes/temp_folder.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

// What the system's own tar makes of it.
std::string tar_says(const std::string& tar, const std::string& flag,
                     const std::string& more = {}) {
    const fakes::TempFolder folder;
    std::ofstream(folder.path("bundle.tar"), std::ios::binary) << tar;
    Command command;
    command.argv = {"tar", flag, folder.path("bundle.tar")};
    if (!more.empty()) command.argv.push_back(more);
    const auto finished = system_processes().run(command);
    if (!finished || !finished->ok()) FAIL("tar refuses it");
    return finished->out;
}

std::string message_of(const Result<std::string>& result) {
    return result ? "ok" : result.error().message;
}

} // namespace

TEST_GROUP(Ustar){};

TEST(Ustar, the_systems_tar_reads_it) {
    const std::string deep = std::string(90, 'd') + "/" + std::string(90, 'f');
    const auto tar = make_tar({{"bundle.json", "{}", 0644}, {deep, std::string(1000, 'x'), 0755}});
    STRCMP_EQUAL(("bundle.json\n" + deep + "\n").c_str(), tar_says(*tar, "-tf").c_str());
    STRCMP_EQUAL("{}", tar_says(*tar, "-xOf", "bundle.json").c_str());
    STRCMP_EQUAL(std::string(1000, 'x').c_str(), tar_says(*tar, "-xOf", deep).c_str());
}

TEST(Ustar, the_same_files_give_the_same_bytes) {
    CHECK_TRUE(*make_tar({{"a", "1", 0644}}) == *make_tar({{"a", "1", 0644}}));
}

TEST(Ustar, an_empty_one_is_two_empty_blocks) {
    LONGS_EQUAL(1024, make_tar({})->size());
}

TEST(Ustar, names_that_lead_outside_or_do_not_fit_are_refused) {
    for (const std::string& path :
         {std::string("/etc/passwd"), std::string("../x"), std::string("a/../../x"),
          std::string(""), std::string("a//b"), std::string(101, 'n')})
        CHECK_FALSE(make_tar({{path, "", 0644}}).has_value());
}

TEST_GROUP(Bundle) {
    fakes::FakeFiles files;
    Values values{{"node.name", "beta"}, {"members.names", "alpha,gamma"}};
    const std::string steps =
        R"({"version":1,"steps":[{"name":"etcd","title":"Joining etcd","argv":["files/go"]}]})";
};

TEST(Bundle, without_a_folder_has_no_steps) {
    STRCMP_EQUAL(R"({"version":1,"steps":[],"secrets":[]})",
                 tar_says(*make_bundle(files, "", values), "-xOf", "bundle.json").c_str());
}

TEST(Bundle, holds_the_folders_files_filled_in) {
    files.put("/b/bundle.json", steps);
    files.put("/b/files/go", "#!/bin/sh\nname={{node.name}} {{ members.names }}\n");
    files.put("/b/files/conf/deep", std::string("\xff\x00{{binary}}", 12));
    const auto tar = make_bundle(files, "/b", values);
    STRCMP_EQUAL("ok", message_of(tar).c_str());
    STRCMP_EQUAL("bundle.json\nfiles/conf/deep\nfiles/go\n", tar_says(*tar, "-tf").c_str());
    STRCMP_EQUAL("#!/bin/sh\nname=beta alpha,gamma\n", tar_says(*tar, "-xOf", "files/go").c_str());
    CHECK_TRUE(tar->find("{{binary}}") != std::string::npos); // no text: as it is
}

TEST(Bundle, a_value_that_is_not_known_is_an_error_naming_file_and_value) {
    files.put("/b/bundle.json", steps);
    files.put("/b/files/go", "{{node.nam}}");
    STRCMP_EQUAL("the bundle's files/go: {{node.nam}} is no known value",
                 message_of(make_bundle(files, "/b", values)).c_str());
    STRCMP_EQUAL("a {{ is never closed", message_of(fill_in("x {{ y", values)).c_str());
}

TEST(Bundle, a_missing_or_wrong_bundle_json_is_an_error) {
    CHECK_FALSE(make_bundle(files, "/nowhere", values).has_value());
    CHECK_FALSE(check_bundle_json("{").has_value());
    CHECK_FALSE(check_bundle_json(R"({"version":2,"steps":[]})").has_value());
    CHECK_FALSE(check_bundle_json(R"({"version":1})").has_value());
    CHECK_FALSE(check_bundle_json(R"({"version":1,"steps":[{"name":"A b","argv":["x"]}]})"));
    CHECK_FALSE(check_bundle_json(R"({"version":1,"steps":[{"name":"a","argv":[]}]})"));
    CHECK_FALSE(check_bundle_json(
        R"({"version":1,"steps":[{"name":"a","argv":["x"]},{"name":"a","argv":["x"]}]})"));
    CHECK_FALSE(check_bundle_json(R"({"version":1,"steps":[],"stepz":[]})"));
    CHECK_TRUE(check_bundle_json(steps).has_value());
}

TEST(Bundle, values_name_the_node_and_the_other_members) {
    config::NodeConfig node;
    node.node_id = "n-b";
    node.name = "beta";
    node.mgmt.address = "10.20.0.11/24";
    node.cluster.emplace();
    node.cluster->name = "example";
    node.cluster->members = {{"n-a", "alpha", "hybrid", "joined", "10.20.0.1", {}},
                             {"n-b", "beta", "hybrid", "joining", "10.20.0.11", {}}};
    const Values all = bundle_values(node);
    STRCMP_EQUAL("10.20.0.11", all.at("node.mgmtAddress").c_str());
    STRCMP_EQUAL("alpha", all.at("members.names").c_str());
    STRCMP_EQUAL("10.20.0.1", all.at("members.mgmtAddresses").c_str());
}

} // namespace stratum::founder
