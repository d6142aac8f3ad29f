// The `arenite` command in a library: finds the command that is asked for, or shows help.
#include <algorithm>
#include <filesystem>
#include <set>

#include "support/output.h"
#include "support/printable.h"
#include "support/shell_text.h"
#include "support/suggest.h"
#include "support/version.h"
#include "support/working_line.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/completion.h"
#include "tools/arenite/errors.h"
#include "tools/arenite/next_line.h"
#include "tools/arenite/tool_main.h"

namespace arenite::tools {
namespace {

using Words = std::vector<std::string>;

// The first example of each command of a group.
std::string examples_of(const std::string& group) {
  std::string text;
  for (const Command* command : all_commands()) {
    if (group_of(*command) != group) continue;
    const std::string examples = command->examples;
    text += "  " + examples.substr(0, examples.find('\n')) + "\n";
  }
  return text;
}

// The page of all commands, or of those of a group.
std::string overview(const std::string& group) {
  std::string text = group.empty()
                         ? "Plans trained networks to the last byte and runs the plans.\n\n"
                           "Usage: arenite COMMAND [OPTIONS]\n\nCommands:\n"
                         : "Usage: arenite " + group + " COMMAND [OPTIONS]\n\nCommands:\n";
  constexpr size_t kNameColumns = 16;
  for (const Command* command : all_commands()) {
    if (!group.empty() && group_of(*command) != group) continue;
    std::string line = "  " + std::string(command->name) + " ";
    line.resize(std::max(line.size(), kNameColumns), ' ');
    text += line + command->summary + "\n";
  }
  if (!group.empty()) return text + "\nExamples:\n" + examples_of(group);
  text += "  help          Show this page, or that of a command\n";
  return text +
         "\nOptions:\n"
         "  -h, --help    Show this page\n"
         "  --version     Show the version\n"
         "\nExamples:\n"
         "  arenite plan model.onnx -o model.arn\n"
         "  arenite run model.arn --input image.npy --output-dir out\n"
         "  arenite help plan\n";
}

// The first file of this folder, by name, with one of the suffixes; `otherwise` where there is
// none.
std::string file_here(std::initializer_list<std::string_view> suffixes, const char* otherwise) {
  std::error_code error;
  std::string first;
  for (const auto& entry : std::filesystem::directory_iterator(".", error)) {
    const std::string name = entry.path().filename().string();
    const std::string suffix = entry.path().extension().string();
    if (std::ranges::find(suffixes, suffix) == suffixes.end()) continue;
    if (first.empty() || name < first) first = name;
  }
  return first.empty() ? otherwise : first;
}

// What somebody may try who typed no command: lines for the model of this folder, where one is.
std::string first_steps() {
  const std::string model = file_here({".onnx", ".tflite"}, "model.onnx");
  const Words found = {model};
  const std::string name = shell_text(found);
  const auto line = [](std::string command, const char* tells) {
    constexpr size_t kCommandColumns = 52;
    command.resize(std::max(command.size() + 2, kCommandColumns), ' ');
    return "  " + command + tells + "\n";
  };
  return "\nWhat to try next:\n" +
         line("arenite bench " + name, "what a run takes here, step by step") +
         line("arenite fit " + name, "which boards it fits") +
         line("arenite plan " + name + " --report html > plan.html",
              "where each byte lies, and when") +
         line("arenite doctor", "which GPUs and boards can be used here");
}

Words names_of_commands() {
  std::set<std::string> names = {"help"};
  for (const Command* command : all_commands()) {
    names.insert(command->name);
    if (const std::string group = group_of(*command); !group.empty()) names.insert(group);
  }
  return {names.begin(), names.end()};
}

std::string where_help_is(const std::string& line) { return "Try 'arenite --help'. " + line; }

std::string plan_example(const Words& typed) {
  return where_help_is(example_text("arenite plan", {"model.onnx"}, typed));
}

// The line with the nearest command in the place of the first `count` words, with the page of that
// command where nothing follows; else an example.
std::string hint_with_nearest(const Words& words, const std::string& typed, size_t count) {
  const Words names = names_of_commands();
  const std::string* meant = nearest(typed, names);
  if (meant == nullptr) return plan_example(words);
  if (words.size() == count) return where_help_is("A line that works: arenite help " + *meant);
  const Words rest(words.begin() + static_cast<ptrdiff_t>(count), words.end());
  return where_help_is("A line that works: arenite " + *meant + " " + shell_text(rest));
}

[[noreturn]] void fail_unknown(const Words& words) {
  const std::string& first = words.front();
  if (first.starts_with("-")) {
    throw UsageError("unknown option " + quote(first) + "; options follow the command",
                     plan_example(words));
  }
  const auto in_group = [&first](const Command* command) { return group_of(*command) == first; };
  std::string typed = first;
  const bool group = std::ranges::any_of(all_commands(), in_group) && words.size() > 1;
  if (group) typed += " " + words[1];
  throw UsageError("unknown command " + quote(typed) + did_you_mean(typed, names_of_commands()),
                   hint_with_nearest(words, typed, group ? 2 : 1));
}

bool is_group(const std::string& word) {
  return std::ranges::any_of(all_commands(),
                             [&](const Command* command) { return group_of(*command) == word; });
}

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

int show(const std::string& page) {
  print_text(page);
  return kDone;
}

int run_command(const Command& command, const Words& words, std::string* next = nullptr) {
  Options options(usage_name(command), command.summary, command.examples);
  const std::function<int()> run = command.declare(options);
  if (!options.parse(words)) return show(options.help());
  try {
    return run();
  } catch (const std::exception& error) {
    if (next != nullptr) *next = next_line(command, options, error);
    throw;
  }
}

// `arenite help [COMMAND]`
int show_help(const Words& topic) {
  size_t count = 0;
  if (topic.empty() || topic[0] == "help") return show(overview(""));
  if (const Command* command = find_command(topic, count)) return run_command(*command, {"--help"});
  if (topic.size() == 1 && is_group(topic[0])) return show(overview(topic[0]));
  fail_unknown(topic);
}

}  // namespace

int run_words(const Words& words, std::string* next) {
  if (words.empty()) throw UsageError("expected a command", "\n" + overview("") + first_steps());
  if (asks_for_help(words[0])) return show(overview(""));
  if (words[0] == "help") return show_help({words.begin() + 1, words.end()});
  if (words[0] == "complete") return show_completions({words.begin() + 1, words.end()});
  if (words[0] == "--version") return show(std::string("arenite ") + kVersion + "\n");
  size_t count = 0;
  if (const Command* command = find_command(words, count)) {
    return run_command(*command, {words.begin() + static_cast<ptrdiff_t>(count), words.end()},
                       next);
  }
  if (is_group(words[0])) {
    if (words.size() == 1) throw UsageError("expected a command", "\n" + overview(words[0]));
    if (asks_for_help(words[1])) return show(overview(words[0]));
  }
  fail_unknown(words);
}

}  // namespace arenite::tools

extern "C" int arenite_tool_main(int argc, char** argv) {
  arenite::prepare_standard_streams();
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool json = std::ranges::find(words, "--json") != words.end();
  std::string next;
  return arenite::tools::report_errors(json, next,
                                       [&] { return arenite::tools::run_words(words, &next); });
}
// SPDX-License-Identifier: Apache-2.0
