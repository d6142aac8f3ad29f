// The planning algorithms by name, the one call that runs any of them, and what did not fit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/memory/pack/pack.h"
#include "planner/memory/problem/check.h"
#include "planner/memory/problem/live_bytes.h"

namespace arenite::memory {

enum class Algorithm {
  kNaive,           // no reuse: every buffer after the last one, in the first memory that has room
  kGreedyFirstFit,  // largest first, at the lowest offset that is free
  kGreedyBySize,    // largest first, into the smallest gap that holds it (arXiv 2001.03288)
  kPortfolio,       // the best of many orders; memories as greedy by size chooses them
  kSearch,          // memories by least traffic, then portfolio and exact search in each
};

inline constexpr Algorithm kDefaultAlgorithm = Algorithm::kSearch;

// The name used on the command line, or nothing for a name that is none.
std::optional<Algorithm> find_algorithm(std::string_view name);
std::string_view name_of(Algorithm algorithm);
std::span<const std::string_view> algorithm_names();

// Why a problem was not placed: which memory ran out, by how much, and what is in it at the worst
// step. The figures are those of the plan as it would be if that memory had no end.
struct DoesNotFit {
  uint32_t memory = 0;
  std::string memory_name;
  uint64_t memory_bytes = 0;
  uint64_t needed_bytes = 0;
  uint64_t short_bytes = 0;   // needed_bytes - memory_bytes
  LiveBuffer first_unplaced;  // the first buffer for which no allowed memory had room; or unnamed
  uint32_t step = 0;          // the worst step
  uint64_t live_bytes = 0;    // bytes live in this memory at that step, shared bytes counted once
  std::vector<LiveBuffer> live;  // largest first
  bool proven = false;           // true: no plan at all can fit, the live set alone is too large
  Solution solution;             // that plan, as if the memory had no end
};

using Outcome = std::variant<Solution, DoesNotFit>;

// The English form of a DoesNotFit: memory, missing bytes, step, live buffers with their sizes.
std::string message(const DoesNotFit& error);

// Places every buffer: fixed ones where they are, then the others by the algorithm, then the
// relative ones at their base's offset plus their own. Deterministic. DoesNotFit when some buffer
// has no room. `limits` are for the last packing of each memory, and of use to portfolio and search
// only, but for the watch, which ends the others too.
Outcome plan(Algorithm algorithm, const CheckedProblem& problem, const PackLimits& limits = {});

// Puts every fixed buffer in its place; nothing is planned. Buffers that are not fixed take no
// bytes.
Solution where_fixed(const CheckedProblem& problem);

// Explains a plan that passed the end of the memory of `first_unplaced_buffer`. `solution` holds
// every buffer, overflow included.
DoesNotFit explain_overflow(const CheckedProblem& problem, const Solution& solution,
                            uint32_t first_unplaced_buffer);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
