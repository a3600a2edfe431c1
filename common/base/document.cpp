#include "common/base/document.hpp"

#include <algorithm>
#include <cmath>

namespace stratum {
namespace {

std::vector<const Node::Member*> by_name(const std::vector<Node::Member>& members) {
    std::vector<const Node::Member*> sorted;
    sorted.reserve(members.size());
    for (const Node::Member& member : members) sorted.push_back(&member);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto* a, const auto* b) { return a->first < b->first; });
    return sorted;
}

bool same_members(const std::vector<Node::Member>& a, const std::vector<Node::Member>& b) {
    if (a.size() != b.size()) return false;
    const auto sorted_a = by_name(a);
    const auto sorted_b = by_name(b);
    return std::equal(sorted_a.begin(), sorted_a.end(), sorted_b.begin(),
                      [](const auto* x, const auto* y) { return *x == *y; });
}

} // namespace

Node Node::boolean(bool value) {
    Node node;
    node.kind_ = Kind::kBool;
    node.bool_ = value;
    return node;
}

Node Node::integer(std::int64_t value) {
    Node node;
    node.kind_ = Kind::kInt;
    node.int_ = value;
    return node;
}

Node Node::number(double value) {
    Node node;
    if (!std::isfinite(value)) return node;
    node.kind_ = Kind::kDouble;
    node.double_ = value;
    return node;
}

Node Node::string(std::string value) {
    Node node;
    node.kind_ = Kind::kString;
    node.text_ = std::move(value);
    return node;
}

Node Node::array(std::vector<Node> items) {
    Node node;
    node.kind_ = Kind::kArray;
    node.items_ = std::move(items);
    return node;
}

Node Node::object(std::vector<Member> members) {
    Node node;
    node.kind_ = Kind::kObject;
    node.members_ = std::move(members);
    return node;
}

std::string_view Node::kind_name() const {
    switch (kind_) {
    case Kind::kNull:
        return "null";
    case Kind::kBool:
        return "true or false";
    case Kind::kInt:
        return "a whole number";
    case Kind::kDouble:
        return "a number with a fraction";
    case Kind::kString:
        return "a string";
    case Kind::kArray:
        return "a list";
    case Kind::kObject:
        break;
    }
    return "an object";
}

double Node::as_double() const {
    return kind_ == Kind::kInt ? static_cast<double>(int_) : double_;
}

const Node* Node::find(std::string_view name) const {
    for (const Member& member : members_) {
        if (member.first == name) return &member.second;
    }
    return nullptr;
}

Node& Node::set(std::string name, Node value) {
    for (Member& member : members_) {
        if (member.first != name) continue;
        member.second = std::move(value);
        return *this;
    }
    kind_ = Kind::kObject;
    members_.emplace_back(std::move(name), std::move(value));
    return *this;
}

Node& Node::set_if(std::string name, const std::optional<std::string>& value) {
    return value ? set(std::move(name), *value) : *this;
}

Node& Node::remove(std::string_view name) {
    std::erase_if(members_, [&](const Member& member) { return member.first == name; });
    return *this;
}

Node& Node::push(Node item) {
    kind_ = Kind::kArray;
    items_.push_back(std::move(item));
    return *this;
}

bool operator==(const Node& a, const Node& b) {
    if (a.kind_ != b.kind_) return false;
    switch (a.kind_) {
    case Node::Kind::kNull:
        return true;
    case Node::Kind::kBool:
        return a.bool_ == b.bool_;
    case Node::Kind::kInt:
        return a.int_ == b.int_;
    case Node::Kind::kDouble:
        return a.double_ == b.double_;
    case Node::Kind::kString:
        return a.text_ == b.text_;
    case Node::Kind::kArray:
        return a.items_ == b.items_;
    case Node::Kind::kObject:
        break;
    }
    return same_members(a.members_, b.members_);
}

} // namespace stratum
