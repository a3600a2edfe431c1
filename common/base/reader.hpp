// The typed reader of one object of a document: each field is asked for by name with the type and
// range it needs, every fault becomes a finding at its path, and `finish` reports members nobody
// asked for ("unknown; did you mean address"). A value that was refused reads as absent, so that
// one fault is told once.
//
//   ObjectReader reader(node, path, findings);
//   assignment.name = reader.optional_string("name");
//   reader.each("links", [&](const Node& item, const FieldPath& at) { … });
//   reader.finish();
//
// null counts as absent, except where `required_…` asks: there it is "missing".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/findings.hpp"
#include "common/base/result.hpp"

namespace stratum {

// Which members an object may have besides those asked for: everything on the joiner's side (a
// newer joiner's extra members are ignored), nothing on the admin side. "x-…" is always free.
enum class Unknown { kRefused, kIgnored };

class ObjectReader {
public:
    // A node that is not an object is a finding at `path`; every read then answers absent in
    // silence.
    ObjectReader(const Node& node, FieldPath path, Findings& findings,
                 Unknown unknown = Unknown::kRefused);

    [[nodiscard]] const FieldPath& path() const { return path_; }
    [[nodiscard]] bool is_object() const { return node_.is_object(); }
    [[nodiscard]] bool has(std::string_view name); // present and not null

    std::optional<std::string> optional_string(std::string_view name);
    std::string required_string(std::string_view name);
    // A text for people's eyes: control characters and what is not UTF-8 replaced (it reaches
    // terminals); a longer one is a finding. Absent reads as "".
    std::string optional_text(std::string_view name, std::size_t max_bytes);
    std::string required_text(std::string_view name, std::size_t max_bytes);
    // The same of a text already read (an entry of a list); the finding stands at `name`.
    std::string bounded_text(std::string_view name, const std::string& text, std::size_t max_bytes);
    std::optional<std::int64_t> optional_int(std::string_view name, std::int64_t min,
                                             std::int64_t max);
    std::optional<std::int64_t> required_int(std::string_view name, std::int64_t min,
                                             std::int64_t max);
    std::optional<bool> optional_bool(std::string_view name);
    // One of the words; the finding lists them all.
    std::optional<std::string> optional_word(std::string_view name,
                                             std::span<const std::string_view> words);
    std::optional<std::string> required_word(std::string_view name,
                                             std::span<const std::string_view> words);
    // A list of strings; absent is an absent list. Each element of another type is a finding, and
    // the list then reads as absent.
    std::optional<std::vector<std::string>> optional_strings(std::string_view name);
    // A value with a parser of its own (`parse` says what is wrong in its Error's message).
    template<class T>
    std::optional<T> optional_parsed(std::string_view name, Result<T> (*parse)(std::string_view)) {
        const auto text = optional_string(name);
        if (!text) return std::nullopt;
        Result<T> value = parse(*text);
        if (value) return *value;
        add(name, value.error().message);
        return std::nullopt;
    }

    // The member as it is (nullptr: absent or null); counts as asked for.
    const Node* member(std::string_view name);
    // Calls `visit` with each element and its path. False where the list is absent (or no list).
    bool each(std::string_view name,
              const std::function<void(const Node&, const FieldPath&)>& visit);
    // Marks a name as known without reading it (read-only members that are accepted and ignored).
    void ignore(std::string_view name);

    // A finding at one of this object's fields.
    void add(std::string_view name, std::string message);

    // Reports what nobody asked for; call once, last.
    void finish();

private:
    void missing(std::string_view name);
    const Node* typed(std::string_view name, Node::Kind kind, std::string_view needed);

    const Node& node_;
    FieldPath path_;
    Findings& findings_;
    Unknown unknown_;
    std::set<std::string, std::less<>> asked_;
};

} // namespace stratum
