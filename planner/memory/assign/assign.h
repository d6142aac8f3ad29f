// Chooses one memory for each rigid item so that traffic costs least, before offsets are known.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "planner/memory/problem/budget.h"
#include "planner/memory/problem/check.h"

namespace arenite::memory {

// The cost of a memory that an item may not use.
inline constexpr double kNotAllowed = std::numeric_limits<double>::infinity();

// Items and memories without offsets: what is live in a memory must not sum to more than it has.
struct AssignProblem {
  std::vector<uint64_t> capacities;  // by memory; kUnbounded where there is no limit
  std::vector<Lifetime> lifetimes;   // by item
  std::vector<uint64_t> bytes;       // [item][memory], rounded up to the memory's alignment
  std::vector<double> costs;         // [item][memory], kNotAllowed where barred
  std::vector<Overlap> overlaps;     // of items, sorted by output

  uint32_t memories() const { return static_cast<uint32_t>(capacities.size()); }
  uint32_t items() const { return static_cast<uint32_t>(lifetimes.size()); }
  uint64_t bytes_in(uint32_t item, uint32_t memory) const {
    return bytes[std::size_t{item} * capacities.size() + memory];
  }
  double cost_in(uint32_t item, uint32_t memory) const {
    return costs[std::size_t{item} * capacities.size() + memory];
  }
};

// The most bytes that the two items of an overlap can have in common in one memory.
uint64_t saved_bytes_in(const AssignProblem& problem, const Overlap& overlap, uint32_t memory);

// Items that cannot all be in one memory although their live bytes fit: they do not pack.
struct Cut {
  uint32_t memory = 0;
  std::vector<uint32_t> items;
};

inline constexpr std::size_t kCutsMax = 64;

// More memories than this are beyond a beam search, which keeps a row for each way to use them.
inline constexpr uint32_t kMemoriesMax = 32;

struct AssignLimits {
  double cost_max = kNotAllowed;   // only cheaper assignments are of use
  uint64_t work_max = 60'000'000;  // copied bytes and tried choices, about one a nanosecond
  const Watch* watch = nullptr;    // ends it before
};

struct Assignment {
  std::optional<std::vector<uint32_t>> memory_of;  // by item; nothing: none cheaper was found
  double cost = kNotAllowed;
  // No assignment that keeps the cuts costs less; kNotAllowed: there is none at all. A bound of
  // `cost_max` or more says only that.
  double lower_bound = 0;
  uint64_t work = 0;
};

// Near-optimal, and optimal whenever the bound meets the cost. Deterministic. At most kCutsMax
// cuts.
//   1. multipliers on the bytes of each live set give a bound (lagrangian_bound.h), which also
//      bounds what is left to do for a partial assignment;
//   2. a narrow beam search through time (beam_search.h) finds a cost;
//   3. wider ones, with multipliers for that cost, until bound and cost meet or work is spent.
Assignment assign(const AssignProblem& problem, std::span<const Cut> cuts,
                  const AssignLimits& limits);

// The items of a problem as one of which memory.
AssignProblem make_assign_problem(const CheckedProblem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
