#include "common/base/document_builder.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

} // namespace

Position position_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t newline = before.rfind('\n');
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return {1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            1 + static_cast<int>(before.size() - start)};
}

bool check_text(std::string_view text, std::string_view format, const DocumentLimits& limits,
                Findings& findings) {
    const auto refuse = [&](std::string message, std::optional<std::size_t> offset = {}) {
        const auto at = offset ? std::optional(position_of(text, *offset)) : std::nullopt;
        findings.add(FieldPath(), std::move(message), at);
        return false;
    };
    if (text.size() > limits.max_bytes) {
        return refuse("the document has " + std::to_string(text.size()) + " bytes; at most " +
                      std::to_string(limits.max_bytes) + " are taken");
    }
    if (text.starts_with(kByteOrderMark)) {
        return refuse("the document begins with a byte order mark; save it as UTF-8 without one",
                      0);
    }
    if (const std::size_t good = utf8_length(text); good < text.size()) {
        return refuse("the document is not UTF-8 here; save it as UTF-8", good);
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return refuse("the document holds a NUL byte here; it is no text", nul);
    }
    if (trim(text).empty()) {
        return refuse("the document is empty; " + std::string(format) + " was needed", 0);
    }
    return true;
}

bool DocumentBuilder::value(Node node, Position at) {
    if (!count(at)) return false;
    if (node.as_string().find('\0') != std::string::npos) {
        problem("holds the character U+0000, which no value may have", at);
        node = Node();
    }
    node.set_position(at);
    attach(std::move(node));
    return true;
}

bool DocumentBuilder::begin(Node::Kind kind, Position at) {
    if (!count(at)) return false;
    if (open_.size() >= static_cast<std::size_t>(std::max(limits_.max_depth, 0))) {
        problem("is nested too deep; at most " + std::to_string(limits_.max_depth) +
                    " levels are taken",
                at);
        return false;
    }
    open_.push_back({kind, at, {}, {}, {}, {}, {}, false});
    return true;
}

void DocumentBuilder::end() {
    Frame frame = std::move(open_.back());
    open_.pop_back();
    Node node = frame.kind == Node::Kind::kObject ? Node::object(std::move(frame.members))
                                                  : Node::array(std::move(frame.items));
    node.set_position(frame.at);
    attach(std::move(node));
}

void DocumentBuilder::key(std::string name, Position at) {
    Frame& frame = open_.back();
    frame.key = std::move(name);
    frame.key_at = at;
    if (frame.key->find('\0') != std::string::npos) {
        problem("its name holds the character U+0000, which no name may have", at);
        frame.drop = true;
        return;
    }
    const auto [first, is_new] = frame.names.emplace(*frame.key, at);
    frame.drop = !is_new;
    if (is_new) return;
    problem("given twice, the first on line " + std::to_string(first->second.line) + "; remove one",
            at);
}

void DocumentBuilder::unusable_key(std::string_view shown, Position at) {
    Frame& frame = open_.back();
    frame.key = std::string(shown);
    frame.key_at = at;
    frame.drop = true;
}

bool DocumentBuilder::expects_key() const {
    return !open_.empty() && open_.back().kind == Node::Kind::kObject && !open_.back().key;
}

std::optional<Position> DocumentBuilder::key_position() const {
    if (open_.empty() || !open_.back().key) return std::nullopt;
    return open_.back().key_at;
}

void DocumentBuilder::problem(std::string message, Position at) {
    findings_.add(path(), std::move(message), at);
}

bool DocumentBuilder::count(Position at) {
    if (++nodes_ <= limits_.max_nodes) return true;
    findings_.add(FieldPath(),
                  "the document has more than " + std::to_string(limits_.max_nodes) +
                      " values; no more are taken",
                  at);
    return false;
}

void DocumentBuilder::attach(Node node) {
    if (open_.empty()) {
        root_ = std::move(node);
        return;
    }
    Frame& frame = open_.back();
    if (frame.kind == Node::Kind::kArray) {
        frame.items.push_back(std::move(node));
        return;
    }
    node.set_key_position(frame.key_at);
    if (!frame.drop) frame.members.emplace_back(std::move(*frame.key), std::move(node));
    frame.key.reset();
    frame.drop = false;
}

FieldPath DocumentBuilder::path() const {
    FieldPath path;
    for (const Frame& frame : open_) {
        if (frame.kind == Node::Kind::kArray) {
            path = path.index(frame.items.size());
        } else if (frame.key) {
            path = path.key(*frame.key);
        }
    }
    return path;
}

} // namespace stratum
