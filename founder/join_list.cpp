#include "founder/join_list.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "founder/cursor.hpp"
#include "founder/documents.hpp"
#include "founder/lifecycle.hpp"

namespace stratum::founder {
namespace {

link::Problem no_such_join(const std::string& id) {
    return problem(link::ProblemCode::kNotFound, "there is no join " + id);
}

std::vector<link::LogLine> lines_after(Ledger& ledger, const std::string& id, std::int64_t after) {
    ListOptions options;
    options.prefix = id + "/";
    options.after = log_line_id(id, std::max<std::int64_t>(after, 0));
    return ledger.list<link::LogLine>(options);
}

// How many of the order are read at once on the way to a page.
constexpr std::size_t kPiece = 256;

std::int64_t newest_change(Ledger& ledger) {
    ListOptions newest;
    newest.descending = true;
    newest.limit = 1;
    const auto entries = ledger.entries(Kind::kJoinChange, newest);
    if (entries.empty()) return 0;
    const std::string& id = entries.front().id;
    const auto zeros = std::min(id.find_first_not_of('0'), id.size() - 1);
    return static_cast<std::int64_t>(parse_decimal(id.substr(zeros)).value_or(0));
}

} // namespace

std::string log_line_id(const std::string& join_id, std::int64_t number) {
    return join_id + "/" + sequence_id(number);
}

std::optional<Node> stored_inventory(Ledger& ledger, const std::string& id) {
    const auto text = ledger.text(Kind::kInventory, id);
    if (!text) return std::nullopt;
    Parsed parsed = parse_json(*text, {.max_bytes = 8u << 20, .max_nodes = 1'000'000});
    if (!parsed.root) ledger.fault("an inventory is damaged");
    return std::move(parsed.root);
}

JoinDetail detail_of(Ledger& ledger, const JoinRecord& join) {
    return detail_of(ledger, join, stored_inventory(ledger, join.id));
}

JoinDetail detail_of(Ledger& ledger, const JoinRecord& join, std::optional<Node> inventory) {
    JoinDetail detail;
    detail.record = join;
    if (inventory) detail.inventory = std::move(*inventory);
    detail.log = lines_after(ledger, join.id, 0);
    return detail;
}

Answer<JoinPage> list_joins(Context& context, const JoinQuery& query) {
    const auto after = read_cursor("joins", query.cursor);
    if (!after) return tl::make_unexpected(after.error());
    return look<JoinPage>(context, [&](Ledger& ledger) -> Answer<JoinPage> {
        JoinPage page;
        ListOptions options;
        options.after = *after;
        options.descending = true;
        options.limit = kPiece;
        while (true) {
            const auto piece = ledger.entries(Kind::kJoinOrder, options);
            for (const Entry& entry : piece) {
                auto join = find_join(ledger, entry.value);
                if (!join || (query.state && join->state != *query.state)) continue;
                if (page.joins.size() == std::max<std::size_t>(query.limit, 1)) {
                    page.next_cursor =
                        make_cursor("joins", sequence_id(page.joins.back().sequence));
                    return page;
                }
                page.joins.push_back(std::move(*join));
            }
            if (piece.size() < kPiece) return page;
            options.after = piece.back().id;
        }
    });
}

Answer<ChangedJoins> changed_joins(Context& context, std::int64_t after, std::size_t limit) {
    return look<ChangedJoins>(context, [&](Ledger& ledger) -> Answer<ChangedJoins> {
        ChangedJoins changed;
        ListOptions options;
        // A number from another store, or from after a backup that was put back.
        const bool is_ours = after > 0 && after <= newest_change(ledger);
        if (is_ours) options.after = sequence_id(after);
        options.limit = limit;
        const auto entries = ledger.entries(Kind::kJoinChange, options);
        for (const Entry& entry : entries)
            if (auto join = find_join(ledger, entry.value))
                changed.joins.push_back(std::move(*join));
        changed.is_end = entries.size() < limit;
        return changed;
    });
}

Answer<std::string> listed_joins(Context& context, const JoinQuery& query) {
    const std::string key = std::string(query.state ? state_name(*query.state) : "") + '/' +
                            std::to_string(query.limit) + '/' + query.cursor;
    const auto version = context.store.version();
    if (version)
        if (auto known = context.answers.find(*version, key)) return *std::move(known);
    const auto page = list_joins(context, query);
    if (!page) return tl::make_unexpected(page.error());
    Node items = Node::array();
    for (const JoinRecord& one : page->joins) items.push(summary_document(one));
    Node answer = Node::object();
    answer.set("joins", std::move(items));
    if (!page->next_cursor.empty()) answer.set("nextCursor", page->next_cursor);
    std::string text = write_json(answer);
    if (version) context.answers.keep(*version, key, text);
    return text;
}

Answer<JoinDetail> show_join(Context& context, const std::string& id) {
    return look<JoinDetail>(context, [&](Ledger& ledger) -> Answer<JoinDetail> {
        const auto join = find_join(ledger, id);
        if (!join) return tl::make_unexpected(no_such_join(id));
        return detail_of(ledger, *join);
    });
}

Answer<std::vector<link::LogLine>> log_after(Context& context, const std::string& id,
                                             std::int64_t after) {
    using Lines = std::vector<link::LogLine>;
    return look<Lines>(context, [&](Ledger& ledger) -> Answer<Lines> {
        if (!find_join(ledger, id)) return tl::make_unexpected(no_such_join(id));
        return lines_after(ledger, id, after);
    });
}

Answer<HashedFile> shown_node_yaml(Context& context, const std::string& id) {
    return look<HashedFile>(context, [&](Ledger& ledger) -> Answer<HashedFile> {
        const auto join = find_join(ledger, id);
        if (!join) return tl::make_unexpected(no_such_join(id));
        const auto text = ledger.text(Kind::kNodeYaml, id);
        if (!text)
            return tl::make_unexpected(
                state_conflict(*join, "its node.yaml is there once it is approved"));
        return HashedFile{*text, to_hex(sha256(bytes_of(*text)))};
    });
}

} // namespace stratum::founder
