// What can be typed, as a table: the parser, --help, the man pages and the shell completion all
// come from it. A command is one row; its function gets what was typed, already checked against the
// row.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stratum {

// Exit codes, the same for every command.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;      // refused, or it went wrong; standard error says why
inline constexpr int kExitUsage = 2;       // what was typed, or the file given, is wrong
inline constexpr int kExitUnreachable = 3; // nobody could be asked

struct OptionSpec {
    std::string name;  // "--state"
    std::string value; // "DIR"; empty: a flag without a value
    std::string help;  // one sentence
    bool required = false;
    bool repeatable = false;
};

struct ArgumentSpec {
    std::string name; // "JOIN-ID"
    std::string help;
    bool required = true;
};

// What was typed for one command.
class Arguments {
public:
    void set(const std::string& name, std::vector<std::string> values) {
        values_[name] = std::move(values);
    }
    // A flag that was given, or an option or argument with a value.
    [[nodiscard]] bool has(const std::string& name) const { return values_.count(name) != 0; }
    // The (last) value; empty where it was not given.
    [[nodiscard]] std::string value(const std::string& name) const {
        const auto at = values_.find(name);
        return at == values_.end() || at->second.empty() ? std::string() : at->second.back();
    }
    [[nodiscard]] std::string value_or(const std::string& name, const std::string& other) const {
        return has(name) ? value(name) : other;
    }
    [[nodiscard]] std::vector<std::string> all(const std::string& name) const {
        const auto at = values_.find(name);
        return at == values_.end() ? std::vector<std::string>() : at->second;
    }

private:
    std::map<std::string, std::vector<std::string>> values_;
};

struct CommandSpec {
    std::string path;    // "founder init"; words apart by one space
    std::string summary; // one sentence
    std::string details; // paragraphs for --help and the man page; may be empty
    std::vector<ArgumentSpec> arguments;
    std::vector<OptionSpec> options;
    std::string example;                      // a whole line as it is typed
    std::function<int(const Arguments&)> run; // the exit code
};

} // namespace stratum
