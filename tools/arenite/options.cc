// Declares, parses and explains arguments with CLI11.
#include "tools/arenite/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>

#include "support/printable.h"
#include "support/shell_text.h"
#include "support/suggest.h"
#include "support/working_line.h"
#include "tools/arenite/errors.h"

namespace arenite::tools {
namespace {

constexpr size_t kPageColumns = 100;
constexpr size_t kNameColumns = 30;

// `text` in lines of a page whose first `indent` columns are taken.
std::string wrapped(const std::string& text, size_t indent) {
  std::string lines;
  size_t column = indent;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (column != indent && column + 1 + end - begin > kPageColumns) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column != indent) lines += ' ';
    column += end - begin + (column != indent ? 1 : 0);
    lines += text.substr(begin, end - begin);
    begin = end + 1;
  }
  return lines;
}

// CLI11's page with its texts wrapped.
class HelpPage : public CLI::Formatter {
 public:
  HelpPage() { label("Positionals", "Arguments"); }

  std::string make_description(const CLI::App* app) const override {
    return app->get_description() + "\n\n";
  }

  std::string make_option_name(const CLI::Option* option, bool by_place) const override {
    std::string name = CLI::Formatter::make_option_name(option, by_place);
    if (const size_t comma = name.find(','); comma != std::string::npos) {
      name.insert(comma + 1, " ");
    }
    return name;
  }

  std::string make_option(const CLI::Option* option, bool by_place) const override {
    std::string name = "  " + make_option_name(option, by_place);
    if (by_place && option->get_expected_max() > 1) name += "...";
    if (!by_place && option->get_type_size() != 0) name += " " + option->get_type_name();
    std::string text = make_option_desc(option);
    if (!option->get_default_str().empty()) {
      text += " (default: " + option->get_default_str() + ")";
    }
    if (!by_place && option->get_required()) text += " (required)";
    const bool beside = name.size() + 2 <= kNameColumns;
    name += beside ? std::string(kNameColumns - name.size(), ' ')
                   : "\n" + std::string(kNameColumns, ' ');
    return name + wrapped(text, kNameColumns) + "\n";
  }
};

std::string number_problem(const std::string& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool read = end == text.data() + text.size();
  if (read && error == std::errc::result_out_of_range) {
    return "expected a number below 2^64, found " + text;
  }
  return read && error == std::errc{} ? "" : "expected a whole number, found " + quote(text);
}

std::string real_problem(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool real = error == std::errc{} && end == text.data() + text.size();
  return real ? "" : "expected a number, found " + quote(text);
}

// Every name an option goes by, with its dashes.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  return {std::istream_iterator<std::string>(text), {}};
}

// The error about the first word that no argument took; "" if there is none.
std::string leftover_problem(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("-") && word != "-" && word != "--";
  });
  if (option != words.end()) {
    const std::string name = option->substr(0, option->find('='));
    return "unknown option " + quote(name) + did_you_mean(name, option_names(app));
  }
  return words.empty() ? "" : "unexpected argument " + quote(words.front());
}

// An option that is given too often, or without its value: CLI11 says which in its first words.
std::string count_problem(const CLI::App& app, const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) return text;
  if (option->count() > 1) {
    return name + ": expected once, found " + std::to_string(option->count()) + " times";
  }
  return name + ": expected a value, " + name + " " + option->get_type_name();
}

// CLI11's error in our words.
std::string problem_text(const CLI::App& app, const CLI::ParseError& error) {
  std::string leftover = leftover_problem(app);
  if (!leftover.empty()) return leftover;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return count_problem(app, error.what());
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    constexpr std::string_view kBetween = " excludes ";
    std::string text = error.what();
    text.replace(text.find(kBetween), kBetween.size(), " and ");
    return text + " exclude each other";
  }
  return error.what();
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::value_name(const char* name) {
  option_->type_name(name);
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::one_of(std::vector<std::string> choices) {
  (*choices_)[option_] = choices;
  return check([choices = std::move(choices)](const std::string& text) {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return std::string();
    return "expected " + listed(choices) + ", found " + quote(text) + did_you_mean(text, choices);
  });
}

Option& Option::range(uint64_t min, uint64_t max) {
  return check([min, max](const std::string& text) {
    uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (number >= min && number <= max) return std::string();
    return "expected " + std::to_string(min) + " to " + std::to_string(max) + ", found " + text;
  });
}

Option& Option::check(const std::function<std::string(const std::string&)>& problem) {
  option_->check([problem](const std::string& text) { return problem(text); });
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Options::Options(const std::string& usage_name, const char* summary, const char* examples)
    : app_(std::make_unique<CLI::App>(std::string(summary) + ".", usage_name)) {
  app_->formatter(std::make_shared<HelpPage>());
  app_->allow_extras();  // parse() tells of them, with what may have been meant
  app_->get_help_ptr()->description("Show this page");
  const std::string_view all = examples;
  example_ = all.substr(0, all.find('\n'));
  std::string footer = "Examples:\n";
  for (std::string_view rest = examples; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    footer += "  " + std::string(rest.substr(0, end)) + "\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  footer.pop_back();
  app_->footer(footer);
}

Options::~Options() = default;

Option Options::add(const char* names, std::string& value, const std::string& help) {
  return declared(app_->add_option(names, value, help));
}

Option Options::add(const char* names, std::vector<std::string>& values, const std::string& help) {
  CLI::Option* option = app_->add_option(names, values, help);
  if (option->nonpositional()) option->allow_extra_args(false);
  return declared(option);
}

Option Options::add(const char* names, uint32_t& value, const std::string& help) {
  return declared(app_->add_option(names, value, help)).value_name("N").check(number_problem);
}

Option Options::add(const char* names, uint64_t& value, const std::string& help) {
  return declared(app_->add_option(names, value, help)).value_name("N").check(number_problem);
}

Option Options::add(const char* names, double& value, const std::string& help) {
  return declared(app_->add_option(names, value, help)).value_name("X").check(real_problem);
}

Option Options::add(const char* names, std::optional<uint64_t>& value, const std::string& help) {
  return declared(app_->add_option(names, value, help)).value_name("N").check(number_problem);
}

Option Options::add(const char* names, std::optional<double>& value, const std::string& help) {
  return declared(app_->add_option(names, value, help)).value_name("X").check(real_problem);
}

Option Options::add(const char* names, bool& flag, const std::string& help) {
  return declared(app_->add_flag(names, flag, help));
}

bool Options::parse(const std::vector<std::string>& words) {
  words_ = words;
  std::string problem;
  try {
    std::vector<std::string> from_the_end(words.rbegin(), words.rend());
    app_->parse(from_the_end);
    problem = leftover_problem(*app_);
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& error) {
    problem = problem_text(*app_, error);
  }
  if (problem.empty()) return true;
  const std::string line = corrected_line(words);
  if (line.empty()) throw UsageError(problem, where_help_is());
  throw UsageError(problem, "Try '" + app_->get_name() + " --help'. A line that works: " + line);
}

std::string Options::where_help_is() const {
  const std::string name = app_->get_name();
  const std::string page = "Try '" + name + " --help'.";
  if (!example_.starts_with(name)) return page;  // options that are no command's
  return page + " " + example_text(name, words_of(example_.substr(name.size())), words_);
}

// A mistyped option or choice is replaced by the nearest, and all is read again: there may be
// other mistakes.
std::string Options::corrected_line(const std::vector<std::string>& words) {
  std::vector<std::string> better = words;
  better.insert(better.begin(), app_->get_name());
  const auto correct = [&better](const std::string& word, std::span<const std::string> choices) {
    const std::string* meant = nearest(word, choices);
    if (meant != nullptr) better = replaced(better, word, *meant);
    return meant != nullptr && !better.empty();
  };
  bool any = false;
  for (const std::string& word : app_->remaining()) {
    if (word.starts_with("-") && word != "-" && word != "--") {
      any = correct(word.substr(0, word.find('=')), option_names(*app_)) || any;
    }
  }
  for (const auto& [option, choices] : choices_) {
    for (const std::string& word : option->results()) {
      if (std::ranges::find(choices, word) == choices.end()) any = correct(word, choices) || any;
    }
  }
  if (!any || better.empty()) return "";
  better.erase(better.begin());
  try {
    app_->parse(std::vector<std::string>(better.rbegin(), better.rend()));
  } catch (const CLI::ParseError&) {
    return "";
  }
  return leftover_problem(*app_).empty() ? app_->get_name() + " " + shell_text(better) : "";
}

std::string Options::help() const { return app_->help(); }

Candidates Options::candidates(const std::vector<std::string>& words) const {
  Candidates found;
  if (words.size() > 1) {
    const std::string& before = words[words.size() - 2];
    const CLI::Option* option =
        before.starts_with("-") ? app_->get_option_no_throw(before) : nullptr;
    if (option != nullptr && option->get_type_size() != 0) {
      found.value_of = option->get_name();
      const auto choices = choices_.find(option);
      if (choices == choices_.end()) return found;
      for (const std::string& choice : choices->second) found.words.push_back({choice, ""});
      return found;
    }
  }
  if (words.empty() || !words.back().starts_with("-")) return found;
  for (const CLI::Option* option : app_->get_options()) {
    const std::string& help = option->get_description();
    for (const std::string& name : option->get_lnames()) found.words.push_back({"--" + name, help});
    for (const std::string& name : option->get_snames()) found.words.push_back({"-" + name, help});
  }
  return found;
}

std::string Options::command_line() const {
  return app_->get_name() + (words_.empty() ? "" : " " + shell_text(words_));
}

std::vector<std::string> Options::command_words() const {
  std::vector<std::string> words = words_of(app_->get_name());
  words.insert(words.end(), words_.begin(), words_.end());
  return words;
}

std::vector<std::string> Options::files() const {
  std::vector<std::string> files;
  for (const CLI::Option* option : app_->get_options()) {
    if (!option->get_positional()) continue;
    files.insert(files.end(), option->results().begin(), option->results().end());
  }
  return files;
}

std::string Options::line_of(const Options& other) const {
  std::vector<std::string> words = files();
  for (const CLI::Option* option : app_->get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || option->get_positional() || name == "--json") continue;
    const CLI::Option* same = other.app_->get_option_no_throw(name);
    if (same == nullptr || same->get_type_size() != option->get_type_size()) continue;
    for (const std::string& result : option->results()) {
      words.push_back(name);
      if (option->get_type_size() != 0) words.push_back(result);
    }
  }
  return other.app_->get_name() + " " + shell_text(words);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
