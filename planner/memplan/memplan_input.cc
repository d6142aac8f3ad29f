// What `arenite memplan` reads, be it to plan or to check.
#include "planner/memplan/memplan_input.h"

#include <cmath>
#include <filesystem>
#include <span>

#include "planner/memplan/constraints.h"
#include "planner/memplan/memories.h"
#include "support/content.h"
#include "support/file.h"

namespace arenite::memory {

namespace {

std::vector<Memory> memories_of(const MemplanOptions& options) {
  if (options.memories_path) {
    return read_memories(read_text(*options.memories_path), *options.memories_path);
  }
  return {{.name = "memory", .size_bytes = options.capacity_bytes.value_or(kUnbounded)}};
}

// Buffers go by their ids.
void constrain(const std::string& path, Problem& problem) {
  Constraints constraints = read_constraints(read_text(path), path);
  for (const Constraint& entry : constraints.entries) {
    if (!entry.board.empty()) {
      throw InputError(where(constraints, entry) + "\"board\" is for `arenite plan` only");
    }
  }
  apply_constraints(
      constraints, [&problem](const std::string& name) { return buffer_named(problem, name); },
      problem);
}

}  // namespace

void check_options(const MemplanOptions& options) {
  if (options.capacity_bytes && options.memories_path) {
    throw InputError("--capacity and --memories exclude each other: the memories have capacities");
  }
  if (options.capacity_bytes && *options.capacity_bytes > kTotalBytesMax) {
    throw InputError("--capacity " + std::to_string(*options.capacity_bytes) +
                     " is too large; expected at most 2^62");
  }
  if (options.time_limit_seconds &&
      (!std::isfinite(*options.time_limit_seconds) || *options.time_limit_seconds <= 0)) {
    throw InputError("--time-limit must be a positive number of seconds");
  }
}

std::string read_csv_text(const std::string& path) {
  std::string text = read_text(path);
  const Content content = content_of(std::as_bytes(std::span(text)));
  // Names may hold any bytes.
  if (content == Content::kText || content == Content::kUnknown) return text;
  throw InputError(path + ": expected CSV, found " + described(content));
}

CsvProblem read_memplan_problem(const MemplanOptions& options, std::string_view text,
                                Placements placements) {
  CsvProblem input = read_csv(text, options.problem_path, memories_of(options), placements);
  if (options.constraints_path) constrain(*options.constraints_path, input.problem);
  return input;
}

void describe_problem(const MemplanOptions& options, const CsvProblem& input,
                      MemplanResult& result) {
  result.problem_name = std::filesystem::path(options.problem_path).filename().string();
  result.unknown_columns = input.unknown_columns;
  result.has_memories = options.memories_path.has_value();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
