// Shell completion and man pages, printed from the same table that the parser reads.
#include <algorithm>
#include <iostream>

#include "app/commands.hpp"
#include "app/program.hpp"
#include "common/base/text.hpp"

namespace stratum::app {
namespace {

// The words that may follow `path` in this program.
std::vector<std::string> next_words(const Program& program, const std::string& path) {
    std::vector<std::string> found;
    const std::string before = path.empty() ? "" : path + " ";
    for (const CommandSpec& command : program.commands) {
        if (command.path == path) {
            for (const OptionSpec& option : command.options) found.push_back(option.name);
            found.push_back("--help");
        }
        if (command.path.substr(0, before.size()) != before || command.path == path) continue;
        const std::string rest = command.path.substr(before.size());
        found.push_back(rest.substr(0, rest.find(' ')));
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::vector<std::string> paths_of(const Program& program) {
    std::vector<std::string> paths = {""};
    for (const CommandSpec& command : program.commands) {
        std::string path;
        for (const std::string& word : words(command.path)) {
            path += path.empty() ? word : " " + word;
            if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
        }
    }
    return paths;
}

void print_bash(const Program& program) {
    std::cout << "_" << program.name << "() {\n  local path= word\n"
              << "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
              << "    case $word in -*) ;; *) path=\"${path:+$path }$word\" ;; esac\n  done\n"
              << "  local next=\n  case $path in\n";
    for (const std::string& path : paths_of(program)) {
        std::cout << "    \"" << path << "\") next=\"" << join(next_words(program, path), " ")
                  << "\" ;;\n";
    }
    std::cout << "  esac\n  COMPREPLY=($(compgen -W \"$next\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
              << "}\ncomplete -o default -F _" << program.name << " " << program.name << "\n";
}

// roff takes a leading dot or quote for a request, and a hyphen for a hyphenation point.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '-' || c == '\\') out += '\\';
        out += c;
    }
    return !out.empty() && (out.front() == '.' || out.front() == '\'') ? "\\&" + out : out;
}

void print_command_man(const Program& program, const CommandSpec& command) {
    std::cout << ".SS " << program.name << " " << roff(command.path);
    for (const ArgumentSpec& one : command.arguments) std::cout << " " << roff(one.name);
    std::cout << "\n" << roff(command.summary) << ".\n";
    if (!command.details.empty()) std::cout << ".PP\n" << roff(command.details) << "\n";
    for (const ArgumentSpec& one : command.arguments) {
        std::cout << ".TP\n.I " << roff(one.name) << "\n" << roff(one.help) << "\n";
    }
    for (const OptionSpec& option : command.options) {
        std::cout << ".TP\n.BR " << roff(option.name);
        if (!option.value.empty()) std::cout << " \" \" " << roff(option.value);
        std::cout << "\n" << roff(option.help) << "\n";
    }
    std::cout << ".PP\nExample:\n.PP\n.RS\n.nf\n";
    for (const auto& line : split(command.example, '\n')) std::cout << roff(line) << "\n";
    std::cout << ".fi\n.RE\n";
}

void print_man(const Program& program) {
    std::cout << ".TH " << upper(program.name) << " 8\n.SH NAME\n"
              << program.name << " \\- " << roff(program.summary) << "\n.SH COMMANDS\n";
    for (const CommandSpec& command : program.commands) print_command_man(program, command);
    std::cout << ".SH EXIT STATUS\n0: done. 1: refused or failed. 2: what was typed, or the file "
                 "given, is wrong. 3: nobody could be asked.\n";
}

const Program& program_of(const Arguments& arguments) {
    return arguments.value("PROGRAM") == "stratumctl" ? stratumctl_program() : firstboot_program();
}

ArgumentSpec program_argument() {
    return {"PROGRAM", "firstboot (the default) or stratumctl", false};
}

} // namespace

CommandSpec completion_command() {
    return {.path = "completion",
            .summary = "Print the completion for bash",
            .details = "",
            .arguments = {program_argument()},
            .options = {},
            .example = "firstboot completion stratumctl > /etc/bash_completion.d/stratumctl",
            .run = [](const Arguments& arguments) {
                print_bash(program_of(arguments));
                return kExitOk;
            }};
}

CommandSpec man_command() {
    return {.path = "man",
            .summary = "Print the manual page, as roff",
            .details = "",
            .arguments = {program_argument()},
            .options = {},
            .example = "firstboot man | man -l -",
            .run = [](const Arguments& arguments) {
                print_man(program_of(arguments));
                return kExitOk;
            }};
}

} // namespace stratum::app
