// The entry of both names, firstboot and stratumctl: reads what was typed and runs that command.
#include <iostream>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/program.hpp"
#include "app/version.hpp"
#include "common/base/document.hpp"

namespace stratum::app {
namespace {

const Program& program_named(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    return name == "stratumctl" ? stratumctl_program() : firstboot_program();
}

void say_version_as_json(const Program& program) {
    Node libraries_inside = Node::array();
    for (const Library& library : libraries()) {
        Node one = Node::object();
        one.set("name", std::string(library.name));
        one.set("version", std::string(library.version));
        one.set("licence", std::string(library.licence));
        one.set("purl", std::string(library.purl));
        libraries_inside.push(std::move(one));
    }
    Node answer = Node::object();
    answer.set("program", program.name);
    answer.set("version", std::string(product_version()));
    answer.set("commit", std::string(commit()));
    answer.set("libraries", std::move(libraries_inside));
    std::cout << write_json(answer, 2) << "\n";
}

void say_version(const Program& program) {
    std::cout << program.name << " " << product_version() << " (" << commit() << ")\n";
    for (const Library& library : libraries()) {
        std::cout << "  " << library.name << " " << library.version << "\n";
    }
}

int run_program(const Program& program, const std::vector<std::string>& words) {
    const Typed typed = parse_command_line(program, words);
    if (typed.finished) return *typed.finished;
    if (typed.command != nullptr) return typed.command->run(typed.arguments);
    const bool as_json = typed.arguments.has("--json");
    if (typed.arguments.has("--version")) {
        as_json ? say_version_as_json(program) : say_version(program);
        return kExitOk;
    }
    if (typed.arguments.has("--config")) {
        return check_config(typed.arguments.value("--config"), as_json);
    }
    std::cerr << program.name << ": no command given; " << program.name << " --help lists them\n";
    return kExitUsage;
}

} // namespace
} // namespace stratum::app

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    return stratum::app::run_program(stratum::app::program_named(argv[0]), words);
}
