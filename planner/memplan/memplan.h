// The work of `arenite memplan`: reads a problem, plans it or checks a solution of it, and
// verifies.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/memory/plan.h"
#include "planner/memory/problem/budget.h"
#include "planner/memory/problem/problem.h"
#include "planner/memory/report.h"
#include "planner/memplan/csv_solution.h"

namespace arenite::memory {

struct MemplanOptions {
  std::string problem_path;
  std::string algorithm{name_of(kDefaultAlgorithm)};
  std::optional<uint64_t> capacity_bytes;    // of the one memory: a height up to it will do
  std::optional<std::string> memories_path;  // JSON, excludes capacity_bytes
  // The time from opening the problem to its solution: search stops at a proof or at the limit.
  // Without a limit it stops after as many steps as a problem of this size deserves, so that every
  // machine finds the same plan.
  std::optional<double> time_limit_seconds;     // must be positive
  uint64_t seed = PackLimits{}.seed;            // of the search's random choices
  std::optional<std::string> constraints_path;  // JSON, see docs/constraints.md

  std::function<void()> before_planning;           // called when all files have been read
  const std::atomic<bool>* interrupted = nullptr;  // once set, what there is will do
  ProgressHook progress;
};

// The result of checking a solution that somebody else made.
struct Verdict {
  static constexpr std::size_t kFaultsMax = 100;

  std::string solution_name;  // its path, as given
  bool valid = false;
  std::vector<Fault> faults;  // what is wrong with it; more than kFaultsMax are only counted
  std::size_t fault_count = 0;
  std::vector<std::string> notes;
  bool drawable = false;  // every buffer has a place: the report is of it, faulty or not
};

struct MemplanResult {
  std::string algorithm;     // empty: none, a solution was checked
  uint64_t height = 0;       // bytes: end of the highest buffer, summed over the memories
  uint64_t lower_bound = 0;  // bytes: no plan has less height
  // Proved optimal: height is the lower bound and, with memories, no traffic is on slow ones.
  bool optimal = false;
  double seconds = 0;       // planning or checking, without files
  Stop stop = Stop::kNone;  // why planning ended before it was done

  bool has_memories = false;  // memories were given

  std::string problem_name;                  // of its file
  std::vector<std::string> unknown_columns;  // of the problem; carried along to the solution
  std::string solution_csv;                  // the input's columns and the offsets
  MemoryReport report;                       // peaks, traffic and its bound, where everything lies

  // Set when the problem does not fit (exit status 1): `report` is then of the plan as it would be
  // if the memory that ran out had no end, and there is no height, no proof and no solution.
  std::optional<DoesNotFit> does_not_fit;

  // Set when a solution was checked. Where it is not valid there is no height and no proof.
  std::optional<Verdict> verdict;

  // Judged by traffic, not by height.
  bool has_several_memories() const { return report.memories.size() > 1; }
};

// Throws InputError (exit status 2) for a bad option, or an unreadable or malformed file;
// std::logic_error if the verifier rejects our own plan.
MemplanResult run_memplan(const MemplanOptions& options);

// The figures that judge a plan: "height 150, lower bound 150, optimal", or its traffic with
// several memories.
std::string figures_text(const MemplanResult& result);

// The result for people; lines end in '\n'.
std::string to_text(const MemplanResult& result);

// Checks the file `solution_path` against the problem of the options; where the problem's path is
// empty or the same, that file holds both, and its offsets are the solution's alone. What plans
// (algorithm, time limit, seed) does not matter. Sets `verdict`, and `report` where every buffer
// has a place. Throws InputError as run_memplan, and for a solution that is no table (see
// read_solution).
MemplanResult check_solution(const MemplanOptions& options, const std::string& solution_path);

// "SOLUTION.csv, row 3: buffer 'b' in memory 'm' at [0, 64), ... overlaps ... (row 2)"
std::string message(const Verdict& verdict, const Fault& fault);

// The verdict for people; lines end in '\n'.
std::string verdict_text(const MemplanResult& result);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
