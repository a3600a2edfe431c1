#include "hwdiscovery/edge/blkid_signatures.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "common/base/text.hpp"
#include "hwdiscovery/edge/blkid_values.hpp"
#include "hwdiscovery/first_look.hpp"
#include "hwdiscovery/membership.hpp"
#include "hwdiscovery/own_signatures.hpp"

namespace stratum::hw {
namespace {

constexpr int kMostResults = 64; // of one place; more is a device that lies
constexpr int kMostErrors = 256; // one for each reader and to spare: it never goes on for ever
constexpr int kMostPartitions = 256;
constexpr std::size_t kFirstSectorBytes = 512;

std::string words_of(int error) {
    return error == 0 ? "it ends too soon" : std::strerror(error);
}

class Reading {
public:
    explicit Reading(const Place& place) : place_(place) {}

    PlaceContents all() {
        look_at_ends();
        probe_ = open_probe(place_);
        if (!probe_) {
            add_problem("libblkid cannot read it");
            return std::move(found_);
        }
        look_for_signatures();
        look_for_tables();
        look_behind();
        add_ours();
        drop_what_is_part_of_another();
        return std::move(found_);
    }

private:
    void add_problem(const std::string& problem) {
        if (found_.problem.empty()) found_.problem = problem;
    }

    // Our own rows stand at the ends, and so does what tells which readers are not needed.
    void look_at_ends() {
        const Ends ends(place_);
        if (!ends.is_complete()) {
            const bool is_head = ends.head().empty();
            add_problem(std::string("its ") + (is_head ? "start" : "end") + " could not be read: " +
                        words_of(is_head ? ends.head_error() : ends.tail_error()));
        }
        const ReadAt read = [&](std::uint64_t at, std::size_t size) { return ends.read(at, size); };
        own_ = own_signatures(read, place_.size);
        for (auto& one : own_) add_membership(read, one);
        zfs_label_ = read_zfs_label(read, place_.size);
        if (ends.is_complete())
            not_needed_ = readers_not_needed(ends.head(), read, place_.size, place_.is_whole_disk);
    }

    // Of the whole place, for what says where else to look.
    [[nodiscard]] ReadAt reader() const {
        return [this](std::uint64_t at, std::size_t size) { return read_at(place_, at, size); };
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
        leave_out(probe_.get(), not_needed_);
        choose(probe_.get(), Chain::kSuperblocks);
        look([&] { found_.signatures.push_back(signature()); });
    }

    void look_for_tables() {
        choose(probe_.get(), Chain::kTables);
        look([&] { found_.tables.push_back(table()); });
        read_first_table();
        add_hybrid_table();
    }

    // The table in front of a GPT is to hold nothing but its guard; some put partitions into it
    // that no GPT knows of.
    void add_hybrid_table() {
        const bool has_gpt =
            std::any_of(found_.tables.begin(), found_.tables.end(),
                        [](const auto& one) { return one.type == "gpt" && !one.is_backup_only; });
        const auto sector = has_gpt ? read_at(place_, 0, kFirstSectorBytes) : std::nullopt;
        if (sector && has_hybrid_entries(*sector))
            found_.tables.push_back({std::string(kHybridType), "", kDosMagicAt, false});
    }

    void look_behind() {
        const bool is_signed = !found_.signatures.empty();
        if (is_signed) look_behind(Chain::kSuperblocks);
        if (found_.tables.empty()) return;
        if (is_signed) read_again(probe_.get(), place_);
        look_behind(Chain::kTables);
    }

    void add_ours() {
        const bool is_zfs_known =
            std::any_of(found_.signatures.begin(), found_.signatures.end(),
                        [](const SignatureRecord& one) { return one.type == "zfs_member"; });
        if (zfs_label_ && !is_zfs_known) found_.signatures.push_back(std::move(*zfs_label_));
        found_.signatures.insert(found_.signatures.end(), own_.begin(), own_.end());
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
        choose(probe_.get(), chain);
        for (int results = 0; results < kMostResults && next() == 0; ++results) {
            const bool is_new =
                chain == Chain::kSuperblocks ? add_hidden_signature() : add_hidden_table();
            if (is_new && hide(chain)) blkid_probe_step_back(probe_.get());
        }
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
        const int count = blkid_partlist_numof_partitions(list);
        if (count > kMostPartitions)
            add_problem("its table has " + std::to_string(count) + " partitions, more than the " +
                        std::to_string(kMostPartitions) + " that are looked at");
        // One more than are looked at says to whoever comes after that there are more.
        for (int i = 0; i < std::min(count, kMostPartitions + 1); ++i)
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
        drop_where(found_.tables, "gpt", kGptHeaderType);
        drop_where(found_.signatures, "ntfs", kNtfsCopyType);
        drop_where(found_.signatures, "vfat", kFatCopyType);
        drop_where(found_.signatures, "hfsplus", kHfsCopyType);
        drop_where(found_.signatures, "BitLocker", kBitlockerType);
    }

    const Place& place_;
    ProbeHandle probe_;
    PlaceContents found_;
    std::vector<SignatureRecord> own_;
    std::optional<SignatureRecord> zfs_label_;
    std::vector<std::string> not_needed_;
    std::vector<std::string> seen_;
    int errors_ = 0;
};

} // namespace

PlaceContents read_contents_of(const Place& place) {
    return Reading(place).all();
}

} // namespace stratum::hw
