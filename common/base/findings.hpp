// All that is wrong with one document, each problem at its field: the input of an answer that names
// every fault at once. Order is the order of finding, which walkers keep stable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/field_path.hpp"

namespace stratum {

// Where in the text a value stands; both count from 1, columns in bytes.
struct Position {
    int line = 0;
    int column = 0;

    friend bool operator==(const Position&, const Position&) = default;
};

struct Finding {
    std::string field;   // FieldPath::str(); empty for the whole document
    std::string message; // what was found, what was needed, the choices there are
    std::optional<Position> at;

    friend bool operator==(const Finding&, const Finding&) = default;
};

class Findings {
public:
    // Past this many only one more line is kept, which says so: a hostile document makes no more.
    static constexpr std::size_t kMaxFindings = 1000;

    void add(const FieldPath& field, std::string message, std::optional<Position> at = {});
    void append(const Findings& others);

    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] const std::vector<Finding>& all() const { return all_; }
    // True where a problem was found at this field or below it: a rule stays silent on spoiled
    // input.
    [[nodiscard]] bool has_at(const FieldPath& field) const;
    // One line per finding: "field: message" ("message" for the whole document).
    [[nodiscard]] std::vector<std::string> lines() const;

private:
    void keep(Finding finding);

    std::vector<Finding> all_;
};

} // namespace stratum
