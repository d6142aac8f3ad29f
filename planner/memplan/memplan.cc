// Combines reader, constraints, planning algorithm within its time, and verifier.
#include "planner/memplan/memplan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <span>
#include <sstream>

#include "planner/memory/plan.h"
#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/verify.h"
#include "planner/memplan/constraints.h"
#include "planner/memplan/csv.h"
#include "planner/memplan/json_input.h"
#include "support/content.h"
#include "support/file.h"
#include "support/printable.h"
#include "support/word_errors.h"

namespace arenite::memory {

namespace {

std::vector<Memory> memories_of(const MemplanOptions& options) {
  if (options.memories_path) {
    return read_memories(read_text(*options.memories_path), *options.memories_path);
  }
  return {{.name = "memory", .size_bytes = options.capacity_bytes.value_or(kUnbounded)}};
}

// Buffers go by their ids.
CheckedProblem constrained(const std::string& path, Problem problem) {
  const Constraints constraints = read_constraints(read_text(path), path);
  for (const Constraint& entry : constraints.entries) {
    if (!entry.board.empty()) {
      throw InputError(where(constraints, entry) + "\"board\" is for `arenite plan` only");
    }
  }
  apply_constraints(
      constraints, [&problem](const std::string& name) { return buffer_named(problem, name); },
      problem);
  return check(std::move(problem), path);
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

std::string read_csv_text(const std::string& path) {
  std::string text = read_text(path);
  const Content content = content_of(std::as_bytes(std::span(text)));
  // Names may hold any bytes.
  if (content == Content::kText || content == Content::kUnknown) return text;
  throw FileError(path + ": expected CSV, found " + described(content), path, {".csv"});
}

CsvProblem read_memplan_problem(const MemplanOptions& options, std::string_view text,
                                Placements placements) {
  CsvProblem input = read_csv(text, options.problem_path, memories_of(options), placements);
  if (options.constraints_path) {
    input.checked = constrained(*options.constraints_path, input.problem());
  }
  return input;
}

void describe_problem(const MemplanOptions& options, const CsvProblem& input,
                      MemplanResult& result) {
  result.problem_name = std::filesystem::path(options.problem_path).filename().string();
  result.unknown_columns = input.unknown_columns;
  result.has_memories = options.memories_path.has_value();
}

Algorithm algorithm_of(const MemplanOptions& options) {
  if (const auto algorithm = find_algorithm(options.algorithm)) return *algorithm;
  std::string names;
  for (const std::string_view name : algorithm_names()) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw InputError("unknown algorithm " + quote(options.algorithm) + "; expected one of: " + names);
}

PackLimits limits_of(const MemplanOptions& options, const Watch& watch) {
  PackLimits limits;
  limits.seed = options.seed;
  limits.stop_when_it_fits = options.capacity_bytes.has_value();
  if (options.time_limit_seconds) limits.work_max = UINT64_MAX;
  limits.watch = &watch;
  return limits;
}

uint64_t height_of(const CheckedProblem& problem, const Solution& solution) {
  uint64_t height = 0;
  for (std::size_t i = 0; i < problem.buffers().size(); ++i) {
    height = std::max(height, solution.placements[i].offset + problem.buffers()[i].size_bytes);
  }
  return height;
}

// A height up to the capacity will do; a little more work is well spent on a lower one.
Outcome plan_lower(Algorithm algorithm, const CheckedProblem& problem, PackLimits limits) {
  constexpr uint64_t kLittleWork = 30'000'000;
  Outcome outcome = plan(algorithm, problem, limits);
  const auto* first = std::get_if<Solution>(&outcome);
  if (first == nullptr || !limits.stop_when_it_fits || stopped(limits.watch)) return outcome;
  const uint64_t height = height_of(problem, *first);
  if (height == lower_bound(problem, *first)) return outcome;
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

Fault fault_of(const Finding& finding, const CsvSolution& read, const Problem& problem) {
  Fault fault;
  fault.kind = name_of(finding.violation);
  fault.message = finding.message;
  fault.buffer = finding.buffer;
  fault.id = problem.buffers.at(finding.buffer).name;
  fault.row = read.rows.at(finding.buffer);
  fault.other = finding.other;
  if (finding.other) fault.other_row = read.rows.at(*finding.other);
  if (finding.violation == Violation::kOverlap) fault.step = finding.step;
  return fault;
}

// A report of a plan that is none claims nothing, and no bytes are in common on purpose.
void claim_nothing(MemoryReport& report) {
  report.optimal = false;
  report.slow_traffic_bound_bytes = 0;
  report.live_union_bytes = 0;
  for (const LiveAtPeak& live : report.live) report.live_union_bytes += live.size_bytes;
}

}  // namespace

MemplanResult run_memplan(const MemplanOptions& options) {
  const Algorithm algorithm = algorithm_of(options);
  check_options(options);
  const auto start = Watch::Clock::now();
  const std::string text = read_csv_text(options.problem_path);
  const CsvProblem input = read_memplan_problem(options, text, Placements::kFixed);
  const CheckedProblem& problem = input.checked;

  MemplanResult result;
  result.algorithm = name_of(algorithm);
  describe_problem(options, input, result);
  Watch watch;
  watch.interrupted = options.interrupted;
  watch.progress = options.progress;
  if (options.time_limit_seconds) {
    set_deadline(*options.time_limit_seconds, start, problem.memories().size() > 1, watch);
  }
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
  if (const auto finding = verify(problem.problem(), solution)) {
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
  text << (result.has_several_memories() ? packings_text(result.report) + table_text(result.report)
                                         : to_text(result.report));
  return std::move(text).str();
}

MemplanResult check_solution(const MemplanOptions& options, const std::string& solution_path) {
  check_options(options);
  const bool one_file = options.problem_path.empty() || options.problem_path == solution_path;
  MemplanOptions files = options;
  if (one_file) files.problem_path = solution_path;
  const std::string text = read_csv_text(files.problem_path);
  const CsvProblem input =
      read_memplan_problem(files, text, one_file ? Placements::kTold : Placements::kFixed);
  const CsvSolution read =
      read_solution(one_file ? text : read_csv_text(solution_path), solution_path, input);

  const auto begin = std::chrono::steady_clock::now();
  MemplanResult result;
  describe_problem(files, input, result);
  result.verdict = Verdict{solution_path, false, read.faults, 0, read.notes, false};
  Verdict& verdict = *result.verdict;
  const std::vector<Placement>& placements = read.solution.placements;
  verdict.drawable = std::none_of(placements.begin(), placements.end(),
                                  [](const Placement& at) { return at.memory == kNoMemory; });
  if (verdict.drawable) {
    if (const auto finding = verify(input.problem(), read.solution)) {
      verdict.faults.push_back(fault_of(*finding, read, input.problem()));
    }
    result.report = make_report(input.checked, read.solution);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  result.seconds = took.count();
  verdict.valid = verdict.faults.empty();
  verdict.fault_count = verdict.faults.size();
  verdict.faults.resize(std::min(verdict.fault_count, Verdict::kFaultsMax));
  if (!verdict.valid) {
    claim_nothing(result.report);
    result.lower_bound = lower_bound(input.checked);
    return result;
  }
  result.height = result.report.peak_sum_bytes;
  result.lower_bound = result.report.lower_bound_bytes;
  result.optimal = result.report.optimal;
  return result;
}

std::string message(const Verdict& verdict, const Fault& fault) {
  std::string text = verdict.solution_name;
  if (fault.row != 0) text += ", row " + std::to_string(fault.row);
  text += ": " + fault.message;
  if (fault.other_row != 0) text += " (row " + std::to_string(fault.other_row) + ")";
  return text;
}

std::string verdict_text(const MemplanResult& result) {
  constexpr std::size_t kListedMax = 16;
  const Verdict& verdict = *result.verdict;
  if (verdict.valid) {
    const std::size_t count = result.report.buffers.size();
    return "valid: " + verdict.solution_name + " places " + std::to_string(count) +
           (count == 1 ? " buffer" : " buffers") + ", " + figures_text(result) + "\n";
  }
  std::string text;
  const std::size_t listed = std::min(verdict.faults.size(), kListedMax);
  for (std::size_t i = 0; i < listed; ++i) {
    text += "invalid: " + message(verdict, verdict.faults[i]) + "\n";
  }
  if (verdict.fault_count > listed) {
    text += "and " + std::to_string(verdict.fault_count - listed) + " more\n";
  }
  return text;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
