// founder init: what it makes, what it refuses, and that it can be killed and run again. And a
// founder that serves, over the real wire.

#include <csignal>
#include <filesystem>
#include <mutex>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "common/link/http_client.hpp"
#include "founder/init.hpp"
#include "founder/serve.hpp"
#include "founder/store/edge/sqlite_store.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

unsigned mode_of(const std::string& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777u : 0;
}

std::string why(const tl::expected<MadeFounder, InitRefusal>& made) {
    return made ? "ok" : made.error().message;
}

ServeOptions serve_options() {
    ServeOptions options;
    options.admin = {"127.0.0.1", 0};
    options.join = {"127.0.0.1", 0};
    options.release = kRelease;
    options.admin_handler = [](Founder&) -> link::Handler {
        return [](const link::ServerRequest&) {
            link::ServerAnswer answer;
            answer.body = "{}";
            return answer;
        };
    };
    return options;
}

} // namespace

TEST_GROUP(Init) {
    fakes::TempFolder folder;
    std::string state = folder.path("state");

    tl::expected<MadeFounder, InitRefusal> init(const InitOptions& options = {}) {
        return make_founder(state, founder_yaml(), options);
    }
};

TEST(Init, makes_a_founder_whose_files_are_its_owners_alone) {
    const auto made = init();
    STRCMP_EQUAL("ok", why(made).c_str());
    LONGS_EQUAL(64, made->fingerprint.size());
    STRCMP_EQUAL("10.20.0.1:8444", made->advertise.at(0).c_str());
    UNSIGNED_LONGS_EQUAL(0700, mode_of(state));
    UNSIGNED_LONGS_EQUAL(0600, mode_of(state + "/founder.db"));
    UNSIGNED_LONGS_EQUAL(0600, mode_of(state + "/founder.pem"));
}

TEST(Init, refuses_a_folder_that_holds_a_founder) {
    CHECK_TRUE(init().has_value());
    CHECK_TRUE(why(init()).find("already holds a founder") != std::string::npos);
}

TEST(Init, takes_a_folder_that_is_there_and_empty) {
    std::filesystem::create_directory(state);
    STRCMP_EQUAL("ok", why(init()).c_str());
}

TEST(Init, a_wrong_file_gets_every_finding_and_leaves_no_trace) {
    const auto made = make_founder(state, "version: 1\nnode: {}\n", {});
    CHECK_FALSE(made.has_value());
    CHECK_TRUE(made.error().findings.size() > 1);
    CHECK_FALSE(std::filesystem::exists(state));
}

TEST(Init, a_wrong_inventory_is_refused_before_anything_is_made) {
    InitOptions options;
    options.inventory_json = R"({"hostname":"alpha"})";
    CHECK_FALSE(init(options).has_value());
    CHECK_FALSE(std::filesystem::exists(state));
}

TEST(Init, a_token_that_could_not_be_shown_makes_no_founder) {
    InitOptions options;
    options.announce = [](const MadeFounder&) -> Status {
        return fail(ErrorCode::kIo, "standard output is gone");
    };
    STRCMP_EQUAL("standard output is gone", why(init(options)).c_str());
    STRCMP_EQUAL("ok", why(init()).c_str());
}

TEST(Init, killed_between_token_and_name_it_can_be_run_again_with_the_same_key) {
    int ends[2];
    CHECK_EQUAL(0, ::pipe(ends));
    const pid_t child = ::fork();
    if (child == 0) {
        InitOptions options;
        options.announce = [&](const MadeFounder& made) -> Status {
            (void)!::write(ends[1], made.fingerprint.data(), made.fingerprint.size());
            ::kill(::getpid(), SIGKILL);
            return {};
        };
        (void)make_founder(state, founder_yaml(), options);
        ::_exit(1);
    }
    std::string said(64, '?');
    LONGS_EQUAL(64, ::read(ends[0], said.data(), said.size()));
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ends[0]);
    ::close(ends[1]);
    CHECK_FALSE(std::filesystem::exists(state + "/founder.db"));
    const auto made = init();
    STRCMP_EQUAL("ok", why(made).c_str());
    STRCMP_EQUAL(said.c_str(), made->fingerprint.c_str());
    CHECK_TRUE(open_sqlite_store({state + "/founder.db", false, 1000}).has_value());
}

TEST(Init, two_at_once_never_both_succeed) {
    int good = 0;
    std::mutex mutex;
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            const bool ok = make_founder(state, founder_yaml(), {}).has_value();
            const std::lock_guard lock(mutex);
            good += ok ? 1 : 0;
        });
    }
    for (std::thread& thread : threads) thread.join();
    LONGS_EQUAL(1, good);
}

TEST(Init, advertised_addresses_are_what_was_asked_for) {
    InitOptions options;
    options.advertise = {{"founder.example", 9444}, {"fd00::1", 0}};
    const auto made = init(options);
    STRCMP_EQUAL("founder.example:9444", made->advertise.at(0).c_str());
    STRCMP_EQUAL("[fd00::1]:8444", made->advertise.at(1).c_str());
}

// ---- serving

TEST_GROUP(Serve) {
    fakes::TempFolder folder;
    std::string state = folder.path("state");
};

TEST(Serve, a_folder_without_a_founder_says_to_run_init) {
    const auto running = serve(state, serve_options());
    CHECK_TRUE(running.error().code == ErrorCode::kNotFound);
    CHECK_TRUE(running.error().message.find("founder init") != std::string::npos);
}

TEST(Serve, a_machine_registers_reveals_and_waits_over_the_real_wire) {
    const auto made = make_founder(state, founder_yaml(), {});
    auto running = serve(state, serve_options());
    STRCMP_EQUAL("", running ? "" : running.error().message.c_str());
    const auto code = (*running)->founder().create_join_code({3600, 1, ""}, {"tk", "", ""});
    const auto uri = link::JoinUri::parse(code->uri);
    STRCMP_EQUAL(made->fingerprint.c_str(), uri->founder_key.str().c_str());
    LONGS_EQUAL((*running)->join_port(), uri->founders.at(0).port);

    const auto key = link::generate_key("joiner");
    Machine machine{1};
    machine.key = key->fingerprint;
    link::Registration message;
    message.release = kRelease;
    message.commitment = machine.commitment();
    message.code_id = uri->code.id();
    message.code_proof =
        link::code_proof(uri->code.key(), uri->founder_key, machine.key, machine.commitment());
    auto client = link::make_client({.server = {"127.0.0.1", (*running)->join_port()},
                                     .pins = {uri->founder_key},
                                     .identity = &*key});
    const auto post = [&](const std::string& path, const Node& body) {
        link::HttpRequest request;
        request.method = "POST";
        request.path = path;
        request.body = write_json(body);
        return *(*client)->send(request);
    };
    const auto registered = post("/v1/join/registrations", link::to_node(message));
    LONGS_EQUAL(201, registered.status);
    const std::string id = parse_json(registered.body).root->find("id")->as_string();
    const std::string path = "/v1/join/registrations/" + id;
    const auto revealed = post(
        path + "/reveal", link::to_node(link::Reveal{machine.nonce, to_node(machine.inventory)}));
    LONGS_EQUAL(200, revealed.status);

    // A held call is answered when the state changes, long before its time.
    link::HttpRequest held;
    held.path = path + "?wait=30";
    held.headers = {{"If-None-Match", *revealed.header("ETag")}};
    std::thread person([&] {
        (void)(*running)->founder().reject(id, {"", false, std::nullopt, {"tk", "", ""}});
    });
    const auto view = (*client)->send(held);
    person.join();
    LONGS_EQUAL(200, view->status);
    STRCMP_EQUAL("rejected", parse_json(view->body).root->find("state")->as_string().c_str());
}

TEST(Serve, stopping_answers_a_held_call_and_ends) {
    CHECK_TRUE(make_founder(state, founder_yaml(), {}).has_value());
    auto running = serve(state, serve_options());
    const auto key = link::generate_key("joiner");
    auto client = link::make_client({.server = {"127.0.0.1", (*running)->join_port()},
                                     .pins = {(*running)->founder().options().identity},
                                     .identity = &*key});
    link::HttpRequest request;
    request.path = "/v1/join/registrations/nj-nothere0";
    LONGS_EQUAL(404, (*client)->send(request)->status);
    (*running)->request_stop();
    running->reset();
}

} // namespace stratum::founder
