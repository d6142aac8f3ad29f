// What `arenite memplan` does: reads a problem, plans it, verifies the plan, gives the solution.
#include "planner/memplan/memplan.h"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "planner/memory/live_bytes.h"
#include "planner/memory/plan.h"
#include "planner/memory/verify.h"
#include "planner/memplan/check_solution.h"
#include "planner/memplan/csv.h"
#include "planner/memplan/memplan_input.h"

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

PackLimits limits_of(const MemplanOptions& options, const Watch& watch) {
  PackLimits limits;
  limits.seed = options.seed;
  limits.stop_when_it_fits = options.capacity_bytes.has_value();
  if (options.time_limit_seconds) limits.work_max = UINT64_MAX;
  limits.watch = &watch;
  return limits;
}

uint64_t height_of(const Problem& problem, const Solution& solution) {
  uint64_t height = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    height = std::max(height, solution.placements[i].offset + problem.buffers[i].size_bytes);
  }
  return height;
}

// A height up to the capacity will do; a little more work is well spent on a lower one.
Outcome plan_lower(Algorithm algorithm, const Problem& problem, PackLimits limits) {
  constexpr uint64_t kLittleWork = 30'000'000;
  Outcome outcome = plan(algorithm, problem, limits);
  const auto* first = std::get_if<Solution>(&outcome);
  if (first == nullptr || !limits.stop_when_it_fits || stopped(limits.watch)) return outcome;
  const uint64_t height = height_of(problem, *first);
  if (height == std::max(lower_bound(problem), first->lower_bound)) return outcome;
  limits.stop_when_it_fits = false;
  limits.work_max = kLittleWork;
  Outcome lower = plan(algorithm, problem, limits);
  const auto* second = std::get_if<Solution>(&lower);
  return second != nullptr && height_of(problem, *second) < height ? lower : outcome;
}

// Planning has to end before the time limit: what comes after it, the plan in a moment, checks,
// bounds and files, takes up to three times as long as what came before it, and five times with
// several memories, whatever the machine and its load (bench/time_limit).
void set_deadline(double seconds, Watch::Clock::time_point start, bool several_memories,
                  Watch& watch) {
  constexpr double kLongest = 1e9;  // seconds; what the clock counts overflows beyond
  const auto limit = std::chrono::duration_cast<Watch::Clock::duration>(
      std::chrono::duration<double>(std::min(seconds, kLongest)));
  const Watch::Clock::duration before = Watch::Clock::now() - start;
  watch.deadline = start + limit - (several_memories ? 5 : 3) * before;
}

}  // namespace

MemplanResult run_memplan(const MemplanOptions& options) {
  const Algorithm algorithm = algorithm_of(options);
  check_options(options);
  const std::string text = read_csv_text(options.problem_path);
  const auto start = Watch::Clock::now();
  const CsvProblem input = read_memplan_problem(options, text, Placements::kFixed);
  const Problem& problem = input.problem;

  MemplanResult result;
  result.algorithm = name_of(algorithm);
  describe_problem(options, input, result);
  Watch watch;
  watch.interrupted = options.interrupted;
  watch.progress = options.progress;
  if (options.time_limit_seconds)
    set_deadline(*options.time_limit_seconds, start, problem.memories.size() > 1, watch);
  if (options.before_planning) options.before_planning();
  const auto begin = Watch::Clock::now();
  Outcome outcome = plan_lower(algorithm, problem, limits_of(options, watch));
  result.seconds = std::chrono::duration<double>(Watch::Clock::now() - begin).count();
  if (algorithm != Algorithm::kNaive) result.stop = watch.stop();
  if (auto* error = std::get_if<DoesNotFit>(&outcome)) {
    result.report = make_report(problem, error->solution, &watch);
    result.lower_bound = result.report.lower_bound_bytes;
    result.does_not_fit = std::move(*error);
    return result;
  }

  const Solution& solution = std::get<Solution>(outcome);
  if (const auto finding = verify(problem, solution)) {
    throw std::logic_error("the plan made by " + result.algorithm + " is wrong (" +
                           std::string(name_of(finding->violation)) + "): " + finding->message);
  }
  result.report = make_report(problem, solution, &watch);
  result.height = result.report.peak_sum_bytes;
  result.lower_bound = result.report.lower_bound_bytes;
  result.optimal = result.report.optimal;
  if (result.optimal && result.stop == Stop::kTimeLimit) result.stop = Stop::kNone;
  const bool with_memory =
      result.has_memories ||
      std::find(input.header.begin(), input.header.end(), "memory") != input.header.end();
  result.solution_csv = write_csv(input, solution, with_memory);
  return result;
}

std::string figures_text(const MemplanResult& result) {
  if (result.has_several_memories()) return traffic_text(result.report);
  return "height " + std::to_string(result.height) + ", lower bound " +
         std::to_string(result.lower_bound) +
         (result.optimal ? ", optimal" : ", not proved optimal");
}

std::string to_text(const MemplanResult& result) {
  if (result.verdict) {
    const bool drawable = result.verdict->drawable;
    return verdict_text(result) + (drawable ? table_text(result.report) : "");
  }
  if (result.does_not_fit) {
    return "does not fit: " + message(*result.does_not_fit) + "\n" + table_text(result.report);
  }
  std::ostringstream text;
  text << result.algorithm << ": " << figures_text(result)
       << (result.stop == Stop::kTimeLimit   ? ", stopped at the time limit"
           : result.stop == Stop::kInterrupt ? ", interrupted"
                                             : "")
       << ", " << result.seconds << " s\n";
  // With several memories the line above is the headline.
  text << (result.has_several_memories() ? table_text(result.report) : to_text(result.report));
  return std::move(text).str();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
