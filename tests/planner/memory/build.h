// Short ways to write problems and read plans in the tests of static memory planning.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "planner/memory/plan.h"
#include "planner/memory/problem.h"

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
