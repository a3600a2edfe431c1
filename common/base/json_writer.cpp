#include <algorithm>

#include "common/base/document.hpp"
#include "common/base/document_numbers.hpp"
#include "common/base/text.hpp"

namespace stratum {
namespace {

class JsonWriter {
public:
    explicit JsonWriter(int indent) : indent_(indent) {}

    void write(const Node& node);
    std::string take() { return std::move(out_); }

private:
    void write_string(std::string_view text);
    void write_escaped(char c);
    void write_array(const Node& node);
    void write_object(const Node& node);
    void new_line();

    int indent_;
    int depth_ = 0;
    std::string out_;
};

void JsonWriter::write(const Node& node) {
    switch (node.kind()) {
    case Node::Kind::kNull:
        out_ += "null";
        return;
    case Node::Kind::kBool:
        out_ += node.as_bool() ? "true" : "false";
        return;
    case Node::Kind::kInt:
        out_ += std::to_string(node.as_int());
        return;
    case Node::Kind::kDouble:
        out_ += number_text(node.as_double());
        return;
    case Node::Kind::kString:
        return write_string(node.as_string());
    case Node::Kind::kArray:
        return write_array(node);
    case Node::Kind::kObject:
        return write_object(node);
    }
}

// ASCII that stands for itself.
bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void JsonWriter::write_string(std::string_view text) {
    out_ += '"';
    // Nearly all texts are of one kind, and answers have tens of thousands of them.
    if (std::all_of(text.begin(), text.end(), is_plain)) {
        out_.append(text).append(1, '"');
        return;
    }
    while (!text.empty()) {
        const std::size_t good = utf8_length(text);
        for (const char c : text.substr(0, good)) write_escaped(c);
        if (good == text.size()) break;
        out_ += "\xef\xbf\xbd";
        text.remove_prefix(good + 1);
    }
    out_ += '"';
}

void JsonWriter::write_escaped(char c) {
    switch (c) {
    case '"':
        out_ += "\\\"";
        return;
    case '\\':
        out_ += "\\\\";
        return;
    case '\n':
        out_ += "\\n";
        return;
    case '\r':
        out_ += "\\r";
        return;
    case '\t':
        out_ += "\\t";
        return;
    default:
        break;
    }
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte < 0x20) {
        out_ += "\\u00" + to_hex({&byte, 1});
    } else {
        out_ += c;
    }
}

void JsonWriter::write_array(const Node& node) {
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const Node& item : node.items()) {
        if (!first) out_ += ',';
        first = false;
        new_line();
        write(item);
    }
    --depth_;
    if (!first) new_line();
    out_ += ']';
}

void JsonWriter::write_object(const Node& node) {
    out_ += '{';
    ++depth_;
    bool first = true;
    for (const auto& [name, value] : node.members()) {
        if (!first) out_ += ',';
        first = false;
        new_line();
        write_string(name);
        out_ += indent_ > 0 ? ": " : ":";
        write(value);
    }
    --depth_;
    if (!first) new_line();
    out_ += '}';
}

void JsonWriter::new_line() {
    if (indent_ <= 0) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(depth_), ' ');
}

} // namespace

std::string write_json(const Node& node, int indent) {
    JsonWriter writer(indent);
    writer.write(node);
    return writer.take();
}

} // namespace stratum
