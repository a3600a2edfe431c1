#include "founder/serve.hpp"

#include <atomic>
#include <mutex>
#include <thread>

#include "common/base/text.hpp"
#include "common/compat/keeper.hpp"
#include "common/health/monitor.hpp"
#include "common/link/keys.hpp"
#include "founder/join_api/routes.hpp"
#include "founder/limits.hpp"
#include "founder/secret_words.hpp"
#include "founder/state_files.hpp"
#include "founder/store/edge/sqlite_store.hpp"

namespace stratum::founder {
namespace {

constexpr std::int64_t kTickMs = 1'000;
// Each waiting joiner and event stream holds a connection and a thread; what comes when all are
// taken waits for one. 500 machines can wait at once.
constexpr int kMostJoiners = 640;
constexpr int kMostAdmins = 128;
// One address never has so many that others get none.
constexpr int kMostJoinersOfOne = 64;
constexpr int kMostAdminsOfOne = 48;
constexpr std::size_t kLongestPath = 120;

// Bodies and headers never: they hold proofs, nonces and tokens. A path is a stranger's text.
std::string answer_line(const char* listener, const link::ServerRequest& request,
                        const link::ServerAnswer& answer) {
    return std::string(listener) + " request=" + request.request_id +
           " from=" + request.remote_address + " status=" + std::to_string(answer.status) + " " +
           request.method + " " +
           to_valid_utf8(without_secrets(request.path).substr(0, kLongestPath));
}

// Faults as the log shall see them: the same one said once, until things went well again.
class FaultLog {
public:
    explicit FaultLog(std::function<void(const std::string&)> log) : log_(std::move(log)) {}

    void fault(const std::string& line) {
        const std::lock_guard lock(mutex_);
        if (line == last_ || !log_) return;
        last_ = line;
        const std::string& request = link::current_request_id();
        log_("fault:" + (request.empty() ? "" : " request=" + request) + " " + line);
    }
    void well() {
        const std::lock_guard lock(mutex_);
        last_.clear();
    }

private:
    std::mutex mutex_;
    std::string last_;
    std::function<void(const std::string&)> log_;
};

class Running final : public RunningFounder {
public:
    struct Parts {
        std::unique_ptr<compat::Keeper> keeper;
        std::unique_ptr<Store> store;
        std::unique_ptr<Founder> founder;
        std::shared_ptr<FaultLog> faults;
    };
    explicit Running(Parts parts)
        : keeper_(std::move(parts.keeper)), store_(std::move(parts.store)),
          founder_(std::move(parts.founder)), faults_(std::move(parts.faults)) {}

    ~Running() override {
        request_stop();
        if (ticker_.joinable()) ticker_.join();
        monitor_.reset();
        // The servers wait for their handlers, which use the founder: they go first.
        admin_.reset();
        join_.reset();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    // Before anything is let go on: the checks are known from the first look, as not run yet.
    void watch_health(const std::string& state_dir, const ServeOptions& options) {
        health::MonitorOptions watched;
        watched.must_exist = !options.health_file.empty();
        watched.path = watched.must_exist ? options.health_file : state_dir + "/" + kHealthName;
        monitor_ = std::make_unique<health::Monitor>(
            watched,
            health::MonitorSeams{system_clock(),
                                 {system_files(), system_processes(), health::probe_url},
                                 [this] { founder_->health_changed(); },
                                 options.log},
            founder_->health());
    }

    Status start(const link::KeyPair& identity, const ServeOptions& options) {
        link::ServerOptions join = listener("join-listener", identity, options);
        join.listen = options.join;
        join.ask_client_certificate = true;
        join.max_connections = kMostJoiners;
        join.max_per_address = kMostJoinersOfOne;
        join.body_limit = join_api::body_limit;
        join.handler = join_api::make_handler(*founder_);
        auto join_server = link::start_server(join);
        if (!join_server) return fail_in("the join listener", join_server.error());
        join_ = std::move(*join_server);
        founder_->set_join_port(join_->port());
        if (auto started = start_admin(identity, options); !started) return started;
        ticker_ = std::thread([this] { tick(); });
        monitor_->start();
        return {};
    }

    [[nodiscard]] std::uint16_t admin_port() const override { return admin_->port(); }
    [[nodiscard]] std::uint16_t join_port() const override { return join_->port(); }
    [[nodiscard]] Founder& founder() override { return *founder_; }

    void request_stop() override {
        stopping_ = true;
        founder_->stop_waiting();
        if (admin_) admin_->request_stop();
        if (join_) join_->request_stop();
    }

private:
    // What both listeners have: the key, and each answer and each fault as a line of the log.
    static link::ServerOptions listener(const char* name, const link::KeyPair& identity,
                                        const ServeOptions& options) {
        link::ServerOptions made;
        made.identity = &identity;
        if (!options.log) return made;
        made.on_answer = [name, log = options.log](const link::ServerRequest& request,
                                                   const link::ServerAnswer& answer) {
            log(answer_line(name, request, answer));
        };
        made.on_fault = [name, log = options.log](const std::string& request_id,
                                                  const std::string& what) {
            log(std::string(name) + " request=" + request_id + " fault: " + what);
        };
        return made;
    }

    Status start_admin(const link::KeyPair& identity, const ServeOptions& options) {
        link::ServerOptions admin = listener("admin-listener", identity, options);
        admin.listen = options.admin;
        admin.max_connections = kMostAdmins;
        admin.max_per_address = kMostAdminsOfOne;
        admin.body_limit = options.admin_body_limit;
        if (!admin.body_limit)
            admin.body_limit = [](const std::string&, const std::string&) { return kBodyBytes; };
        admin.handler = options.admin_handler(*founder_);
        auto server = link::start_server(admin);
        if (!server) return fail_in("the admin listener", server.error());
        admin_ = std::move(*server);
        return {};
    }

    // A change may let the queue go on, and so may the mere passing of time.
    void tick() {
        while (!stopping_) {
            const std::uint64_t seen = founder_->change_number();
            // What failed was told by the founder itself; the next second tries again.
            if (founder_->run_due()) faults_->well();
            founder_->wait_for_change(seen, kTickMs);
        }
    }

    std::unique_ptr<compat::Keeper> keeper_; // asked by the founder
    std::unique_ptr<Store> store_;
    std::unique_ptr<Founder> founder_;
    std::shared_ptr<FaultLog> faults_;
    std::unique_ptr<health::Monitor> monitor_;
    std::unique_ptr<link::HttpServer> join_;
    std::unique_ptr<link::HttpServer> admin_;
    std::thread ticker_;
    std::atomic<bool> stopping_{false};
};

struct Watched {
    std::shared_ptr<FaultLog> faults;
    compat::Keeper* keeper = nullptr;
};

FounderOptions founder_options(const link::KeyPair& identity, const ServeOptions& options,
                               const Watched& watched) {
    return {.identity = identity.fingerprint,
            .release = options.release,
            .upgrades_from = options.upgrades_from,
            .upgrade_source = options.upgrade_source,
            .serves_release = false,
            .bundle_folder = options.bundle_folder,
            .advertise = options.advertise,
            .on_fault = [faults = watched.faults](const auto& line) { faults->fault(line); },
            .on_notice =
                [log = options.log](const std::string& line) {
                    if (log) log("notice: " + line);
                },
            .look_at_self =
                [keeper = watched.keeper](bool refresh) {
                    return refresh ? keeper->refresh() : keeper->latest();
                },
            .hold_against_pins =
                [keeper = watched.keeper](compat::Report theirs) {
                    return compat::held_against(std::move(theirs), keeper->pins());
                }};
}

} // namespace

Result<std::unique_ptr<RunningFounder>> serve(const std::string& state_dir,
                                              const ServeOptions& options) {
    const std::string store_path = state_dir + "/" + kStoreName;
    if (!system_files().exists(store_path))
        return fail(ErrorCode::kNotFound, state_dir +
                                              " holds no founder; make one with: firstboot "
                                              "founder init --state " +
                                              state_dir + " --config node.yaml");
    const std::string key_path = state_dir + "/" + kKeyName;
    const auto pem = system_files().read(key_path);
    if (!pem) return fail_in("the founder's key", pem.error());
    const auto identity = link::parse_key(*pem);
    if (!identity) return fail_in("the founder's key " + key_path, identity.error());
    SqliteOptions where;
    where.path = store_path;
    auto store = open_sqlite_store(where);
    if (!store) return tl::make_unexpected(store.error());
    const auto faults = std::make_shared<FaultLog>(options.log);
    auto keeper = std::make_unique<compat::Keeper>(
        options.pins, compat::Keeper::World{system_processes(), system_clock(), options.release});
    auto founder = Founder::open(**store, system_clock(), system_files(),
                                 founder_options(*identity, options, {faults, keeper.get()}));
    if (!founder) return tl::make_unexpected(founder.error());
    auto running = std::make_unique<Running>(
        Running::Parts{std::move(keeper), std::move(*store), std::move(*founder), faults});
    running->watch_health(state_dir, options);
    if (auto started = running->start(*identity, options); !started)
        return tl::make_unexpected(started.error());
    return std::unique_ptr<RunningFounder>(std::move(running));
}

} // namespace stratum::founder
