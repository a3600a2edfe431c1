// A store that counts what passes through it, by kind: records given and records put; and takes no
// change while it is told to be full.
#pragma once

#include <map>

#include "founder/store/store.hpp"

namespace stratum::founder {

class CountingStore final : public Store {
public:
    explicit CountingStore(Store& inner) : inner_(inner) {}

    Status write(const Work& work) override {
        if (is_full) return fail(ErrorCode::kIo, "the disk is full");
        return inner_.write([&](Transaction& tx) -> Result<Ending> {
            Counting counted(tx, *this);
            return work(counted);
        });
    }
    Status read(const std::function<Status(Transaction&)>& work) override {
        return inner_.read([&](Transaction& tx) -> Status {
            Counting counted(tx, *this);
            return work(counted);
        });
    }
    std::optional<std::uint64_t> version() override { return inner_.version(); }

    std::map<Kind, int> reads; // absent ones that were asked for, too
    std::map<Kind, int> puts;
    bool is_full = false;

private:
    class Counting final : public Transaction {
    public:
        Counting(Transaction& tx, CountingStore& counts) : tx_(tx), counts_(counts) {}

        Result<std::optional<std::string>> get(Kind kind, const std::string& id) override {
            ++counts_.reads[kind];
            return tx_.get(kind, id);
        }
        Result<std::vector<Entry>> list(Kind kind, const ListOptions& options) override {
            auto entries = tx_.list(kind, options);
            if (entries) counts_.reads[kind] += static_cast<int>(entries->size());
            return entries;
        }
        Status put(Kind kind, const std::string& id, const std::string& value) override {
            ++counts_.puts[kind];
            return tx_.put(kind, id, value);
        }
        Status erase(Kind kind, const std::string& id) override { return tx_.erase(kind, id); }
        Result<std::optional<std::string>> holder(Claim claim, const std::string& value) override {
            return tx_.holder(claim, value);
        }
        Result<std::vector<Entry>> held(Claim claim) override { return tx_.held(claim); }
        Status take(Claim claim, const std::string& value, const std::string& owner) override {
            return tx_.take(claim, value, owner);
        }
        Status give_back(Claim claim, const std::string& owner) override {
            return tx_.give_back(claim, owner);
        }
        Result<std::int64_t> next(const std::string& counter) override { return tx_.next(counter); }

    private:
        Transaction& tx_;
        CountingStore& counts_;
    };

    Store& inner_;
};

} // namespace stratum::founder
