// What `arenite memplan` does: reads a problem, plans it, verifies the plan, gives the solution.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/memory/algorithms.h"
#include "planner/memory/problem.h"
#include "planner/memory/report.h"

namespace arenite::memory {

struct MemplanOptions {
  std::string problem_path;
  std::string algorithm{name_of(kDefaultAlgorithm)};
  std::optional<uint64_t> capacity_bytes;    // of the one memory: a height up to it will do
  std::optional<std::string> memories_path;  // JSON, excludes capacity_bytes
  // Of processor time for search, which then stops at a proof or at the limit; without it as many
  // steps as a problem of this size deserves, so that every machine finds the same plan.
  std::optional<double> time_limit_seconds;     // must be positive
  uint64_t seed = PackLimits{}.seed;            // of the search's random choices
  std::optional<std::string> constraints_path;  // JSON, see docs/constraints.md
};

struct MemplanResult {
  std::string algorithm;
  uint64_t height = 0;       // bytes: end of the highest buffer, summed over the memories
  uint64_t lower_bound = 0;  // bytes: no plan has less height
  // Proved optimal: height is the lower bound and, with memories, no traffic is on slow ones.
  bool optimal = false;
  double seconds = 0;  // planning and bounding, without files and verification

  bool has_memories = false;  // memories were given

  std::string problem_name;                  // of its file
  std::vector<std::string> unknown_columns;  // of the problem; carried along to the solution
  std::string solution_csv;                  // the input's columns and the offsets
  MemoryReport report;                       // peaks, traffic and its bound, where everything lies

  // Set when the problem does not fit (exit status 1): `report` is then of the plan as it would be
  // if the memory that ran out had no end, and there is no height, no proof and no solution.
  std::optional<DoesNotFit> does_not_fit;

  // Judged by traffic, not by height.
  bool has_several_memories() const { return report.memories.size() > 1; }
};

// Throws InputError (exit status 2) for a bad option, or an unreadable or malformed file;
// std::logic_error if the verifier rejects our own plan.
MemplanResult run_memplan(const MemplanOptions& options);

// The result for people; lines end in '\n'.
std::string to_text(const MemplanResult& result);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
