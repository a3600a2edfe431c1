#include "hwdiscovery/content_json.hpp"

#include <utility>

#include "hwdiscovery/record_nodes.hpp"

namespace stratum::hw {
namespace {

Node integer(std::uint64_t value) {
    return Node::integer(static_cast<std::int64_t>(value));
}

template<class T>
Node list_of(const std::vector<T>& values, Node (*write)(const T&)) {
    Node list = Node::array();
    for (const auto& value : values) list.push(write(value));
    return list;
}

Node signature_node(const SignatureRecord& signature) {
    Node node = Node::object();
    put(node, "usage", signature.usage);
    put(node, "type", signature.type);
    put(node, "label", signature.label);
    put(node, "uuid", signature.uuid);
    if (signature.offset_bytes) node.set("offset", integer(*signature.offset_bytes));
    put(node, "group", signature.group);
    put(node, "groupUuid", signature.group_uuid);
    if (!signature.group_members.empty())
        node.set("groupMembers", texts_node(signature.group_members));
    return node;
}

Node table_node(const TableRecord& table) {
    Node node = Node::object();
    put(node, "type", table.type);
    put(node, "uuid", table.uuid);
    if (table.offset_bytes) node.set("offset", integer(*table.offset_bytes));
    if (table.is_backup_only) node.set("backupOnly", Node::boolean(true));
    return node;
}

Node partition_node(const TablePartition& partition) {
    Node node = Node::object();
    node.set("number", Node::integer(partition.number));
    node.set("start", integer(partition.start_bytes));
    node.set("size", integer(partition.size_bytes));
    put(node, "type", partition.type);
    put(node, "label", partition.label);
    put(node, "uuid", partition.uuid);
    if (partition.is_container) node.set("container", Node::boolean(true));
    if (!partition.signatures.empty())
        node.set("signatures", list_of(partition.signatures, signature_node));
    if (!partition.tables.empty()) node.set("tables", list_of(partition.tables, table_node));
    return node;
}

std::string text_of(const Node& node, const char* name) {
    const Node* member = node.find(name);
    return member == nullptr ? std::string{} : member->as_string();
}

std::optional<std::uint64_t> number_of(const Node& node, const char* name) {
    const Node* member = node.find(name);
    if (member == nullptr || member->kind() != Node::Kind::kInt || member->as_int() < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(member->as_int());
}

bool flag_of(const Node& node, const char* name) {
    const Node* member = node.find(name);
    return member != nullptr && member->as_bool();
}

template<class T>
std::vector<T> read_list(const Node& node, const char* name, T (*read)(const Node&)) {
    std::vector<T> values;
    const Node* list = node.find(name);
    if (list == nullptr) return values;
    for (const auto& item : list->items()) values.push_back(read(item));
    return values;
}

SignatureRecord read_signature(const Node& node) {
    SignatureRecord signature{text_of(node, "usage"),    text_of(node, "type"),
                              text_of(node, "label"),    text_of(node, "uuid"),
                              number_of(node, "offset"), text_of(node, "group"),
                              text_of(node, "groupUuid")};
    if (const Node* members = node.find("groupMembers"))
        for (const auto& uuid : members->items())
            signature.group_members.push_back(uuid.as_string());
    return signature;
}

TableRecord read_table(const Node& node) {
    return {text_of(node, "type"), text_of(node, "uuid"), number_of(node, "offset"),
            flag_of(node, "backupOnly")};
}

TablePartition read_partition(const Node& node) {
    TablePartition partition;
    partition.number = static_cast<int>(number_of(node, "number").value_or(0));
    partition.start_bytes = number_of(node, "start").value_or(0);
    partition.size_bytes = number_of(node, "size").value_or(0);
    partition.type = text_of(node, "type");
    partition.label = text_of(node, "label");
    partition.uuid = text_of(node, "uuid");
    partition.is_container = flag_of(node, "container");
    partition.signatures = read_list(node, "signatures", read_signature);
    partition.tables = read_list(node, "tables", read_table);
    return partition;
}

Exclusive exclusive_of(const std::string& word) {
    if (word == "free") return Exclusive::kFree;
    if (word == "busy") return Exclusive::kBusy;
    return Exclusive::kUnknown;
}

} // namespace

Node to_node(const ContentRecord& content) {
    Node node = Node::object();
    node.set("complete", Node::boolean(content.is_complete));
    put(node, "problem", content.problem);
    if (content.exclusive != Exclusive::kUnknown)
        node.set("exclusive", content.exclusive == Exclusive::kFree ? "free" : "busy");
    if (content.dm_open_count) node.set("openCount", Node::integer(*content.dm_open_count));
    put(node, "target", content.dm_target);
    put(node, "status", content.dm_status);
    if (content.writer) {
        Node writer = Node::object();
        writer.set("pid", Node::integer(content.writer->pid));
        put(writer, "program", content.writer->program);
        node.set("writer", std::move(writer));
    }
    node.set("signatures", list_of(content.signatures, signature_node));
    node.set("tables", list_of(content.tables, table_node));
    node.set("partitions", list_of(content.partitions, partition_node));
    return node;
}

ContentRecord read_content(const Node& node) {
    ContentRecord content;
    content.is_complete = flag_of(node, "complete");
    content.problem = text_of(node, "problem");
    content.exclusive = exclusive_of(text_of(node, "exclusive"));
    if (const auto count = number_of(node, "openCount"))
        content.dm_open_count = static_cast<std::uint32_t>(*count);
    content.dm_target = text_of(node, "target");
    content.dm_status = text_of(node, "status");
    if (const Node* writer = node.find("writer"))
        content.writer = Writer{static_cast<int>(number_of(*writer, "pid").value_or(0)),
                                text_of(*writer, "program")};
    content.signatures = read_list(node, "signatures", read_signature);
    content.tables = read_list(node, "tables", read_table);
    content.partitions = read_list(node, "partitions", read_partition);
    return content;
}

std::map<std::string, ContentRecord> read_contents(const Node& node) {
    std::map<std::string, ContentRecord> contents;
    for (const auto& [name, content] : node.members()) contents[name] = read_content(content);
    return contents;
}

Node to_node(const std::map<std::string, ContentRecord>& contents) {
    Node node = Node::object();
    for (const auto& [name, content] : contents) node.set(to_valid_utf8(name), to_node(content));
    return node;
}

} // namespace stratum::hw
