// Versions as a packager orders them: epoch, then runs of digits by value and runs of other
// characters with ~ before the end and letters before the rest, the same again for the revision
// behind the last hyphen (Debian policy 5.6.12). One type for releases and components.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"

namespace stratum {

class Version {
public:
    Version() = default;
    // "v" in front is dropped. Up to 128 characters of [A-Za-z0-9.+~:_-], beginning with a digit.
    static Result<Version> parse(std::string_view text);

    [[nodiscard]] const std::string& str() const { return text_; }
    [[nodiscard]] std::string major() const;       // "25"
    [[nodiscard]] std::string major_minor() const; // "25.03", digits as written

    friend std::strong_ordering operator<=>(const Version& a, const Version& b);
    friend bool operator==(const Version& a, const Version& b);

private:
    explicit Version(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

// Comparators joined by spaces, all of which must hold: ">=25.03 <26.00". Operators >= > <= < = !=.
class VersionRange {
public:
    static Result<VersionRange> parse(std::string_view text);
    [[nodiscard]] bool contains(const Version& version) const;
    [[nodiscard]] const std::string& str() const { return text_; }

private:
    enum class Op { kGe, kGt, kLe, kLt, kEq, kNe };
    struct Comparator {
        Op op;
        Version bound;
    };
    std::string text_;
    std::vector<Comparator> comparators_;
};

} // namespace stratum
