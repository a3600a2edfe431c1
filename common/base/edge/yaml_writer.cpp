#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>

#include "common/base/document.hpp"
#include "common/base/document_numbers.hpp"
#include "common/base/text.hpp"
#include "common/base/yaml_scalar.hpp"

namespace stratum {
namespace {

// Each bad byte as U+FFFD; all else stays, control characters too (the emitter escapes them).
std::string repaired(std::string_view text) {
    std::string out;
    for (;;) {
        const std::size_t good = utf8_length(text);
        out += text.substr(0, good);
        if (good == text.size()) return out;
        out += "\xef\xbf\xbd";
        text.remove_prefix(good + 1);
    }
}

void emit_text(YAML::Emitter& out, std::string_view text) {
    if (!is_safe_plain(text)) out << YAML::DoubleQuoted;
    out << repaired(text);
}

void emit_object(YAML::Emitter& out, const Node& node);

void emit(YAML::Emitter& out, const Node& node) {
    switch (node.kind()) {
    case Node::Kind::kNull:
        out << YAML::Null;
        return;
    case Node::Kind::kBool:
        out << node.as_bool();
        return;
    case Node::Kind::kInt:
        out << std::to_string(node.as_int());
        return;
    case Node::Kind::kDouble:
        out << number_text(node.as_double());
        return;
    case Node::Kind::kString:
        return emit_text(out, node.as_string());
    case Node::Kind::kArray:
        if (node.items().empty()) out << YAML::Flow; // else [] stands on a line of its own
        out << YAML::BeginSeq;
        for (const Node& item : node.items()) emit(out, item);
        out << YAML::EndSeq;
        return;
    case Node::Kind::kObject:
        break;
    }
    emit_object(out, node);
}

void emit_object(YAML::Emitter& out, const Node& node) {
    // A key that may pass 1024 bytes with its escapes is no simple key to a reader.
    static constexpr std::size_t kLongKeyBytes = 200;
    if (node.members().empty()) out << YAML::Flow;
    out << YAML::BeginMap;
    for (const auto& [name, value] : node.members()) {
        if (name.size() > kLongKeyBytes) out << YAML::LongKey;
        out << YAML::Key;
        emit_text(out, name);
        out << YAML::Value;
        emit(out, value);
    }
    out << YAML::EndMap;
}

} // namespace

std::string write_yaml(const Node& node) {
    YAML::Emitter out;
    out.SetNullFormat(YAML::LowerNull);
    emit(out, node);
    return std::string(out.c_str(), out.size()) + "\n";
}

} // namespace stratum
