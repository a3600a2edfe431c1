#include <limits>

#include "common/config/documentation.hpp"
#include "common/config/forms.hpp"
#include "common/config/node_config_fields.hpp"

namespace stratum::config {

namespace {

Node object_schema(const std::vector<DescribedField>& fields);

Node types(std::string_view type, bool may_be_null) {
    if (!may_be_null) return Node::string(std::string(type));
    return Node::array({Node::string(std::string(type)), Node::string("null")});
}

// null and, where no word is asked for, an empty text count as absent.
Node text_schema(const FieldInfo& info, bool is_item) {
    const bool must = info.required || is_item;
    Node schema = Node::object();
    schema.set("type", types("string", !must));
    if (!info.words.empty()) {
        Node words = Node::array();
        for (const std::string_view word : info.words) words.push(Node::string(std::string(word)));
        if (!must) words.push(Node{});
        schema.set("enum", std::move(words));
    } else if (const Form* form = form_of(info.fault)) {
        schema.set("pattern", say("^(", form->pattern, must ? "" : "|", ")$"));
    } else if (info.required && !is_item) {
        schema.set("minLength", Node::integer(1));
    }
    return schema;
}

Node integer_schema(const FieldInfo& info) {
    Node schema = Node::object();
    schema.set("type", types("integer", !info.required));
    if (info.min != std::numeric_limits<std::int64_t>::min())
        schema.set("minimum", Node::integer(info.min));
    if (info.max != std::numeric_limits<std::int64_t>::max())
        schema.set("maximum", Node::integer(info.max));
    return schema;
}

Node list_schema(const FieldInfo& info, Node item) {
    Node schema = Node::object();
    schema.set("type", types("array", !info.required));
    schema.set("items", std::move(item));
    return schema;
}

Node field_schema(const DescribedField& field) {
    switch (field.shape) {
    case Shape::kText:
        return text_schema(field.info, false);
    case Shape::kInteger:
        return integer_schema(field.info);
    case Shape::kTexts:
        return list_schema(field.info, text_schema(field.info, true));
    case Shape::kObjects:
        return list_schema(field.info, object_schema(field.inside));
    case Shape::kFlag: {
        Node schema = Node::object();
        schema.set("type", types("boolean", !field.info.required));
        return schema;
    }
    case Shape::kObject: {
        Node schema = object_schema(field.inside);
        schema.set("type", types("object", !field.info.required));
        return schema;
    }
    case Shape::kFree:
        break;
    }
    return Node::object(); // anything
}

Node object_schema(const std::vector<DescribedField>& fields) {
    Node properties = Node::object();
    Node required = Node::array();
    for (const DescribedField& field : fields) {
        Node schema = field_schema(field);
        schema.set("description", std::string(field.info.about));
        properties.set(std::string(field.info.name), std::move(schema));
        if (field.info.required) required.push(Node::string(std::string(field.info.name)));
    }
    Node notes = Node::object();
    notes.set("^x-", Node::boolean(true));
    Node made = Node::object();
    made.set("type", "object");
    if (!required.items().empty()) made.set("required", std::move(required));
    made.set("properties", std::move(properties));
    made.set("patternProperties", std::move(notes));
    made.set("additionalProperties", Node::boolean(false));
    return made;
}

} // namespace

std::string node_yaml_schema() {
    const Node whole = object_schema(describe<NodeConfig>());
    Node made = Node::object();
    made.set("$schema", "https://json-schema.org/draft/2020-12/schema");
    made.set("title", "node.yaml");
    made.set("$comment", "Printed from the reader's table by `make docs`; do not edit. It takes "
                         "every valid file; `firstboot --config` checks the rules besides.");
    for (const auto& [name, value] : whole.members()) made.set(name, value);
    return write_json(made, 2) + "\n";
}

} // namespace stratum::config
