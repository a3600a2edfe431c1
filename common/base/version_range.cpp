#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "common/base/version.hpp"

namespace stratum {

Result<VersionRange> VersionRange::parse(std::string_view text) {
    // The longer sign first: ">" is also the beginning of ">=".
    static constexpr std::array<std::pair<std::string_view, Op>, 6> kSigns = {{
        {">=", Op::kGe},
        {"<=", Op::kLe},
        {"!=", Op::kNe},
        {">", Op::kGt},
        {"<", Op::kLt},
        {"=", Op::kEq},
    }};
    VersionRange range;
    const std::vector<std::string> comparators = words(text);
    range.text_ = join(comparators, " ");
    for (const std::string& comparator : comparators) {
        const auto* sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& candidate) {
            return comparator.starts_with(candidate.first);
        });
        if (sign == kSigns.end()) {
            return fail(ErrorCode::kInvalid, "\"" + to_valid_utf8(comparator.substr(0, 64)) +
                                                 "\" is no comparator; put one of >= > <= < = != "
                                                 "before a version, with no space between");
        }
        const auto bound = Version::parse(std::string_view(comparator).substr(sign->first.size()));
        if (!bound) return tl::make_unexpected(bound.error());
        range.comparators_.push_back({sign->second, *bound});
    }
    if (comparators.empty()) {
        return fail(ErrorCode::kInvalid, "the version range is empty; give comparators such as "
                                         ">=25.03 <26.00");
    }
    return range;
}

bool VersionRange::contains(const Version& version) const {
    return std::all_of(comparators_.begin(), comparators_.end(), [&](const Comparator& one) {
        switch (one.op) {
        case Op::kGe:
            return version >= one.bound;
        case Op::kGt:
            return version > one.bound;
        case Op::kLe:
            return version <= one.bound;
        case Op::kLt:
            return version < one.bound;
        case Op::kEq:
            return version == one.bound;
        case Op::kNe:
            break;
        }
        return version != one.bound;
    });
}

} // namespace stratum
