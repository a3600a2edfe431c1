// What can be typed: the parser against the tables, and the tables themselves.
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/parse.hpp"
#include "app/program.hpp"
#include "common/base/text.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::app;

namespace {

// Made before any test, so that what they keep for good is nobody's leak.
const Program& g_firstboot = firstboot_program();
const Program& g_stratumctl = stratumctl_program();

// What a piece of code says on the two standard streams.
class Said {
public:
    Said()
        : out_before_(std::cout.rdbuf(out_.rdbuf())), err_before_(std::cerr.rdbuf(err_.rdbuf())) {}
    ~Said() {
        std::cout.rdbuf(out_before_);
        std::cerr.rdbuf(err_before_);
    }
    Said(const Said&) = delete;
    Said& operator=(const Said&) = delete;
    [[nodiscard]] std::string out() const { return out_.str(); }
    [[nodiscard]] std::string err() const { return err_.str(); }

private:
    std::ostringstream out_, err_;
    std::streambuf* out_before_;
    std::streambuf* err_before_;
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Program small_program() {
    Program program{"tool", "A tool for tests", {}, {{"--version", "", "Say what it is"}}};
    program.commands.push_back({.path = "serve",
                                .summary = "Serve",
                                .details = "",
                                .arguments = {},
                                .options = {{"--state", "DIR", "Where", true}},
                                .example = "tool serve --state d",
                                .run = {}});
    program.commands.push_back(
        {.path = "serve init",
         .summary = "Make one",
         .details = "",
         .arguments = {{"NAME", "Its name"}, {"MORE", "Not needed", false}},
         .options = {{"--to", "HOST", "Where to", false, true}, {"--json", "", "As JSON"}},
         .example = "tool serve init a",
         .run = {}});
    return program;
}

} // namespace

TEST_GROUP(CommandLine) {
    const Program program = small_program();
};

TEST(CommandLine, a_command_gets_its_options) {
    const Typed typed = parse_command_line(program, {"serve", "--state", "d"});
    CHECK(typed.command != nullptr);
    STRCMP_EQUAL("serve", typed.command->path.c_str());
    STRCMP_EQUAL("d", typed.arguments.value("--state").c_str());
}

TEST(CommandLine, a_longer_command_is_not_taken_for_its_beginning) {
    const Typed typed =
        parse_command_line(program, {"serve", "init", "a", "--to", "x", "--to", "y", "--json"});
    CHECK(typed.command != nullptr);
    STRCMP_EQUAL("serve init", typed.command->path.c_str());
    STRCMP_EQUAL("a", typed.arguments.value("NAME").c_str());
    LONGS_EQUAL(2, typed.arguments.all("--to").size());
    CHECK(typed.arguments.has("--json"));
    CHECK(!typed.arguments.has("MORE"));
}

TEST(CommandLine, a_missing_required_option_is_said) {
    const Said said;
    const Typed typed = parse_command_line(program, {"serve"});
    LONGS_EQUAL(kExitUsage, *typed.finished);
    CHECK(has(said.err(), "--state"));
    STRCMP_EQUAL("", said.out().c_str());
}

TEST(CommandLine, a_missing_argument_is_said) {
    const Said said;
    LONGS_EQUAL(kExitUsage, *parse_command_line(program, {"serve", "init"}).finished);
    CHECK(has(said.err(), "NAME"));
}

TEST(CommandLine, what_nobody_knows_is_refused) {
    const Said said;
    LONGS_EQUAL(kExitUsage, *parse_command_line(program, {"serve", "--sate", "d"}).finished);
    LONGS_EQUAL(kExitUsage, *parse_command_line(program, {"sreve"}).finished);
    LONGS_EQUAL(kExitUsage,
                *parse_command_line(program, {"serve", "init", "a", "b", "c"}).finished);
}

TEST(CommandLine, an_option_given_twice_is_refused_unless_repeatable) {
    const Said said;
    const std::vector<std::string> twice = {"serve", "--state", "d", "--state", "e"};
    LONGS_EQUAL(kExitUsage, *parse_command_line(program, twice).finished);
}

TEST(CommandLine, help_is_no_mistake_and_has_the_example) {
    const Said said;
    LONGS_EQUAL(kExitOk, *parse_command_line(program, {"serve", "init", "--help"}).finished);
    CHECK(has(said.out(), "tool serve init a"));
    STRCMP_EQUAL("", said.err().c_str());
}

TEST(CommandLine, the_program_itself_has_options) {
    const Typed typed = parse_command_line(program, {"--version"});
    CHECK(typed.command == nullptr);
    CHECK(!typed.finished);
    CHECK(typed.arguments.has("--version"));
}

TEST_GROUP(CommandTables){void check(const Program& program){std::set<std::string> paths;
for (const CommandSpec& command : program.commands) {
    const char* path = command.path.c_str();
    CHECK_TRUE_TEXT(paths.insert(command.path).second, path);
    CHECK_TRUE_TEXT(!command.summary.empty() && command.summary.back() != '.', path);
    CHECK_TRUE_TEXT(static_cast<bool>(command.run), path);
    CHECK_TRUE_TEXT(!command.example.empty(), path);
    for (const OptionSpec& option : command.options) {
        CHECK_TRUE_TEXT(option.name.substr(0, 2) == "--" && !option.help.empty(), path);
    }
}
}
}
;

TEST(CommandTables, every_row_is_whole) {
    check(g_firstboot);
    check(g_stratumctl);
}

// The words of one line as a shell hands them over, up to a pipe or a redirection.
static std::vector<std::string> typed_words(const std::string& example) {
    std::vector<std::string> typed;
    for (std::string& word : words(example.substr(0, example.find_first_of(">|")))) {
        if (word.front() != '\'') typed.push_back(word);
        if (word.front() == '\'') typed.push_back("quoted");
        if (word.front() == '\'') break;
    }
    typed.erase(typed.begin());
    return typed;
}

TEST(CommandTables, every_example_is_lines_that_parse) {
    for (const Program* program : {&g_firstboot, &g_stratumctl}) {
        for (const CommandSpec& command : program->commands) {
            for (const std::string& line : split(command.example, '\n')) {
                auto typed = typed_words(line);
                const Said said;
                const bool is_alias = command.path.substr(0, 4) == "ctl ";
                if (is_alias) typed.insert(typed.begin(), "ctl");
                const Typed parsed = parse_command_line(*program, typed);
                CHECK_TRUE_TEXT(parsed.command != nullptr, line.c_str());
                STRCMP_EQUAL(command.path.c_str(), parsed.command->path.c_str());
            }
        }
    }
}

TEST(CommandTables, the_manual_and_the_completion_know_every_command) {
    const Said said;
    Arguments of_ctl;
    of_ctl.set("PROGRAM", {"stratumctl"});
    LONGS_EQUAL(kExitOk, man_command().run(of_ctl));
    LONGS_EQUAL(kExitOk, completion_command().run(of_ctl));
    for (const CommandSpec& command : g_stratumctl.commands) {
        std::string escaped;
        for (const char c : command.path) escaped += c == '-' ? "\\-" : std::string(1, c);
        CHECK_TRUE_TEXT(has(said.out(), ".SS stratumctl " + escaped), command.path.c_str());
        CHECK_TRUE_TEXT(has(said.out(), "\"" + command.path + "\")"), command.path.c_str());
    }
}
