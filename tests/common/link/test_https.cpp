// Client against server over loopback, with real TLS.
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "common/base/text.hpp"
#include "common/link/http_answer.hpp"
#include "common/link/http_client.hpp"
#include "common/link/http_server.hpp"
#include "tests/common/link/openssl.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::link;
using stratum::test::openssl;
using stratum::test::shell;
using stratum::test::TemporaryFile;

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t ms_since(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

// Made once and before the tests (a key costs some milliseconds).
const KeyPair kFounderKey = generate_key("founder").value();
const KeyPair kJoinerKey = generate_key("joiner").value();

// A server that remembers what came.
struct Recorder {
    std::mutex mutex;
    std::vector<ServerRequest> requests;
    std::unique_ptr<HttpServer> server;

    void start(const Handler& handler, std::size_t limit = 1000, int connections = 16) {
        ServerOptions options;
        options.listen = {"127.0.0.1", 0};
        options.identity = &kFounderKey;
        options.ask_client_certificate = true;
        options.max_connections = connections;
        options.body_limit = [limit](const std::string&, const std::string&) { return limit; };
        options.handler = [this, handler](const ServerRequest& request) {
            {
                const std::lock_guard lock(mutex);
                requests.push_back(request);
            }
            return handler(request);
        };
        Result<std::unique_ptr<HttpServer>> started = start_server(options);
        CHECK(started.has_value());
        server = *std::move(started);
    }
    std::size_t count() {
        const std::lock_guard lock(mutex);
        return requests.size();
    }
    ServerRequest last() {
        const std::lock_guard lock(mutex);
        return requests.back();
    }
    [[nodiscard]] HostPort address() const { return {"127.0.0.1", server->port()}; }
    [[nodiscard]] std::string url(const std::string& path) const {
        return "https://127.0.0.1:" + std::to_string(server->port()) + path;
    }
    [[nodiscard]] std::unique_ptr<HttpClient> client(const KeyPair* identity = nullptr) const {
        ClientOptions options;
        options.server = address();
        options.pins = {kFounderKey.fingerprint};
        options.identity = identity;
        return make_client(options).value();
    }
};

ServerAnswer text(std::string body, int status = 200) {
    ServerAnswer answer;
    answer.status = status;
    answer.content_type = "text/plain";
    answer.body = std::move(body);
    return answer;
}

HttpRequest get(const std::string& path) {
    HttpRequest request;
    request.path = path;
    return request;
}

HttpRequest post(const std::string& path, std::string body) {
    HttpRequest request;
    request.method = "POST";
    request.path = path;
    request.body = std::move(body);
    return request;
}

// One raw HTTP request through openssl's client; the whole answer.
std::string raw(const Recorder& recorder, const std::string& bytes, const std::string& flags = "") {
    const TemporaryFile file(bytes);
    return shell("(cat " + file.path() + "; sleep 0.3) | timeout 20 openssl s_client -quiet " +
                 "-connect " + recorder.address().str() + " " + flags + " 2>/dev/null");
}

bool has(const std::string& all, const std::string& part) {
    if (all.find(part) != std::string::npos) return true;
    UT_PRINT(all.substr(0, 2000).c_str());
    return false;
}

// How often the other side read a certificate or the end of a handshake from us.
int proofs_of_identity(const std::string& said) {
    int found = 0;
    for (std::size_t at = said.find("<<< "); at != std::string::npos;
         at = said.find("<<< ", at + 1)) {
        const std::string line = said.substr(at, said.find('\n', at) - at);
        found += line.find("Certificate") != std::string::npos ? 1 : 0;
        found += line.find("Finished") != std::string::npos ? 1 : 0;
    }
    return found;
}

} // namespace

TEST_GROUP(Https) {
    Recorder recorder;
    void teardown() override {
        recorder.server.reset();
    }
};

TEST(Https, CarriesARequestAndItsAnswer) {
    recorder.start([](const ServerRequest&) {
        ServerAnswer answer = text("{\"a\":1}", 201);
        answer.content_type = "application/json";
        answer.headers = {{"ETag", "\"7\""}};
        return answer;
    });
    HttpRequest request = post("/v1/a%20b/%C3%A9?wait=30&x=a%2Bb+c", "{}");
    request.headers = {{"If-None-Match", "\"6\""}, {"X-Empty", ""}};
    const HttpAnswer answer = recorder.client()->send(request).value();
    CHECK_EQUAL(201, answer.status);
    STRCMP_EQUAL("{\"a\":1}", answer.body.c_str());
    STRCMP_EQUAL("\"7\"", answer.header("etag").value().c_str());
    const ServerRequest got = recorder.last();
    STRCMP_EQUAL("POST", got.method.c_str());
    STRCMP_EQUAL("/v1/a b/é", got.path.c_str());
    STRCMP_EQUAL("30", got.parameter("wait").value().c_str());
    STRCMP_EQUAL("a+b c", got.parameter("x").value().c_str());
    STRCMP_EQUAL("{}", got.body.c_str());
    STRCMP_EQUAL("application/json", got.header("content-type").value().c_str());
    STRCMP_EQUAL("\"6\"", got.header("If-None-Match").value().c_str());
    STRCMP_EQUAL("", got.header("X-Empty").value().c_str());
    STRCMP_EQUAL("firstboot", got.header("User-Agent").value().c_str());
    STRCMP_EQUAL("127.0.0.1", got.remote_address.c_str());
}

TEST(Https, AnswersSayTheirIdAndKeepBrowsersFromGuessing) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const HttpAnswer answer = recorder.client()->send(get("/")).value();
    STRCMP_EQUAL(recorder.last().request_id.c_str(), answer.header("X-Request-Id")->c_str());
    CHECK_EQUAL(16u, recorder.last().request_id.size());
    STRCMP_EQUAL("nosniff", answer.header("X-Content-Type-Options")->c_str());
    STRCMP_EQUAL("no-store", answer.header("Cache-Control")->c_str());
    STRCMP_EQUAL("text/plain", answer.header("Content-Type")->c_str());
    CHECK(answer.header("Date").has_value());
    CHECK_FALSE(answer.header("Server").has_value());
}

TEST(Https, ShowsTheHandlerTheClientsKeyOverBothTlsVersions) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    CHECK(recorder.client(&kJoinerKey)->send(get("/")).has_value());
    CHECK(recorder.last().client_key == kJoinerKey.fingerprint);
    CHECK(recorder.client()->send(get("/")).has_value());
    CHECK_FALSE(recorder.last().client_key.has_value());

    const TemporaryFile pem(kJoinerKey.private_pem + kJoinerKey.certificate_pem);
    const std::string sum =
        openssl("x509 -noout -pubkey | openssl pkey -pubin -outform DER | openssl dgst -sha256 -r",
                kJoinerKey.certificate_pem)
            .substr(0, 64);
    for (const std::string version : {"1.2", "1.3"}) {
        std::string command = "curl -sk -o /dev/null -w '%{http_code}' --cert ";
        command.append(pem.path()).append(" --tlsv").append(version);
        command.append(" --tls-max ").append(version).append(" ").append(recorder.url("/"));
        const std::string out = shell(command);
        STRCMP_EQUAL("200", out.c_str());
        STRCMP_EQUAL(sum.c_str(), recorder.last().client_key.value().str().c_str());
    }
}

TEST(Https, TakesAClientCertificateOfAnyDate) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const TemporaryFile key(kJoinerKey.private_pem);
    const std::string expired = shell(
        "D=$(mktemp -d); cd $D; touch index; echo 01 > serial; "
        "printf '[ca]\\ndefault_ca=d\\n[d]\\ndatabase=index\\nnew_certs_dir=.\\nserial=serial\\n"
        "default_md=sha256\\npolicy=p\\n[p]\\ncommonName=supplied\\n' > ca.conf; "
        "openssl req -new -key " +
        key.path() +
        " -subj /CN=old -out csr && openssl ca -config ca.conf -selfsign -batch -notext -keyfile " +
        key.path() +
        " -in csr -startdate 20000101000000Z -enddate 20010101000000Z 2>/dev/null; rm -rf $D");
    CHECK(certificate_fingerprint(expired).value() == kJoinerKey.fingerprint);
    const TemporaryFile pem(kJoinerKey.private_pem + expired);
    STRCMP_EQUAL("200", shell("curl -sk --cert " + pem.path() + " " + recorder.url("/") +
                              " -o /dev/null -w '%{http_code}'")
                            .c_str());
    CHECK(recorder.last().client_key == kJoinerKey.fingerprint);
}

TEST(Https, RefusesAClientThatDoesNotHoldItsCertificatesKey) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const TemporaryFile other(generate_key("other")->private_pem);
    const TemporaryFile certificate(kJoinerKey.certificate_pem);
    const std::string out =
        shell("curl -sk --cert " + certificate.path() + " --key " + other.path() + " " +
              recorder.url("/") + " -o /dev/null -w '%{http_code}'");
    STRCMP_EQUAL("000", out.c_str());
    CHECK_EQUAL(0u, recorder.count());
}

TEST(Https, RefusesOlderTls) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const std::string out = shell("timeout 10 openssl s_client -tls1_1 -cipher 'ALL:@SECLEVEL=0' "
                                  "-connect " +
                                  recorder.address().str() + " </dev/null 2>&1");
    CHECK(has(out, "Cipher is (NONE)"));
}

TEST(Https, OneOfSeveralPinsIsEnough) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    ClientOptions options;
    options.server = recorder.address();
    options.pins = {kJoinerKey.fingerprint, kFounderKey.fingerprint};
    CHECK(make_client(options).value()->send(get("/")).has_value());
}

TEST(Https, SendsNothingToAServerWithAnotherKey) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    ClientOptions options;
    options.server = recorder.address();
    options.pins = {generate_key("other")->fingerprint, kJoinerKey.fingerprint};
    options.identity = &kJoinerKey;
    const auto client = make_client(options).value();
    for (int round = 0; round < 2; ++round) {
        const auto answer = client->send(post("/v1/join", "secret"));
        CHECK_FALSE(answer.has_value());
        CHECK(answer.error().code == ErrorCode::kDenied);
        CHECK(has(answer.error().message, kFounderKey.fingerprint.str()));
    }
    CHECK_EQUAL(0u, recorder.count());
}

TEST(Https, PinsHoldOverBothTlsVersionsAgainstAnotherServer) {
    const std::string pem = kFounderKey.private_pem + kFounderKey.certificate_pem;
    for (const std::string version : {"-tls1_2", "-tls1_3"}) {
        const test::OpensslServer other(pem, "-www " + version);
        ClientOptions options;
        options.server = {"127.0.0.1", other.port()};
        options.pins = {kFounderKey.fingerprint};
        const auto answer = make_client(options).value()->send(get("/"));
        CHECK(answer.has_value());
        CHECK(has(answer->body, version == "-tls1_2" ? "TLSv1.2" : "TLSv1.3"));
        CHECK(ask_key(options.server).value() == kFounderKey.fingerprint);
        options.pins = {kJoinerKey.fingerprint};
        CHECK(make_client(options).value()->send(get("/")).error().code == ErrorCode::kDenied);
    }
}

TEST(Https, ShowsAWrongServerNotEvenWhoWeAre) {
    for (const std::string version : {"-tls1_2", "-tls1_3"}) {
        for (const bool right : {true, false}) {
            const test::OpensslServer other(kFounderKey.private_pem + kFounderKey.certificate_pem,
                                            "-Verify 1 -verify_quiet -msg " + version);
            ClientOptions options;
            options.server = {"127.0.0.1", other.port()};
            options.pins = {right ? kFounderKey.fingerprint : kJoinerKey.fingerprint};
            options.identity = &kJoinerKey;
            HttpRequest request = post("/", "secret");
            request.timeout_ms = 500; // it never answers
            const auto answer = make_client(options).value()->send(request);
            CHECK(answer.error().code == (right ? ErrorCode::kTimeout : ErrorCode::kDenied));
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            CHECK(has(other.said(), "ClientHello"));
            CHECK((proofs_of_identity(other.said()) > 0) == right);
            CHECK((other.said().find("secret") != std::string::npos) == right);
        }
    }
}

TEST(Https, WhatIsNoHttpIsInvalid) {
    const test::OpensslServer other(kFounderKey.private_pem + kFounderKey.certificate_pem, "-rev");
    ClientOptions options;
    options.server = {"127.0.0.1", other.port()};
    options.pins = {kFounderKey.fingerprint};
    const auto answer = make_client(options).value()->send(get("/"));
    CHECK_FALSE(answer.has_value());
    CHECK(answer.error().code == ErrorCode::kInvalid);
}

TEST(Https, WithoutAPinThereIsNoClient) {
    ClientOptions options;
    options.server = {"127.0.0.1", 1};
    const auto client = make_client(options);
    CHECK_FALSE(client.has_value());
    CHECK(client.error().code == ErrorCode::kInvalid);
    CHECK(has(client.error().message, "no founder key"));
}

TEST(Https, WithoutAProperAddressThereIsNoClient) {
    for (const HostPort& bad : {HostPort{"", 1}, HostPort{"127.0.0.1", 0}, HostPort{"a b", 1},
                                HostPort{"a/b", 1}, HostPort{"u@h", 1}}) {
        ClientOptions options;
        options.server = bad;
        options.pins = {kFounderKey.fingerprint};
        CHECK(make_client(options).error().code == ErrorCode::kInvalid);
        CHECK(ask_key(bad).error().code == ErrorCode::kInvalid);
    }
}

TEST(Https, AskingForTheKeySendsNoRequest) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    CHECK(ask_key(recorder.address()).value() == kFounderKey.fingerprint);
    CHECK_EQUAL(0u, recorder.count());
}

TEST(Https, AskingWhereNobodyAnswersIsUnavailable) {
    std::uint16_t free_port = 0;
    {
        Recorder gone;
        gone.start([](const ServerRequest&) { return text("x"); });
        free_port = gone.server->port();
    }
    CHECK(ask_key({"127.0.0.1", free_port}, 2000).error().code == ErrorCode::kUnavailable);
    ClientOptions options;
    options.server = {"127.0.0.1", free_port};
    options.pins = {kFounderKey.fingerprint};
    const auto answer = make_client(options).value()->send(get("/"));
    CHECK(answer.error().code == ErrorCode::kUnavailable);
    CHECK(has(answer.error().message, "127.0.0.1:" + std::to_string(free_port)));
}

TEST(Https, FollowsNoRedirect) {
    Recorder target;
    target.start([](const ServerRequest&) { return text("target"); });
    recorder.start([&](const ServerRequest&) {
        ServerAnswer answer = text("", 307);
        answer.headers = {{"Location", target.url("/stolen")}};
        return answer;
    });
    const HttpAnswer answer = recorder.client()->send(post("/", "secret")).value();
    CHECK_EQUAL(307, answer.status);
    CHECK_EQUAL(0u, target.count());
    CHECK_EQUAL(1u, recorder.count());
}

TEST(Https, IgnoresProxiesOfTheEnvironment) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    setenv("https_proxy", "http://127.0.0.1:9", 1);
    setenv("ALL_PROXY", "http://127.0.0.1:9", 1);
    const auto answer = recorder.client()->send(get("/"));
    unsetenv("https_proxy");
    unsetenv("ALL_PROXY");
    CHECK(answer.has_value());
}

TEST(Https, SendsNothingThatWouldBreakOutOfItsPlace) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const auto client = recorder.client();
    HttpRequest split = get("/");
    split.headers = {{"X-A", "b\r\nX-C: d"}};
    HttpRequest method = get("/");
    method.method = "GET / HTTP/1.1\r\nX: y\r\n\r\nGET";
    for (const HttpRequest& bad :
         {get(""), get("v1"), get("/a b"), get("/a\r\nX: y"), get("@other/"), split, method}) {
        CHECK(client->send(bad).error().code == ErrorCode::kInvalid);
    }
    CHECK_EQUAL(0u, recorder.count());
}

TEST(Https, ReusesItsConnection) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const TemporaryFile certificate(kFounderKey.certificate_pem);
    const std::string out =
        shell("curl -sk " + recorder.url("/1") + " " + recorder.url("/2") + " " +
              recorder.url("/3") + " -o /dev/null -o /dev/null -o /dev/null -w '%{num_connects} '");
    STRCMP_EQUAL("1 0 0 ", out.c_str());
    // Ours: a handshake costs far more than an exchange on a connection that stands.
    const auto client = recorder.client();
    CHECK(client->send(get("/")).has_value());
    const auto start = Clock::now();
    for (int round = 0; round < 20; ++round) CHECK(client->send(post("/", "x")).has_value());
    CHECK(ms_since(start) < 1000);
}

TEST(Https, ConnectsAnewWhereTheServerEndedTheConnection) {
    recorder.start([](const ServerRequest&) {
        ServerAnswer answer = text("x");
        answer.close = true;
        return answer;
    });
    const auto client = recorder.client();
    for (int round = 0; round < 3; ++round) {
        const auto answer = client->send(post("/", "x"));
        CHECK(answer.has_value());
        STRCMP_EQUAL("close", answer->header("Connection")->c_str());
    }
}

TEST(Https, GoesOnWithAServerThatWasRestartedOnItsPort) {
    recorder.start([](const ServerRequest&) { return text("first"); });
    const auto client = recorder.client();
    const HostPort address = recorder.address();
    STRCMP_EQUAL("first", client->send(post("/", "x")).value().body.c_str());
    recorder.server.reset();
    CHECK(client->send(post("/", "x")).error().code == ErrorCode::kUnavailable);
    ServerOptions options;
    options.listen = address;
    options.identity = &kFounderKey;
    options.handler = [](const ServerRequest& request) { return text("second " + request.body); };
    recorder.server = start_server(options).value();
    STRCMP_EQUAL("second x", client->send(post("/", "x")).value().body.c_str());
    // Restarted without a call in between: the old connection is found dead, and a new one made.
    recorder.server.reset();
    recorder.server = start_server(options).value();
    STRCMP_EQUAL("second y", client->send(post("/", "y")).value().body.c_str());
}

TEST(Https, ChecksThePinOfEachNewConnection) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const auto client = recorder.client();
    CHECK(client->send(get("/")).has_value());
    ServerOptions options;
    options.listen = recorder.address();
    options.identity = &kJoinerKey;
    std::atomic<int> requests = 0;
    options.handler = [&](const ServerRequest&) {
        ++requests;
        return text("x");
    };
    recorder.server.reset();
    recorder.server = start_server(options).value();
    CHECK(client->send(post("/", "secret")).error().code == ErrorCode::kDenied);
    CHECK_EQUAL(0, requests.load());
}

TEST(Https, TellsTheHandlerOfABodyPastTheLimit) {
    recorder.start([](const ServerRequest& request) {
        return text(request.body_too_large ? "too large" : "fits",
                    request.body_too_large ? 413 : 200);
    });
    const auto client = recorder.client();
    CHECK_EQUAL(200, client->send(post("/", std::string(1000, 'x')))->status);
    CHECK_EQUAL(1000u, recorder.last().body.size());
    for (const std::size_t size : {1001u, 3'000'000u}) {
        const auto answer = client->send(post("/", std::string(size, 'x')));
        CHECK_EQUAL(413, answer->status);
        CHECK(recorder.last().body.empty());
        STRCMP_EQUAL("close", answer->header("Connection")->c_str());
    }
    CHECK_EQUAL(200, client->send(post("/", "x"))->status);
}

TEST(Https, LimitsAChunkedBodyToo) {
    recorder.start([](const ServerRequest& request) {
        return text(request.body_too_large ? "too large" : std::to_string(request.body.size()));
    });
    const auto upload = [&](int bytes) {
        return shell("head -c " + std::to_string(bytes) +
                     " /dev/zero 2>/dev/null | curl -sk -T - " + recorder.url("/u") +
                     " -w ' %{http_code}'");
    };
    STRCMP_EQUAL("1000 200", upload(1000).c_str());
    STRCMP_EQUAL("PUT", recorder.last().method.c_str());
    STRCMP_EQUAL("0 200", upload(0).c_str());
    STRCMP_EQUAL("too large 200", upload(1001).c_str());
    STRCMP_EQUAL("too large 200", upload(2'000'000).c_str());
}

TEST(Https, GivesNoHandlerABodyThatBrokeOff) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    for (const char* bad :
         {"Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
          "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n",
          "Transfer-Encoding: chunked\r\n\r\n4\r\nlonger\r\n0\r\n\r\n",
          "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx"}) {
        raw(recorder, std::string("POST / HTTP/1.1\r\nHost: x\r\n") + bad, "-no_ign_eof");
    }
    CHECK_EQUAL(0u, recorder.count());
    raw(recorder, "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: "
                  "chunked\r\n\r\n4;ext=1\r\nhalf\r\n"
                  "0\r\nTrailer: x\r\n\r\n");
    CHECK_EQUAL(1u, recorder.count());
    STRCMP_EQUAL("half", recorder.last().body.c_str());
}

TEST(Https, AnswersRequestsThatCameTogetherInTheirOrder) {
    recorder.start([](const ServerRequest& request) { return text(request.path); });
    const std::string out =
        raw(recorder, "GET /first HTTP/1.1\r\nHost: x\r\n\r\n"
                      "POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                      "GET /third HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const std::size_t first = out.find("\r\n\r\n/first");
    const std::size_t second = out.find("\r\n\r\n/second");
    const std::size_t third = out.find("\r\n\r\n/third");
    CHECK(first < second && second < third && third != std::string::npos);
    CHECK_EQUAL(3u, recorder.count());
}

TEST(Https, WhatStandsBehindARefusedRequestIsNoRequest) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const std::string next = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const char* bad :
         {"GET /a HTTP/1.1\r\n\r\n", "GET /a HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
          "GET /a HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\nContent-Length: 5\r\n\r\nhello",
          "GET /a HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello",
          "GET * HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
          "GET /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n"}) {
        const std::string out = raw(recorder, bad + next);
        CHECK(has(out, "HTTP/1.1 400 "));
        CHECK_EQUAL(std::string::npos, out.find("HTTP/1.1 ", 1));
    }
    CHECK_EQUAL(0u, recorder.count());
    const std::string last = "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    raw(recorder, "\r\n\r\nGET https://x/a HTTP/1.1\r\nHost: x\r\n\r\n" + last);
    CHECK_EQUAL(2u, recorder.count());
    STRCMP_EQUAL("/a", recorder.requests.front().path.c_str());
}

TEST(Https, Says100ContinueBeforeABodyThatFitsAndNotElse) {
    recorder.start([](const ServerRequest& request) {
        return text(request.body_too_large ? "too large" : request.body);
    });
    const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                             "Connection: close\r\nContent-Length: ";
    const std::string fits = raw(recorder, head + "5\r\n\r\nhello");
    CHECK(has(fits, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"));
    CHECK(has(fits, "hello"));
    const std::string refused = raw(recorder, head + "5000\r\n\r\n");
    CHECK_EQUAL(0u, refused.find("HTTP/1.1 200 OK"));
    CHECK(has(refused, "too large"));
}

TEST(Https, AnswersHeadWithoutABody) {
    recorder.start([](const ServerRequest&) { return text("hello"); });
    const std::string out =
        raw(recorder, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    CHECK(has(out, "Content-Length: 5\r\n"));
    CHECK_EQUAL(out.size() - 4, out.find("\r\n\r\n"));
    HttpRequest head = get("/");
    head.method = "HEAD";
    const auto answer = recorder.client()->send(head);
    CHECK_EQUAL(200, answer->status);
    CHECK(answer->body.empty());
}

TEST(Https, GivesTheHandlerEveryMethodInCapitals) {
    recorder.start([](const ServerRequest& request) { return text(request.method); });
    for (const char* method :
         {"BREW", "PROPFIND", "OPTIONS", "DELETE", "PATCH", "TRACE", "M-SEARCH"}) {
        HttpRequest request = get("/");
        request.method = method;
        STRCMP_EQUAL(method, recorder.client()->send(request).value().body.c_str());
    }
    const std::size_t before = recorder.count();
    CHECK(has(raw(recorder, "get / HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 400 "));
    CHECK_EQUAL(before, recorder.count());
}

TEST(Https, RefusesAPathThatDoesNotDecodeAsAProblem) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    for (const char* path : {"/%", "/%4", "/%zz", "/%ff", "/%c0%af", "/a%00b", "/a/../b",
                             "/%2e%2e/b", "/./b", "/a%2Fb", "/%0d%0aX:y"}) {
        const auto answer = recorder.client()->send(get(path));
        CHECK_EQUAL(400, answer->status);
        STRCMP_EQUAL("application/problem+json", answer->header("content-type")->c_str());
        CHECK(has(answer->body, R"("code":"INVALID_INPUT")"));
        CHECK(has(answer->body, *answer->header("X-Request-Id")));
    }
    CHECK_EQUAL(0u, recorder.count());
}

TEST(Https, RefusesWhatIsNotHttpAsAProblem) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    const std::string long_header(20'000, 'a');
    for (const std::string& bad :
         {std::string("nonsense\r\n\r\n"), std::string("GET /\r\n\r\n"),
          std::string("GET / HTTP/3.0\r\nHost: x\r\n\r\n"),
          std::string("GET nowhere HTTP/1.1\r\nHost: x\r\n\r\n"),
          "GET / HTTP/1.1\r\nHost: x\r\nX: " + long_header + "\r\n\r\n",
          std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n"),
          std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n"),
          std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5x\r\n\r\nhello"),
          std::string(
              "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nhi"),
          std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: "
                      "chunked\r\n\r\n"
                      "0\r\n\r\n"),
          std::string("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n"),
          std::string("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")}) {
        const std::string out = raw(recorder, bad);
        CHECK(has(out, "HTTP/1.1 400 Bad Request"));
        CHECK(has(out, "application/problem+json"));
        CHECK(has(out, "Connection: close"));
        CHECK(has(out, R"("code":"INVALID_INPUT")"));
        CHECK_EQUAL(std::string::npos, out.find("Server:"));
    }
    CHECK_EQUAL(0u, recorder.count());
}

TEST(Https, TakesAHeaderOf10KiB) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    HttpRequest request = get("/");
    request.headers = {{"X-Long", std::string(10'000, 'a')}};
    CHECK_EQUAL(200, recorder.client()->send(request)->status);
    CHECK_EQUAL(10'000u, recorder.last().header("x-long")->size());
}

TEST(Https, AHandlersExceptionIsAProblemAndIsReported) {
    std::string reported;
    ServerOptions options;
    options.listen = {"127.0.0.1", 0};
    options.identity = &kFounderKey;
    options.handler = [](const ServerRequest&) -> ServerAnswer {
        throw std::runtime_error("the secret cause");
    };
    options.on_fault = [&](const std::string& id, const std::string& what) {
        reported = id + " " + what;
    };
    recorder.server = start_server(options).value();
    const auto answer = recorder.client()->send(get("/"));
    CHECK_EQUAL(500, answer->status);
    CHECK(has(answer->body, R"("code":"INTERNAL")"));
    CHECK_EQUAL(std::string::npos, answer->body.find("secret"));
    STRCMP_EQUAL((*answer->header("X-Request-Id") + " the secret cause").c_str(), reported.c_str());
    CHECK_EQUAL(500, recorder.client()->send(get("/"))->status);
}

TEST(Https, AsksForNoCertificateUnlessTold) {
    ServerOptions options;
    options.listen = {"127.0.0.1", 0};
    options.identity = &kFounderKey;
    std::atomic<bool> seen = false;
    options.handler = [&](const ServerRequest& request) {
        seen = request.client_key.has_value();
        return text("x");
    };
    recorder.server = start_server(options).value();
    CHECK(recorder.client(&kJoinerKey)->send(get("/")).has_value());
    CHECK_FALSE(seen.load());
}

TEST(Https, StreamsPiecesAsTheyCome) {
    recorder.start([](const ServerRequest&) {
        ServerAnswer answer = text("not this");
        answer.content_type = "text/event-stream";
        answer.stream = [](const StreamWriter& write) {
            for (int event = 0; event < 3; ++event) {
                CHECK(write("event " + std::to_string(event) + "\n"));
                CHECK(write(""));
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            }
        };
        return answer;
    });
    std::vector<std::pair<std::string, std::int64_t>> pieces;
    const auto start = Clock::now();
    const auto answer = recorder.client()->stream(get("/events"), [&](std::string_view piece) {
        pieces.emplace_back(piece, ms_since(start));
        return true;
    });
    CHECK_EQUAL(200, answer->status);
    CHECK(answer->body.empty());
    STRCMP_EQUAL("chunked", answer->header("Transfer-Encoding")->c_str());
    CHECK_EQUAL(3u, pieces.size());
    STRCMP_EQUAL("event 0\n", pieces[0].first.c_str());
    CHECK(pieces[2].second - pieces[0].second >= 80);
}

TEST(Https, StreamsAFileWithItsLength) {
    const std::string content(300'000, 'z');
    recorder.start([&](const ServerRequest&) {
        ServerAnswer answer = text("");
        answer.headers = {{"Content-Length", std::to_string(content.size())}};
        answer.stream = [&](const StreamWriter& write) { write(content); };
        return answer;
    });
    const auto client = recorder.client();
    for (int round = 0; round < 2; ++round) {
        const auto answer = client->send(get("/file"));
        CHECK(answer->body == content);
        CHECK_FALSE(answer->header("Transfer-Encoding").has_value());
        STRCMP_EQUAL("keep-alive", answer->header("Connection")->c_str());
    }
}

TEST(Https, AStreamThatBreaksOffIsNotTakenForWhole) {
    recorder.start([](const ServerRequest& request) {
        ServerAnswer answer = text("");
        if (request.path == "/short") answer.headers = {{"Content-Length", "100"}};
        answer.stream = [](const StreamWriter& write) {
            write("part");
            throw std::runtime_error("disk gone");
        };
        return answer;
    });
    for (const char* path : {"/short", "/chunked"}) {
        const auto answer = recorder.client()->send(get(path));
        CHECK_FALSE(answer.has_value());
        CHECK(answer.error().code == ErrorCode::kUnavailable);
    }
}

TEST(Https, AReaderMayEndAStream) {
    std::promise<void> ended;
    recorder.start([&](const ServerRequest&) {
        ServerAnswer answer = text("");
        answer.stream = [&](const StreamWriter& write) {
            while (write(std::string(10'000, 'x'))) {
            }
            ended.set_value();
        };
        return answer;
    });
    {
        const auto client = recorder.client();
        const auto answer = client->stream(get("/"), [](std::string_view) { return false; });
        CHECK_EQUAL(200, answer->status);
    }
    CHECK(ended.get_future().wait_for(std::chrono::seconds(5)) == std::future_status::ready);
}

TEST(Https, ARefusedStreamGivesItsProblem) {
    recorder.start([](const ServerRequest&) { return text("no such join", 404); });
    const auto answer = recorder.client()->stream(get("/events"), [](std::string_view) {
        FAIL("a refusal is no stream");
        return false;
    });
    CHECK_EQUAL(404, answer->status);
    STRCMP_EQUAL("no such join", answer->body.c_str());
}

TEST(Https, AnAnswerPastTheLimitIsRefused) {
    recorder.start([](const ServerRequest&) { return text(std::string(100'000, 'x')); });
    HttpRequest request = get("/");
    request.max_answer_bytes = 99'999;
    CHECK(recorder.client()->send(request).error().code == ErrorCode::kTooLarge);
    request.max_answer_bytes = 100'000;
    CHECK_EQUAL(100'000u, recorder.client()->send(request)->body.size());
}

TEST(Https, AnAnswerThatTakesTooLongIsATimeout) {
    std::promise<void> release;
    auto released = release.get_future().share();
    recorder.start([=](const ServerRequest&) {
        released.wait_for(std::chrono::seconds(5));
        return text("x");
    });
    HttpRequest request = get("/");
    request.timeout_ms = 300;
    const auto start = Clock::now();
    CHECK(recorder.client()->send(request).error().code == ErrorCode::kTimeout);
    CHECK(ms_since(start) < 1500);
    release.set_value();
}

TEST(Https, StopEndsALongPollAtOnceAndForGood) {
    std::promise<void> arrived;
    recorder.start([&](const ServerRequest& request) {
        arrived.set_value();
        for (int tick = 0; tick < 500 && !request.stopping(); ++tick) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return text("x");
    });
    const auto client = recorder.client();
    auto answer = std::async(std::launch::async, [&] { return client->send(get("/wait")); });
    arrived.get_future().wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto start = Clock::now();
    client->stop();
    const auto result = answer.get();
    CHECK(ms_since(start) < 200);
    CHECK(result.error().code == ErrorCode::kUnavailable);
    STRCMP_EQUAL("stopped", result.error().message.c_str());
    STRCMP_EQUAL("stopped", client->send(get("/")).error().message.c_str());
}

TEST(Https, StopEndsAnAttemptToConnect) {
    // A listener whose queue is never taken from: the handshake gets no answer.
    recorder.start([](const ServerRequest&) { return text("x"); });
    ClientOptions options;
    options.server = {"127.0.0.1", 1};
    options.pins = {kFounderKey.fingerprint};
    const auto client = make_client(options).value();
    client->stop();
    STRCMP_EQUAL("stopped", client->send(get("/")).error().message.c_str());
}

TEST(Https, SilentClientsBlockNobody) {
    recorder.start([](const ServerRequest&) { return text("x"); }, 1000, 8);
    const std::string port = std::to_string(recorder.server->port());
    // Four connections that say nothing at all, and one that stops in the middle of its head.
    const auto start = Clock::now();
    auto silent = std::async(std::launch::async, [&] {
        shell("for i in 1 2 3 4; do (sleep 3 | timeout 3 bash -c 'exec 3<>/dev/tcp/127.0.0.1/" +
              port +
              "; sleep 3') & done; (printf 'GET / HTTP/1.1\\r\\n'; sleep 3) | timeout 4 "
              "openssl s_client -quiet -connect 127.0.0.1:" +
              port + " >/dev/null 2>&1; wait");
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    for (int round = 0; round < 3; ++round) CHECK(recorder.client()->send(get("/")).has_value());
    CHECK(ms_since(start) < 2500);
    silent.get();
}

// Connections that say nothing, until the object goes.
struct SilentClients {
    SilentClients(const std::string& from, std::uint16_t port, int count)
        : client("exec timeout 60 python3 -c 'import socket, sys\n"
                 "held = [socket.create_connection((\"127.0.0.1\", " +
                 std::to_string(port) + "), source_address=(\"" + from + "\", 0))" +
                 " for _ in range(" + std::to_string(count) +
                 ")]\n"
                 "print(1, flush=True)\nsys.stdin.read()'") {}
    struct Pipe {
        explicit Pipe(const std::string& command) {
            int to[2] = {-1, -1};
            int back[2] = {-1, -1};
            CHECK_EQUAL(0, ::pipe(to));
            CHECK_EQUAL(0, ::pipe(back));
            child = ::fork();
            if (child == 0) {
                ::dup2(to[0], 0);
                ::dup2(back[1], 1);
                for (const int end : {to[0], to[1], back[0], back[1]}) ::close(end);
                ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
                ::_exit(127);
            }
            ::close(to[0]);
            ::close(back[1]);
            hold = to[1];
            char ready = 0;
            CHECK_EQUAL(1, ::read(back[0], &ready, 1)); // all of them are connected
            ::close(back[0]);
        }
        ~Pipe() {
            ::close(hold);
            ::waitpid(child, nullptr, 0);
        }
        Pipe(const Pipe&) = delete;
        Pipe& operator=(const Pipe&) = delete;
        int hold = -1;
        pid_t child = -1;
    } client;
};

TEST(Https, AnAddressDoesNotHoldTheConnectionsOfOthers) {
    ServerOptions options;
    options.listen = {"127.0.0.1", 0};
    options.identity = &kFounderKey;
    options.max_connections = 8;
    options.max_per_address = 4;
    options.handler = [](const ServerRequest& request) { return text(request.remote_address); };
    recorder.server = start_server(options).value();
    // Many more than there are threads, all of another address: four are kept, the rest is closed.
    const SilentClients silent("127.0.0.2", recorder.server->port(), 40);
    const auto start = Clock::now();
    for (int round = 0; round < 3; ++round)
        STRCMP_EQUAL("127.0.0.1", recorder.client()->send(get("/"))->body.c_str());
    CHECK(ms_since(start) < 15'000); // not one time-out of a handshake
}

TEST(Https, AnAddressGetsItsConnectionsBackWhenTheyEnd) {
    ServerOptions options;
    options.listen = {"127.0.0.1", 0};
    options.identity = &kFounderKey;
    options.max_connections = 8;
    options.max_per_address = 1;
    options.handler = [](const ServerRequest&) {
        ServerAnswer answer = text("x");
        answer.close = true;
        return answer;
    };
    recorder.server = start_server(options).value();
    int answered = 0;
    for (int round = 0; round < 30 && answered < 5; ++round) {
        if (recorder.client()->send(get("/"))) ++answered;
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // until it is seen to be over
    }
    LONGS_EQUAL(5, answered);
}

TEST(Https, TellsOfEveryAnswerWithItsId) {
    std::mutex mutex;
    std::vector<std::string> told;
    ServerOptions options;
    options.listen = {"127.0.0.1", 0};
    options.identity = &kFounderKey;
    options.handler = [](const ServerRequest& request) {
        STRCMP_EQUAL(request.request_id.c_str(), current_request_id().c_str());
        return text("x", request.path == "/gone" ? 404 : 200);
    };
    options.on_answer = [&](const ServerRequest& request, const ServerAnswer& answer) {
        const std::lock_guard lock(mutex);
        told.push_back(std::to_string(answer.status) + " " + request.remote_address +
                       (request.request_id.size() == 16 ? "" : " without an id"));
    };
    recorder.server = start_server(options).value();
    CHECK(recorder.client()->send(get("/")).has_value());
    CHECK(recorder.client()->send(get("/gone")).has_value());
    CHECK(recorder.client()->send(get("/%zz")).has_value());
    shell("printf 'NONSENSE\\r\\n\\r\\n' | timeout 5 openssl s_client -quiet -connect 127.0.0.1:" +
          std::to_string(recorder.server->port()) + " >/dev/null 2>&1");
    recorder.server.reset();
    const std::vector<std::string> wanted = {"200 127.0.0.1", "404 127.0.0.1", "400 127.0.0.1",
                                             "400 127.0.0.1"};
    CHECK(told == wanted);
    STRCMP_EQUAL("", current_request_id().c_str());
}

TEST(Https, StoppingWaitsForHandlersAndTellsThem) {
    std::atomic<bool> finished = false;
    std::promise<void> arrived;
    recorder.start([&](const ServerRequest& request) {
        arrived.set_value();
        while (!request.stopping()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        finished = true;
        return text("late");
    });
    const auto client = recorder.client();
    auto answer = std::async(std::launch::async, [&] { return client->send(get("/wait")); });
    arrived.get_future().wait();
    const auto start = Clock::now();
    recorder.server->request_stop();
    recorder.server.reset();
    CHECK(finished.load());
    CHECK(ms_since(start) < 1500);
    // What was under way is still answered, and the connection then ends.
    const auto result = answer.get();
    CHECK(result.has_value());
    STRCMP_EQUAL("late", result->body.c_str());
    STRCMP_EQUAL("close", result->header("Connection")->c_str());
}

TEST(Https, ListensOnIpv6) {
    ServerOptions options;
    options.listen = {"::1", 0};
    options.identity = &kFounderKey;
    std::string remote;
    options.handler = [&](const ServerRequest& request) {
        remote = request.remote_address;
        return text("x");
    };
    auto server = start_server(options);
    if (!server) return; // a machine without IPv6
    ClientOptions client;
    client.server = {"::1", (*server)->port()};
    client.pins = {kFounderKey.fingerprint};
    CHECK(make_client(client).value()->send(get("/")).has_value());
    STRCMP_EQUAL("::1", remote.c_str());
}

TEST(Https, AListenerThatCannotBeIsAnError) {
    recorder.start([](const ServerRequest&) { return text("x"); });
    ServerOptions options;
    options.identity = &kFounderKey;
    options.listen = recorder.address();
    const auto taken = start_server(options);
    CHECK(taken.error().code == ErrorCode::kUnavailable);
    CHECK(has(taken.error().message, recorder.address().str()));
    options.listen = {"localhost", 0};
    CHECK(start_server(options).error().code == ErrorCode::kInvalid);
    options.listen = {"127.0.0.1", 0};
    options.identity = nullptr;
    CHECK(start_server(options).error().code == ErrorCode::kInvalid);
}

TEST(Https, ServesManyAtOnce) {
    std::atomic<int> together = 0;
    std::atomic<int> most = 0;
    recorder.start([&](const ServerRequest& request) {
        const int now = ++together;
        int seen = most;
        while (seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        --together;
        return text(request.body);
    });
    std::vector<std::future<int>> clients;
    clients.reserve(8);
    for (int id = 0; id < 8; ++id) {
        clients.push_back(std::async(std::launch::async, [&, id] {
            const auto client = recorder.client(&kJoinerKey);
            int good = 0;
            for (int round = 0; round < 10; ++round) {
                const std::string body = std::to_string(id * 100 + round);
                const auto answer = client->send(post("/", body));
                good += answer && answer->body == body ? 1 : 0;
            }
            return good;
        }));
    }
    for (auto& client : clients) CHECK_EQUAL(10, client.get());
    CHECK(most.load() > 1);
}
