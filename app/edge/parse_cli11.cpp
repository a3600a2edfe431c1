#include "app/parse.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>

#include "common/base/text.hpp"

namespace stratum::app {
namespace {

// Where CLI11 puts what it finds, per option or argument of the command that was typed.
using Slots =
    std::map<std::string, std::pair<CLI::Option*, std::shared_ptr<std::vector<std::string>>>>;

void add_option(CLI::App& app, const OptionSpec& option, Slots& slots) {
    auto values = std::make_shared<std::vector<std::string>>();
    CLI::Option* added = nullptr;
    if (option.value.empty()) {
        added = app.add_flag(option.name, option.help);
    } else {
        added = app.add_option(option.name, *values, option.help)
                    ->type_name(option.value)
                    ->allow_extra_args(false);
        if (!option.repeatable)
            added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    }
    slots[option.name] = {added, values};
}

void add_argument(CLI::App& app, const ArgumentSpec& argument, Slots& slots) {
    auto values = std::make_shared<std::vector<std::string>>();
    CLI::Option* added =
        app.add_option(argument.name, *values, argument.help)->type_name("")->expected(1);
    slots[argument.name] = {added, values};
}

// The sub-command at this path, its parents made where they are not there yet.
CLI::App& at_path(CLI::App& root, const std::string& path, const std::string& summary) {
    CLI::App* here = &root;
    for (const std::string& word : words(path)) {
        const auto there =
            here->get_subcommands([&word](const CLI::App* one) { return one->get_name() == word; });
        here = there.empty() ? here->add_subcommand(word) : there.front();
    }
    here->description(summary);
    return *here;
}

std::string footer_of(const CommandSpec& command) {
    std::string footer;
    if (!command.details.empty()) footer += command.details + "\n\n";
    footer += "Example:";
    for (const auto& line : split(command.example, '\n')) footer += "\n  " + line;
    return footer;
}

struct Row {
    const CommandSpec* command = nullptr;
    CLI::App* app = nullptr;
    Slots slots;
};

Arguments take(const Slots& slots) {
    Arguments arguments;
    for (const auto& [name, slot] : slots) {
        if (slot.first->count() != 0) arguments.set(name, *slot.second);
    }
    return arguments;
}

// Asked of the command that was typed alone: CLI11 would also ask the commands above it.
std::vector<std::string> missing_in(const Row& row) {
    std::vector<std::string> missing;
    const auto note = [&](const std::string& name, bool required) {
        if (required && row.slots.at(name).first->count() == 0) missing.push_back(name);
    };
    for (const ArgumentSpec& one : row.command->arguments) note(one.name, one.required);
    for (const OptionSpec& option : row.command->options) note(option.name, option.required);
    return missing;
}

const Row* deepest_parsed(const std::vector<Row>& rows) {
    const Row* found = nullptr;
    for (const Row& row : rows) {
        if (!row.app->parsed()) continue;
        if (found == nullptr || row.command->path.size() > found->command->path.size())
            found = &row;
    }
    return found;
}

// A group of commands alone ("stratumctl admin") is a question for its help.
int show_help_of_group(const CLI::App& root) {
    const CLI::App* here = &root;
    while (!here->get_subcommands().empty()) here = here->get_subcommands().front();
    std::cerr << here->help();
    return kExitUsage;
}

} // namespace

Typed parse_command_line(const Program& program, const std::vector<std::string>& typed_words) {
    CLI::App root(program.summary, program.name);
    root.set_help_flag("-h,--help", "Say what there is, with an example");
    root.require_subcommand(0, 1);
    Slots own;
    for (const OptionSpec& option : program.options) add_option(root, option, own);
    std::vector<Row> rows;
    for (const CommandSpec& command : program.commands) {
        Row row{&command, &at_path(root, command.path, command.summary), {}};
        for (const OptionSpec& option : command.options) add_option(*row.app, option, row.slots);
        for (const ArgumentSpec& one : command.arguments) add_argument(*row.app, one, row.slots);
        row.app->footer(footer_of(command));
        rows.push_back(std::move(row));
    }
    try {
        std::vector<std::string> backwards(typed_words.rbegin(), typed_words.rend());
        root.parse(std::move(backwards));
    } catch (const CLI::ParseError& error) {
        const bool is_help = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
        (void)root.exit(error, std::cout, std::cerr);
        return {nullptr, {}, is_help ? kExitOk : kExitUsage};
    }
    if (const Row* row = deepest_parsed(rows); row != nullptr) {
        const auto missing = missing_in(*row);
        if (missing.empty()) return {row->command, take(row->slots), {}};
        std::cerr << program.name << " " << row->command->path << ": " << join(missing, ", ")
                  << (missing.size() == 1 ? " is" : " are")
                  << " required\nRun with --help for more.\n";
        return {nullptr, {}, kExitUsage};
    }
    if (!root.get_subcommands().empty()) return {nullptr, {}, show_help_of_group(root)};
    return {nullptr, take(own), {}};
}

} // namespace stratum::app
