// What `arenite memplan` does: reads a problem, plans it, verifies the plan, gives the solution.
#include "planner/memory/memplan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "planner/memory/algorithms.h"
#include "planner/memory/bounds.h"
#include "planner/memory/constraints.h"
#include "planner/memory/csv.h"
#include "planner/memory/memories.h"
#include "planner/memory/verify.h"
#include "support/content.h"
#include "support/file.h"

namespace arenite::memory {
namespace {

Algorithm algorithm_of(const MemplanOptions& options) {
  if (const auto algorithm = find_algorithm(options.algorithm)) return *algorithm;
  std::string names;
  for (const std::string_view name : algorithm_names()) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw InputError("unknown algorithm '" + options.algorithm + "'; expected one of: " + names);
}

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

std::string read_problem(const std::string& path) {
  std::string text = read_text(path);
  const Content content = content_of(std::as_bytes(std::span(text)));
  // Names may hold any bytes.
  if (content == Content::kText || content == Content::kUnknown) return text;
  throw InputError(path + ": expected a problem in CSV, found " + described(content));
}

PackLimits limits_of(const MemplanOptions& options) {
  PackLimits limits;
  limits.seed = options.seed;
  limits.stop_when_it_fits = options.capacity_bytes.has_value();
  if (options.time_limit_seconds) {
    limits.work_max = UINT64_MAX;
    limits.seconds = *options.time_limit_seconds;
  }
  return limits;
}

// A height up to the capacity will do; a little more work is well spent on a lower one.
Outcome plan_lower(Algorithm algorithm, const Problem& problem, const MemplanOptions& options) {
  constexpr uint64_t kLittleWork = 30'000'000;
  PackLimits limits = limits_of(options);
  Outcome outcome = plan(algorithm, problem, limits);
  const auto* first = std::get_if<Solution>(&outcome);
  if (first == nullptr || !limits.stop_when_it_fits) return outcome;
  const MemoryReport report = make_report(problem, *first);
  if (report.optimal) return outcome;
  limits.stop_when_it_fits = false;
  limits.work_max = kLittleWork;
  Outcome lower = plan(algorithm, problem, limits);
  const auto* second = std::get_if<Solution>(&lower);
  const bool better =
      second != nullptr && make_report(problem, *second).peak_sum_bytes < report.peak_sum_bytes;
  return better ? lower : outcome;
}

}  // namespace

MemplanResult run_memplan(const MemplanOptions& options) {
  const Algorithm algorithm = algorithm_of(options);
  check_options(options);
  const std::vector<Memory> memories = memories_of(options);
  CsvProblem input = read_csv(read_problem(options.problem_path), options.problem_path, memories);
  if (options.constraints_path) constrain(*options.constraints_path, input.problem);
  const Problem& problem = input.problem;

  MemplanResult result;
  result.algorithm = name_of(algorithm);
  result.problem_name = std::filesystem::path(options.problem_path).filename().string();
  result.unknown_columns = input.unknown_columns;
  result.has_memories = options.memories_path.has_value();
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome = plan_lower(algorithm, problem, options);
  result.lower_bound = lower_bound(problem);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (auto* error = std::get_if<DoesNotFit>(&outcome)) {
    result.report = make_report(problem, error->solution);
    result.does_not_fit = std::move(*error);
    return result;
  }

  const Solution& solution = std::get<Solution>(outcome);
  if (const auto finding = verify(problem, solution)) {
    throw std::logic_error("the plan made by " + result.algorithm + " is wrong (" +
                           std::string(name_of(finding->violation)) + "): " + finding->message);
  }
  result.report = make_report(problem, solution);
  result.height = result.report.peak_sum_bytes;
  result.lower_bound = result.report.lower_bound_bytes;
  result.optimal = result.report.optimal;
  result.solution_csv = write_csv(input, solution, result.has_memories);
  return result;
}

std::string to_text(const MemplanResult& result) {
  if (result.does_not_fit) {
    return "does not fit: " + message(*result.does_not_fit) + "\n" + table_text(result.report);
  }
  std::ostringstream text;
  text << result.algorithm << ": ";
  if (result.has_several_memories()) {
    text << traffic_text(result.report);
  } else {
    text << "height " << result.height << ", lower bound " << result.lower_bound
         << (result.optimal ? ", optimal" : ", not proved optimal");
  }
  text << ", " << result.seconds << " s\n";
  // With several memories the line above is the headline.
  text << (result.has_several_memories() ? table_text(result.report) : to_text(result.report));
  return std::move(text).str();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
