// Where a list goes on: the id of the last record shown, wrapped so that nobody builds on what is
// inside and a cursor of one list is not taken for another's.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "founder/founder.hpp"

namespace stratum::founder {

link::Problem bad_cursor();
std::string make_cursor(std::string_view list, std::string_view id);
// The id; empty for the first page; 400 at `cursor` for what this list did not give.
Answer<std::string> read_cursor(std::string_view list, const std::string& cursor);

// The page of a list that is read whole anyway (tokens, codes, members): `id_of` says each item's
// id, and the list is in its order already. A cursor whose item is gone is a 400 as well: its place
// in the order is not known any more.
template<class T, class IdOf>
Answer<Page<T>> page_of(std::vector<T> all, std::string_view list, const PageQuery& query,
                        const IdOf& id_of) {
    const auto after = read_cursor(list, query.cursor);
    if (!after) return tl::make_unexpected(after.error());
    auto from = all.begin();
    if (!after->empty()) {
        from = std::find_if(all.begin(), all.end(),
                            [&](const T& one) { return id_of(one) == *after; });
        if (from == all.end()) return tl::make_unexpected(bad_cursor());
        ++from;
    }
    const auto left = static_cast<std::size_t>(all.end() - from);
    const std::size_t count = std::min(left, std::max<std::size_t>(query.limit, 1));
    Page<T> page;
    page.items.assign(from, from + static_cast<std::ptrdiff_t>(count));
    if (count < left) page.next_cursor = make_cursor(list, id_of(page.items.back()));
    return page;
}

} // namespace stratum::founder
