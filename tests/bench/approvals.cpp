// What the store's part of an approval costs, beside what SQLite alone needs for one row of as many
// bytes: build/bench_approvals STATE-FOLDER WORK-FILE
//
// STATE-FOLDER is a stopped founder's; WORK-FILE has a line for each approval: a pending join's id,
// a tab, the body. One approval and one bare commit in turn, each into a file of its own in that
// folder with the same settings; each join is rejected afterwards, so that the next finds the same
// places free. One JSON line each: nanoseconds of the whole call, of the store in it, of the bare
// commit; bytes.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sqlite3.h>

#include "common/base/clock.hpp"
#include "common/base/document.hpp"
#include "common/base/files.hpp"
#include "common/link/keys.hpp"
#include "founder/founder.hpp"
#include "founder/state_files.hpp"
#include "founder/store/edge/sqlite_store.hpp"

namespace stratum::founder {
namespace {

using Nanoseconds = std::int64_t;

Nanoseconds now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Adds the time of its life to a sum.
class Stopwatch {
public:
    explicit Stopwatch(Nanoseconds& sum) : sum_(sum) {}
    ~Stopwatch() { sum_ += now_ns() - begin_; }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    Nanoseconds& sum_;
    Nanoseconds begin_ = now_ns();
};

struct Spent {
    Nanoseconds in_calls = 0; // of the transaction
    Nanoseconds in_work = 0;  // of what is done inside it, those calls too
    Nanoseconds in_all = 0;
    std::size_t bytes = 0; // of the values that were put
    int puts = 0;
    int writes = 0;

    [[nodiscard]] Nanoseconds store() const { return in_all - in_work + in_calls; }
};

class TimedTransaction final : public Transaction {
public:
    TimedTransaction(Transaction& inner, Spent& spent) : inner_(inner), spent_(spent) {}

    Result<std::optional<std::string>> get(Kind kind, const std::string& id) override {
        const Stopwatch watch(spent_.in_calls);
        return inner_.get(kind, id);
    }
    Result<std::vector<Entry>> list(Kind kind, const ListOptions& options) override {
        const Stopwatch watch(spent_.in_calls);
        return inner_.list(kind, options);
    }
    Status put(Kind kind, const std::string& id, const std::string& value) override {
        const Stopwatch watch(spent_.in_calls);
        spent_.bytes += id.size() + value.size();
        ++spent_.puts;
        return inner_.put(kind, id, value);
    }
    Status erase(Kind kind, const std::string& id) override {
        const Stopwatch watch(spent_.in_calls);
        return inner_.erase(kind, id);
    }
    Result<std::optional<std::string>> holder(Claim claim, const std::string& value) override {
        const Stopwatch watch(spent_.in_calls);
        return inner_.holder(claim, value);
    }
    Result<std::vector<Entry>> held(Claim claim) override {
        const Stopwatch watch(spent_.in_calls);
        return inner_.held(claim);
    }
    Status take(Claim claim, const std::string& value, const std::string& owner) override {
        const Stopwatch watch(spent_.in_calls);
        spent_.bytes += value.size() + owner.size();
        return inner_.take(claim, value, owner);
    }
    Status give_back(Claim claim, const std::string& owner) override {
        const Stopwatch watch(spent_.in_calls);
        return inner_.give_back(claim, owner);
    }
    Result<std::int64_t> next(const std::string& counter) override {
        const Stopwatch watch(spent_.in_calls);
        return inner_.next(counter);
    }

private:
    Transaction& inner_;
    Spent& spent_;
};

class TimedStore final : public Store {
public:
    explicit TimedStore(Store& inner) : inner_(inner) {}

    Status write(const Work& work) override {
        const Stopwatch all(spent.in_all);
        ++spent.writes;
        return inner_.write([&](Transaction& tx) -> Result<Ending> {
            const Stopwatch inside(spent.in_work);
            TimedTransaction timed(tx, spent);
            return work(timed);
        });
    }
    Status read(const std::function<Status(Transaction&)>& work) override {
        const Stopwatch all(spent.in_all);
        return inner_.read([&](Transaction& tx) -> Status {
            const Stopwatch inside(spent.in_work);
            TimedTransaction timed(tx, spent);
            return work(timed);
        });
    }

    std::optional<std::uint64_t> version() override { return inner_.version(); }

    Spent spent;

private:
    Store& inner_;
};

// SQLite by itself, with the store's settings: one row in one transaction.
class Bare {
public:
    explicit Bare(const std::string& path) {
        sqlite3_open(path.c_str(), &database_);
        run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (value BLOB);");
        for (auto [sql, statement] :
             {std::pair{"BEGIN IMMEDIATE", &begin_},
              std::pair{"INSERT INTO row VALUES (?1)", &insert_}, std::pair{"COMMIT", &commit_}})
            sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, nullptr);
    }
    ~Bare() {
        for (sqlite3_stmt* statement : {begin_, insert_, commit_}) sqlite3_finalize(statement);
        sqlite3_close(database_);
    }
    Bare(const Bare&) = delete;
    Bare& operator=(const Bare&) = delete;

    // The nanoseconds; below 0 where it failed.
    Nanoseconds commit(std::size_t bytes) {
        const std::string value(bytes, 'x');
        const Nanoseconds before = now_ns();
        bool good = step(begin_);
        sqlite3_bind_blob64(insert_, 1, value.data(), value.size(), SQLITE_STATIC);
        good = step(insert_) && good;
        good = step(commit_) && good;
        return good ? now_ns() - before : -1;
    }

private:
    void run(const char* sql) { sqlite3_exec(database_, sql, nullptr, nullptr, nullptr); }
    static bool step(sqlite3_stmt* statement) {
        const bool done = sqlite3_step(statement) == SQLITE_DONE;
        sqlite3_reset(statement);
        return done;
    }

    sqlite3* database_ = nullptr;
    sqlite3_stmt* begin_ = nullptr;
    sqlite3_stmt* insert_ = nullptr;
    sqlite3_stmt* commit_ = nullptr;
};

struct Bench {
    TimedStore& store;
    Founder& founder;
    Bare& bare;
};

bool one(Bench& bench, const std::string& id, const std::string& text) {
    const Parsed body = parse_json(text);
    if (!body.root) return false;
    bench.store.spent = {};
    ApproveOptions options;
    options.caller = {"tk-00000000", "127.0.0.1", "0123456789abcdef"};
    const Nanoseconds before = now_ns();
    const auto answer = bench.founder.approve(id, *body.root, options);
    const Nanoseconds call = now_ns() - before;
    if (!answer) {
        std::cerr << id << ": " << answer.error().detail;
        for (const auto& error : answer.error().errors) std::cerr << "; " << error.message;
        std::cerr << "\n";
        return false;
    }
    const Spent spent = bench.store.spent;
    const Nanoseconds bare = bench.bare.commit(spent.bytes);
    std::printf(R"({"call": %lld, "store": %lld, "bare": %lld, "bytes": %zu, "puts": %d, )"
                R"("writes": %d})"
                "\n",
                static_cast<long long>(call), static_cast<long long>(spent.store()),
                static_cast<long long>(bare), spent.bytes, spent.puts, spent.writes);
    return bench.founder.reject(id, {}).has_value() && bare > 0;
}

int run(const std::string& folder, const std::string& work) {
    SqliteOptions where;
    where.path = folder + "/" + kStoreName;
    const auto sqlite = open_sqlite_store(where);
    const auto pem = system_files().read(folder + "/" + kKeyName);
    const auto key = pem ? link::parse_key(*pem) : tl::make_unexpected(pem.error());
    if (!sqlite || !key) {
        std::cerr << (sqlite ? key.error().message : sqlite.error().message) << "\n";
        return 1;
    }
    TimedStore store(**sqlite);
    const FounderOptions options{.identity = key->fingerprint,
                                 .release = "0.6.0",
                                 .upgrades_from = {},
                                 .upgrade_source = {},
                                 .bundle_folder = {},
                                 .advertise = {}};
    auto founder = Founder::open(store, system_clock(), system_files(), options);
    if (!founder) {
        std::cerr << founder.error().message << "\n";
        return 1;
    }
    Bare bare(folder + "/bare.db");
    Bench bench{store, **founder, bare};
    std::ifstream lines(work);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos) continue;
        if (!one(bench, line.substr(0, tab), line.substr(tab + 1))) return 1;
    }
    return 0;
}

} // namespace
} // namespace stratum::founder

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "bench_approvals STATE-FOLDER WORK-FILE\n";
        return 2;
    }
    return stratum::founder::run(argv[1], argv[2]);
}
