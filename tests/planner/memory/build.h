// Short ways to write problems and read plans in the tests of static memory planning.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "planner/memory/assign/assign.h"
#include "planner/memory/assign/traffic_bound.h"
#include "planner/memory/plan.h"
#include "planner/memory/problem/problem.h"
#include "planner/memory/report.h"

namespace arenite::memory {

// A buffer named after its place in the list: "a", "b", ...
inline Problem problem_of(std::vector<Memory> memories, std::vector<Buffer> buffers) {
  Problem problem{std::move(memories), std::move(buffers), {}};
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    std::string& name = problem.buffers[i].name;
    if (name.empty()) name = std::string(1, static_cast<char>('a' + i % 26));
  }
  return problem;
}

// One memory without a limit.
inline std::vector<Memory> unbounded(uint32_t alignment = 1) {
  return {{.name = "memory", .alignment = alignment}};
}

inline Buffer buffer(uint64_t size_bytes, uint32_t first, uint32_t last) {
  Buffer made;
  made.size_bytes = size_bytes;
  made.lifetime = {first, last};
  return made;
}

// Checks a problem that a test has built.
inline void validate(const Problem& problem) { static_cast<void>(CheckedProblem(problem)); }

inline Outcome plan(Algorithm algorithm, const Problem& problem, const PackLimits& limits = {}) {
  return plan(algorithm, CheckedProblem(problem), limits);
}

inline MemoryReport make_report(const Problem& problem, const Solution& solution,
                                const Watch* watch = nullptr) {
  return make_report(CheckedProblem(problem), solution, watch);
}

inline uint64_t lower_bound(const Problem& problem) { return lower_bound(CheckedProblem(problem)); }

inline std::vector<LiveSpan> live_spans(const Problem& problem) {
  return live_spans(CheckedProblem(problem));
}

inline double traffic_bound(const Problem& problem) {
  return traffic_bound(CheckedProblem(problem));
}

// Sum over the items of what their memories cost them.
inline double traffic_cost(const Problem& problem, const Solution& solution) {
  const CheckedProblem checked(problem);
  const AssignProblem assigning = make_assign_problem(checked);
  double sum = 0;
  for (uint32_t i = 0; i < assigning.items(); ++i) {
    sum += assigning.cost_in(i, solution.placements[checked.items()[i].root].memory);
  }
  return sum;
}

// The plan, which must exist.
inline Solution solved(Algorithm algorithm, const Problem& problem) {
  return std::get<Solution>(plan(algorithm, problem));
}

inline std::vector<uint64_t> offsets(const Solution& solution) {
  std::vector<uint64_t> found;
  for (const Placement& placement : solution.placements) found.push_back(placement.offset);
  return found;
}

inline std::vector<uint32_t> memories(const Solution& solution) {
  std::vector<uint32_t> found;
  for (const Placement& placement : solution.placements) found.push_back(placement.memory);
  return found;
}

// The message of the InputError that `action` throws, or "" when it throws none.
template <typename Action>
std::string input_error(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
