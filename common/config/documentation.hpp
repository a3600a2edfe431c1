// Documentation that is printed from the tables, so that it cannot say what the code does not do:
// docs/rules.md, the field tables of docs/node-yaml.md and docs/node-yaml.schema.json. `make docs`
// writes them, `make check` compares.
#pragma once

#include <string>

namespace stratum::config {

// docs/rules.md, whole: the rows of the rule tables, in the order of judging.
std::string rules_document();

// Of docs/node-yaml.md what stands between its marks: a table for each section of the file.
std::string node_yaml_tables();

// docs/node-yaml.schema.json, a JSON Schema (2020-12) of what the reader takes: types, words,
// ranges and forms. It takes every valid file; the rules, which compare one field with another, are
// the checker's.
std::string node_yaml_schema();

} // namespace stratum::config
