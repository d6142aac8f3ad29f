// Declares the arguments of a command. Only options.cc includes the library that parses them: it
// compiles slowly.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace arenite::tools {

// The words that an option takes, of options that take no others.
using OptionChoices = std::map<const CLI::Option*, std::vector<std::string>>;

// One argument, as declared: what else there is to say about it.
class Option {
 public:
  Option(CLI::Option* option, OptionChoices& choices) : option_(option), choices_(&choices) {}

  Option& required();
  Option& value_name(const char* name);  // what --help calls the value: FILE
  Option& shows_default();               // what the variable holds now, in --help
  Option& one_of(std::vector<std::string> choices);
  Option& range(uint64_t min, uint64_t max);
  // `problem` says what is wrong with the text: "expected ..., found ..."; nothing: "".
  Option& check(const std::function<std::string(const std::string& text)>& problem);
  Option& excludes(const Option& other);  // the two cannot be given together

 private:
  CLI::Option* option_;
  OptionChoices* choices_;
};

// A word that may stand where a command line ends.
struct Candidate {
  std::string word;
  std::string help;  // may be empty
};

// What may stand there.
struct Candidates {
  std::vector<Candidate> words;
  std::string value_of;  // "--board", where the line ends with that option's value
};

// The arguments of one command. Each goes into a variable of the command's, which must outlive
// parse().
class Options {
 public:
  // `usage_name` is "arenite plan"; `examples` are lines, the commands in them without indent.
  Options(const std::string& usage_name, const char* summary, const char* examples);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // `names` is "--board", "-o", "-v,--verbose", or "MODEL" for an argument that goes by its place.
  // A vector takes one value each time its option is given; by place, all that are left. Numbers
  // are checked to be some.
  Option add(const char* names, std::string& value, const std::string& help);
  Option add(const char* names, std::vector<std::string>& values, const std::string& help);
  Option add(const char* names, uint32_t& value, const std::string& help);
  Option add(const char* names, uint64_t& value, const std::string& help);
  Option add(const char* names, double& value, const std::string& help);
  Option add(const char* names, std::optional<uint64_t>& value, const std::string& help);
  Option add(const char* names, std::optional<double>& value, const std::string& help);
  Option add(const char* names, bool& flag, const std::string& help);  // takes no value

  // False when help is asked for. Throws UsageError that says what is wrong, what may have been
  // meant, and where help is.
  bool parse(const std::vector<std::string>& words);
  std::string help() const;
  // "Try 'arenite plan --help'. A line that works: ..."; with the files of what parse() read.
  std::string where_help_is() const;
  // What the last of `words`, which may be a part of a word or empty, may become. None where it is
  // the name of a file.
  Candidates candidates(const std::vector<std::string>& words) const;
  // The command as one would type it; of what parse() read.
  std::string command_line() const;
  // The same in words: "arenite", "plan", and those that parse() read.
  std::vector<std::string> command_words() const;
  std::vector<std::string> files() const;  // the arguments by place, of what parse() read
  // Another command's line, with the files and options of what parse() read that it takes too.
  std::string line_of(const Options& other) const;

 private:
  std::string corrected_line(const std::vector<std::string>& words);  // empty: none
  Option declared(CLI::Option* option) { return {option, choices_}; }

  std::unique_ptr<CLI::App> app_;
  OptionChoices choices_;
  std::string example_;  // the first
  std::vector<std::string> words_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
