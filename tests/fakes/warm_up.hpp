// yaml-cpp keeps tables that it makes at first use and never gives back. They are made here, before
// the first test, so that the leak detector blames no test for them.
#pragma once

#include "common/base/document.hpp"

namespace stratum::fakes {

inline void warm_up() {
    for (const char* text : {"# c\n? [a, {b: c}]\n: - \"\\u00e9\"\n  - 'x'\n  - |+2\n      y\n"
                             "  - >-\n    z\nd: &a !!str e\nf: *a\n<<: ~\n...\n--- n\n",
                             "- &a !!b c\n- *a\n- !d e\n- !<f> g\n- |2\n   h\n- >-\n  i\n"
                             "- {j: k, l}\n...\n--- m",
                             "!", "\"\\q\""}) {
        parse_yaml(text);
    }
    write_yaml(Node::object({{"a", Node::string("x y")}}));
}

} // namespace stratum::fakes
