// A row for each kind of error: which command shows more. Its line has the files and options of the
// line that failed.
#include "tools/arenite/next_line.h"

#include <span>

#include "planner/graph/obstacles.h"
#include "planner/plan.h"
#include "tools/run/inputs_error.h"

namespace arenite::tools {
namespace {

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
  const Command* other = what_shows_more(error, options.files());
  if (other == nullptr || other == &command) return "";
  return line_of(options, *other);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
