// A document's section as a table: one row for each field with its name, shape, words, range and
// meaning, and how it is read into and written from the section's struct. Reader, writer and
// documentation come from the same rows, so that none can know a field that another does not.
//
// A section type T has its table behind `FieldsOf<T>::rows()`. What is empty or absent is not
// written; an empty text of an optional field reads as absent.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/reader.hpp"
#include "common/config/faults.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

enum class Shape { kText, kInteger, kFlag, kTexts, kObject, kObjects, kFree };

struct FieldInfo {
    std::string_view name;
    std::string_view about; // one sentence
    bool required = false;
    bool read_only = false; // in a request accepted and ignored
    bool always = false;    // a number that is written even where it is the default
    Words words = {};       // the only texts allowed; empty: any
    std::int64_t min = std::numeric_limits<std::int64_t>::min();
    std::int64_t max = std::numeric_limits<std::int64_t>::max();
    Fault (*fault)(std::string_view) = nullptr; // judges a text, or each of a list
};

// A field as documentation and schema need it.
struct DescribedField {
    FieldInfo info;
    Shape shape = Shape::kText;
    std::vector<DescribedField> inside; // of kObject and kObjects
};

// One object being read. `stored`: what this program wrote, read-only members included.
struct Reading {
    ObjectReader& object;
    Findings& findings;
    bool stored = false;
};

template<class T>
struct Field {
    FieldInfo info;
    Shape shape;
    void (*read)(Reading&, const FieldInfo&, T&);
    void (*write)(const T&, const FieldInfo&, Node&);
    std::vector<DescribedField> (*inside)() = nullptr;
};

template<class T>
using Fields = std::span<const Field<T>>;

template<class T>
struct FieldsOf; // static Fields<T> rows();

// The reading and writing of single values.
std::optional<std::string> read_text(Reading& reading, const FieldInfo& info);
std::optional<std::int64_t> read_integer(Reading& reading, const FieldInfo& info);
std::optional<std::vector<std::string>> read_texts(Reading& reading, const FieldInfo& info);
void write_texts(const std::vector<std::string>& texts, const FieldInfo& info, Node& node);

template<class T>
void read_rows(Fields<T> rows, Reading& reading, T& into) {
    for (const Field<T>& row : rows) {
        if (row.info.read_only && !reading.stored)
            reading.object.ignore(row.info.name);
        else
            row.read(reading, row.info, into);
    }
}

template<class T>
void write_rows(Fields<T> rows, const T& from, Node& node) {
    for (const Field<T>& row : rows) row.write(from, row.info, node);
}

// One object as a whole, unknown members reported.
struct ObjectAt {
    const Node& node;
    FieldPath path;
    bool stored = false;
};
template<class T>
void read_section(const ObjectAt& at, Fields<T> rows, Findings& findings, T& into) {
    ObjectReader object(at.node, at.path, findings);
    Reading reading{object, findings, at.stored};
    read_rows(rows, reading, into);
    object.finish();
}

template<class T>
Node write_section(Fields<T> rows, const T& from) {
    Node node = Node::object();
    write_rows(rows, from, node);
    return node;
}

template<class T>
std::vector<DescribedField> describe_rows(Fields<T> rows) {
    std::vector<DescribedField> all;
    for (const Field<T>& row : rows) {
        std::vector<DescribedField> inside;
        if (row.inside) inside = row.inside();
        if (row.info.name.empty()) // embedded: its fields stand in this object
            all.insert(all.end(), inside.begin(), inside.end());
        else
            all.push_back({row.info, row.shape, std::move(inside)});
    }
    return all;
}

template<class T>
std::vector<DescribedField> describe() {
    return describe_rows<T>(FieldsOf<T>::rows());
}

// Rows, made from the member they fill.
namespace row {

template<class M>
struct MemberOf;
template<class C, class V>
struct MemberOf<V C::*> {
    using Class = C;
    using Value = V;
};
template<auto M>
using ClassOf = typename MemberOf<decltype(M)>::Class;
template<auto M>
using ValueOf = typename MemberOf<decltype(M)>::Value;

template<class V>
struct IsOptional : std::false_type {};
template<class V>
struct IsOptional<std::optional<V>> : std::true_type {};

template<auto M>
constexpr Field<ClassOf<M>> text(FieldInfo info) {
    using T = ClassOf<M>;
    return {info, Shape::kText,
            [](Reading& reading, const FieldInfo& field, T& into) {
                if (auto value = read_text(reading, field)) into.*M = std::move(*value);
            },
            [](const T& from, const FieldInfo& field, Node& node) {
                if constexpr (IsOptional<ValueOf<M>>::value)
                    node.set_if(std::string(field.name), from.*M);
                else if (!(from.*M).empty())
                    node.set(std::string(field.name), from.*M);
            }};
}

template<auto M>
constexpr Field<ClassOf<M>> integer(FieldInfo info) {
    using T = ClassOf<M>;
    return {info, Shape::kInteger,
            [](Reading& reading, const FieldInfo& field, T& into) {
                using Value = ValueOf<M>;
                const auto value = read_integer(reading, field);
                if constexpr (IsOptional<Value>::value)
                    into.*M = value;
                else if (value)
                    into.*M = static_cast<Value>(*value);
            },
            [](const T& from, const FieldInfo& field, Node& node) {
                if constexpr (IsOptional<ValueOf<M>>::value) {
                    if (from.*M) node.set(std::string(field.name), Node::integer(*(from.*M)));
                } else if (field.always || from.*M != T{}.*M) {
                    node.set(std::string(field.name),
                             Node::integer(static_cast<std::int64_t>(from.*M)));
                }
            }};
}

template<auto M>
constexpr Field<ClassOf<M>> flag(FieldInfo info) {
    using T = ClassOf<M>;
    return {info, Shape::kFlag,
            [](Reading& reading, const FieldInfo& field, T& into) {
                into.*M = reading.object.optional_bool(field.name).value_or(T{}.*M);
            },
            [](const T& from, const FieldInfo& field, Node& node) {
                if (from.*M != T{}.*M) node.set(std::string(field.name), Node::boolean(from.*M));
            }};
}

template<auto M>
constexpr Field<ClassOf<M>> texts(FieldInfo info) {
    using T = ClassOf<M>;
    return {info, Shape::kTexts,
            [](Reading& reading, const FieldInfo& field, T& into) {
                if (auto value = read_texts(reading, field)) into.*M = std::move(*value);
            },
            [](const T& from, const FieldInfo& field, Node& node) {
                if constexpr (IsOptional<ValueOf<M>>::value) {
                    if (from.*M) write_texts(*(from.*M), field, node);
                } else if (!(from.*M).empty()) {
                    write_texts(from.*M, field, node);
                }
            }};
}

// An object inside; what it holds is left unwritten where nothing in it is set.
template<auto M>
constexpr Field<ClassOf<M>> object(FieldInfo info) {
    using T = ClassOf<M>;
    using Value = ValueOf<M>;
    if constexpr (IsOptional<Value>::value) {
        using Inner = typename Value::value_type;
        return {info, Shape::kObject,
                [](Reading& reading, const FieldInfo& field, T& into) {
                    const Node* node = reading.object.member(field.name);
                    if (!node) return;
                    const ObjectAt at{*node, reading.object.path().key(field.name), reading.stored};
                    into.*M = Inner{};
                    read_section<Inner>(at, FieldsOf<Inner>::rows(), reading.findings, *(into.*M));
                },
                [](const T& from, const FieldInfo& field, Node& node) {
                    if (from.*M)
                        node.set(std::string(field.name),
                                 write_section<Inner>(FieldsOf<Inner>::rows(), *(from.*M)));
                },
                describe<Inner>};
    } else {
        return {info, Shape::kObject,
                [](Reading& reading, const FieldInfo& field, T& into) {
                    const Node* node = reading.object.member(field.name);
                    if (!node && field.required) reading.object.add(field.name, "missing");
                    if (!node) return;
                    const ObjectAt at{*node, reading.object.path().key(field.name), reading.stored};
                    read_section<Value>(at, FieldsOf<Value>::rows(), reading.findings, into.*M);
                },
                [](const T& from, const FieldInfo& field, Node& node) {
                    Node inner = write_section<Value>(FieldsOf<Value>::rows(), from.*M);
                    if (!inner.members().empty())
                        node.set(std::string(field.name), std::move(inner));
                },
                describe<Value>};
    }
}

template<class Inner>
std::vector<Inner> read_objects(Reading& reading, const FieldInfo& field) {
    std::vector<Inner> list;
    reading.object.each(field.name, [&](const Node& node, const FieldPath& path) {
        list.emplace_back();
        read_section<Inner>({node, path, reading.stored}, FieldsOf<Inner>::rows(), reading.findings,
                            list.back());
    });
    return list;
}

template<class Inner>
Node write_objects(const std::vector<Inner>& list) {
    Node node = Node::array();
    for (const Inner& item : list) node.push(write_section<Inner>(FieldsOf<Inner>::rows(), item));
    return node;
}

// A list of objects.
template<auto M>
constexpr Field<ClassOf<M>> objects(FieldInfo info) {
    using T = ClassOf<M>;
    using Value = ValueOf<M>;
    if constexpr (IsOptional<Value>::value) {
        using Inner = typename Value::value_type::value_type;
        return {info, Shape::kObjects,
                [](Reading& reading, const FieldInfo& field, T& into) {
                    if (reading.object.has(field.name))
                        into.*M = read_objects<Inner>(reading, field);
                },
                [](const T& from, const FieldInfo& field, Node& node) {
                    if (from.*M) node.set(std::string(field.name), write_objects(*(from.*M)));
                },
                describe<Inner>};
    } else {
        using Inner = typename Value::value_type;
        return {info, Shape::kObjects,
                [](Reading& reading, const FieldInfo& field, T& into) {
                    into.*M = read_objects<Inner>(reading, field);
                },
                [](const T& from, const FieldInfo& field, Node& node) {
                    if (!(from.*M).empty())
                        node.set(std::string(field.name), write_objects(from.*M));
                },
                describe<Inner>};
    }
}

// The fields of a part, standing in the same object.
template<auto M>
constexpr Field<ClassOf<M>> embedded() {
    using T = ClassOf<M>;
    using Inner = ValueOf<M>;
    return {{},
            Shape::kObject,
            [](Reading& reading, const FieldInfo&, T& into) {
                read_rows<Inner>(FieldsOf<Inner>::rows(), reading, into.*M);
            },
            [](const T& from, const FieldInfo&, Node& node) {
                write_rows<Inner>(FieldsOf<Inner>::rows(), from.*M, node);
            },
            describe<Inner>};
}

// An object in the document whose fields stand in the struct itself.
template<class T, const auto& Rows>
constexpr Field<T> group(FieldInfo info) {
    return {info, Shape::kObject,
            [](Reading& reading, const FieldInfo& field, T& into) {
                const Node* node = reading.object.member(field.name);
                if (!node && field.required) reading.object.add(field.name, "missing");
                if (!node) return;
                const ObjectAt at{*node, reading.object.path().key(field.name), reading.stored};
                read_section<T>(at, Rows, reading.findings, into);
            },
            [](const T& from, const FieldInfo& field, Node& node) {
                Node inner = write_section<T>(Rows, from);
                if (!inner.members().empty()) node.set(std::string(field.name), std::move(inner));
            },
            [] { return describe_rows<T>(Rows); }};
}

} // namespace row

} // namespace stratum::config
