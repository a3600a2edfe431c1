// A rule's row names its field once, as a pattern: "links[i].addresses[j]". Here patterns become
// places to visit and paths to report at, so that nobody puts a path together by hand.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "common/base/findings.hpp"

namespace stratum::config {

// Which elements a pattern's [i] and [j] stand for.
struct Place {
    std::size_t i = 0;
    std::size_t j = 0;
};

// The pattern's path with the place's numbers put in. Numbers and quoted names in the text stay as
// they are, so that any FieldPath's own text gives that path again.
FieldPath path_of(std::string_view pattern, Place place = {});

// How many elements the list before [i] or [j] has ("links", "links[i].addresses"); for the latter
// `place.i` says in which.
using CountElements = std::function<std::size_t(std::string_view list, Place place)>;

// Calls `visit` for each place of the pattern, in order: once where it has neither [i] nor [j].
void for_each_place(std::string_view pattern, const CountElements& count,
                    const std::function<void(Place)>& visit);

// The findings ordered by where their fields stand: by the order of `sections` (the first names of
// paths), then by the number in the first brackets; the order of finding decides the rest.
Findings in_field_order(const Findings& findings, std::span<const std::string_view> sections);

} // namespace stratum::config
