#include "hwdiscovery/edge/blkid_signatures.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "common/base/text.hpp"
#include "hwdiscovery/edge/blkid_values.hpp"
#include "hwdiscovery/membership.hpp"
#include "hwdiscovery/own_signatures.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kHeadBytes = 16384; // our own rows stand within these two
constexpr std::uint64_t kTailBytes = 8192;
constexpr int kMostResults = 64; // of one place; more is a device that lies
constexpr int kMostErrors = 256; // one for each reader and to spare: it never goes on for ever
constexpr int kMostPartitions = 256;

std::string words_of(int error) {
    return error == 0 ? "it ends too soon" : std::strerror(error);
}

class Reading {
public:
    explicit Reading(const Place& place) : place_(place), probe_(open_probe(place)) {}

    PlaceContents all() {
        add_own();
        if (!probe_) {
            add_problem("libblkid cannot read it");
            return std::move(found_);
        }
        look_for_signatures();
        add_zfs_label();
        look_for_tables();
        drop_what_is_part_of_another();
        return std::move(found_);
    }

private:
    void add_problem(const std::string& problem) {
        if (found_.problem.empty()) found_.problem = problem;
    }

    // The two ends are read whole and judged in memory.
    void add_own() {
        const std::uint64_t head_size =
            place_.size <= kTinyBytes ? place_.size : std::min(place_.size, kHeadBytes);
        const std::uint64_t tail_at = place_.size - std::min(place_.size, kTailBytes);
        const auto head = read_at(place_, 0, head_size);
        const int head_error = errno;
        const auto tail = read_at(place_, tail_at, place_.size - tail_at);
        if (!head || !tail)
            add_problem(std::string("its ") + (head ? "end" : "start") +
                        " could not be read: " + words_of(head ? errno : head_error));
        const ReadAt read = [&](std::uint64_t at, std::size_t size) -> std::optional<std::string> {
            if (head && at + size <= head_size) return head->substr(at, size);
            if (tail && at >= tail_at) return tail->substr(at - tail_at, size);
            return std::nullopt;
        };
        found_.signatures = own_signatures(read, place_.size);
        for (auto& signature : found_.signatures) add_membership(reader(), signature);
    }

    // Of the whole place, for what says where else to look.
    [[nodiscard]] ReadAt reader() const {
        return [this](std::uint64_t at, std::size_t size) { return read_at(place_, at, size); };
    }

    // (An error at one of its four places is one that libblkid's own reader meets too.)
    void add_zfs_label() {
        for (const auto& one : found_.signatures)
            if (one.type == "zfs_member") return;
        if (auto label = read_zfs_label(reader(), place_.size))
            found_.signatures.push_back(std::move(*label));
    }

    // One result after the other. An error costs the reader that met it; the others still look.
    int next() {
        while (errors_ < kMostErrors) {
            errno = 0;
            const int rc = blkid_do_probe(probe_.get());
            if (rc >= 0) return rc;
            ++errors_;
            add_problem("not all of it could be read: " + words_of(errno));
        }
        return 1;
    }

    void look_for_signatures() {
        std::vector<SignatureRecord> far;
        const auto own = std::exchange(found_.signatures, {});
        choose(probe_.get(), Chain::kSuperblocks);
        choose_readers(probe_.get(), true);
        look([&] { far.push_back(signature()); });
        choose_readers(probe_.get(), false);
        look([&] { found_.signatures.push_back(signature()); });
        const bool is_anything_found = !far.empty() || !found_.signatures.empty();
        found_.signatures.insert(found_.signatures.end(), far.begin(), far.end());
        if (is_anything_found) look_behind(Chain::kSuperblocks);
        found_.signatures.insert(found_.signatures.end(), own.begin(), own.end());
    }

    void look_for_tables() {
        choose(probe_.get(), Chain::kTables);
        look([&] { found_.tables.push_back(table()); });
        read_first_table();
        if (!found_.tables.empty()) look_behind(Chain::kTables);
    }

    template<class Add>
    void look(const Add& add) {
        int results = 0;
        for (; results < kMostResults && next() == 0; ++results) add();
        if (results == kMostResults) add_problem("more stands on it than is believed");
    }

    // The same reader again with what it found out of sight: its second find is listed where it
    // is of something else (another uuid), not a copy of the first.
    void look_behind(Chain chain) {
        blkid_probe_reset_superblocks_filter(probe_.get());
        choose(probe_.get(), chain);
        for (int results = 0; results < kMostResults && next() == 0; ++results) {
            const bool is_new =
                chain == Chain::kSuperblocks ? add_hidden_signature() : add_hidden_table();
            if (is_new && hide(chain)) blkid_probe_step_back(probe_.get());
        }
        blkid_probe_reset_buffers(probe_.get());
    }

    // True for the first of each identity: only behind such a one it is worth looking.
    template<class T>
    bool is_first(const T& one) {
        const std::string identity = one.type + " " + one.uuid;
        if (std::find(seen_.begin(), seen_.end(), identity) != seen_.end()) return false;
        seen_.push_back(identity);
        return true;
    }

    template<class T>
    static bool is_listed(const std::vector<T>& list, const T& one) {
        return std::any_of(list.begin(), list.end(), [&](const T& other) {
            return other.type == one.type && other.uuid == one.uuid;
        });
    }

    bool add_hidden_signature() {
        auto one = signature();
        if (!is_first(one)) return false;
        if (!one.uuid.empty() && !is_listed(found_.signatures, one))
            found_.signatures.push_back(std::move(one));
        return true;
    }

    bool add_hidden_table() {
        auto one = table();
        if (!is_first(one)) return false;
        if (!one.uuid.empty() && !is_listed(found_.tables, one))
            found_.tables.push_back(std::move(one));
        return true;
    }

    bool hide(Chain chain) {
        const bool is_super = chain == Chain::kSuperblocks;
        const auto offset =
            parse_decimal(value_of(probe_.get(), is_super ? "SBMAGIC_OFFSET" : "PTMAGIC_OFFSET"));
        const Value magic = raw_value_of(probe_.get(), is_super ? "SBMAGIC" : "PTMAGIC");
        return offset && magic.size > 0 &&
               blkid_probe_hide_range(probe_.get(), *offset, magic.size) == 0;
    }

    SignatureRecord signature() {
        SignatureRecord signature;
        signature.usage = value_of(probe_.get(), "USAGE");
        signature.type = value_of(probe_.get(), "TYPE");
        signature.label = value_of(probe_.get(), "LABEL");
        signature.uuid = value_of(probe_.get(), "UUID");
        signature.offset_bytes = parse_decimal(value_of(probe_.get(), "SBMAGIC_OFFSET"));
        add_membership(reader(), signature);
        return signature;
    }

    TableRecord table() {
        TableRecord table{value_of(probe_.get(), "PTTYPE"), value_of(probe_.get(), "PTUUID"),
                          parse_decimal(value_of(probe_.get(), "PTMAGIC_OFFSET")), false};
        // The copy stands in the last sectors; the table itself in the first.
        table.is_backup_only =
            table.type == "gpt" && table.offset_bytes.value_or(0) > place_.size / 2;
        return table;
    }

    // Tables that as a rule stand inside another one (a BSD's) are told of here alone.
    void read_first_table() {
        blkid_partlist list = blkid_probe_get_partitions(probe_.get());
        if (list == nullptr) return;
        if (blkid_parttable table = blkid_partlist_get_table(list)) {
            TableRecord record{text_or_empty(blkid_parttable_get_type(table)),
                               text_or_empty(blkid_parttable_get_id(table)),
                               static_cast<std::uint64_t>(blkid_parttable_get_offset(table)),
                               false};
            const bool is_known =
                std::any_of(found_.tables.begin(), found_.tables.end(),
                            [&](const TableRecord& one) { return one.type == record.type; });
            if (!is_known) found_.tables.push_back(std::move(record));
        }
        const int count = std::min(blkid_partlist_numof_partitions(list), kMostPartitions);
        for (int i = 0; i < count; ++i)
            if (blkid_partition raw = blkid_partlist_get_partition(list, i))
                found_.partitions.push_back(partition_of(raw));
    }

    // Rows of ours that are there for what is left of something, or for something outside its
    // usual frame, where libblkid saw all of it.
    void drop_what_is_part_of_another() {
        const auto drop_where = [&](const auto& list, std::string_view type,
                                    std::string_view ours) {
            if (std::none_of(list.begin(), list.end(),
                             [&](const auto& one) { return one.type == type; }))
                return;
            std::erase_if(found_.signatures,
                          [&](const SignatureRecord& one) { return one.type == ours; });
        };
        drop_where(found_.signatures, "LVM2_member", kLvmMetadataType);
        drop_where(found_.tables, "bsd", "bsd");
    }

    const Place& place_;
    ProbeHandle probe_;
    PlaceContents found_;
    std::vector<std::string> seen_;
    int errors_ = 0;
};

} // namespace

PlaceContents read_contents_of(const Place& place) {
    return Reading(place).all();
}

} // namespace stratum::hw
