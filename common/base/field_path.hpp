// The path of a field inside a document, built by whoever walks it: links[0].bond.mode. Nobody
// types such a path by hand. The empty path is the whole document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace stratum {

class FieldPath {
public:
    FieldPath() = default;

    // The member `name` of this object. A name that holds a dot, a bracket, a quote or white space
    // is quoted (labels."a.b"); of a name past 64 bytes only the beginning is shown.
    [[nodiscard]] FieldPath key(std::string_view name) const;
    // The element `position` of this list, counted from 0.
    [[nodiscard]] FieldPath index(std::size_t position) const;

    [[nodiscard]] const std::string& str() const { return text_; }
    [[nodiscard]] bool empty() const { return text_.empty(); }

    friend bool operator==(const FieldPath&, const FieldPath&) = default;

private:
    explicit FieldPath(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

} // namespace stratum
