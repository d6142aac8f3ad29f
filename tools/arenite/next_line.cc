// Looks for the best line: the user's own with one word corrected, else another command that shows
// more about the same files, else the page of the command.
#include "tools/arenite/next_line.h"

#include <filesystem>
#include <span>

#include "planner/graph/obstacles.h"
#include "planner/plan.h"
#include "support/content.h"
#include "support/file.h"
#include "support/word_errors.h"
#include "support/working_line.h"
#include "tools/arenite/errors.h"
#include "tools/run/device_error.h"
#include "tools/run/inputs_error.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

using Words = std::vector<std::string>;

// Null: none. `files` are those of the line that failed.
const Command* what_shows_more(const std::exception& error, std::span<const std::string> files) {
  const bool one = files.size() == 1;
  // What is missing on each board; what takes each operator; the inputs that there are.
  if (dynamic_cast<const planner::DoesNotFitError*>(&error) != nullptr) return &kFitCommand;
  if (dynamic_cast<const planner::ObstaclesError*>(&error) != nullptr && one) return &kOpsCommand;
  const bool of_inputs = dynamic_cast<const InputsError*>(&error) != nullptr;
  if (of_inputs && one && files.front().ends_with(".arn")) return &kInspectCommand;
  return nullptr;
}

// What a command can say of a file that another kind of file was expected for; empty: nothing.
Words what_takes(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return {};
  switch (content_of(read_file(file))) {
    case Content::kProgram:
      return {"arenite", "inspect", file.string()};
    case Content::kOnnx:
    case Content::kTfLite:
      return {"arenite", "plan", file.string(), "--report", "text"};
    default:
      return {};
  }
}

Words corrected(const Options& options, const std::exception& error) {
  const Words words = options.command_words();
  if (const auto* wrong = dynamic_cast<const DeviceError*>(&error)) {
    return replaced(words, wrong->device, "auto");
  }
  if (const auto* wrong = dynamic_cast<const FileError*>(&error)) {
    // A file that could be read, but holds something else.
    Words other = wrong->suffixes.empty() ? Words() : what_takes(wrong->path);
    if (!other.empty()) return other;
  }
  return working_words(words, error);
}

}  // namespace

std::string line_of(const Options& options, const Command& other) {
  Options its(usage_name(other), other.summary, other.examples);
  const std::function<int()> run = other.declare(its);  // owns what the options set
  return options.line_of(its);
}

std::string next_line_text(const std::string& line) {
  return line.empty() ? "" : "What shows more: " + line + "\n";
}

std::string next_line(const Command& command, const Options& options, const std::exception& error) {
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return options.where_help_is() + "\n";
  if (const Words words = corrected(options, error); !words.empty()) {
    return working_line_text(words);
  }
  const Command* other = what_shows_more(error, options.files());
  if (other != nullptr && other != &command) return next_line_text(line_of(options, *other));
  const std::vector<std::string> files = options.files();
  const bool one_program = files.size() == 1 && files.front().ends_with(".arn");
  if (const auto* failed = dynamic_cast<const StepError*>(&error)) {
    if (!one_program) return "";
    return next_line_text(line_of(options, kInspectCommand) + " --step " +
                          std::to_string(failed->step));
  }
  const bool of_input = dynamic_cast<const InputError*>(&error) != nullptr ||
                        dynamic_cast<const OutputError*>(&error) != nullptr;
  if (!of_input || names_a_command(error)) return "";
  if (dynamic_cast<const PlaceError*>(&error) != nullptr) return next_line_text("arenite doctor");
  // The boards, methods and inputs of a program are what most other errors are about.
  const bool of_file = dynamic_cast<const FileError*>(&error) != nullptr;
  if (!of_file && &command != &kInspectCommand && one_program) {
    return next_line_text(line_of(options, kInspectCommand));
  }
  return options.where_help_is() + "\n";
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
