// yaml-cpp keeps tables that it makes at first use and never gives back. They are made here, before
// the first test, so that no test is blamed for them by the leak detector.
#include "common/base/document.hpp"

namespace {

[[maybe_unused]] const bool kIsWarm = [] {
    static constexpr const char* kEveryToken =
        "# c\n? [a, {b: c}]\n: - \"\\u00e9\"\n  - 'x'\n  - |+2\n      y\n  - >-\n    z\n"
        "d: &a !!str e\nf: *a\n<<: ~\ng: !h i\nj: !<k> l\n- : m\n...\n--- n\n";
    stratum::parse_yaml(kEveryToken);
    stratum::parse_yaml(
        "- &a !!b c\n- *a\n- !d e\n- !<f> g\n- |2\n   h\n- >-\n  i\n- {j: k, l}\n...\n--- m");
    stratum::parse_yaml("!");
    stratum::parse_yaml("\"\\q\"");
    stratum::write_yaml(stratum::Node::object({{"a", stratum::Node::string("x y")}}));
    return true;
}();

} // namespace
