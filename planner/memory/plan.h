// The planning algorithms by name, the one call that runs any of them, and what did not fit.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "planner/memory/pack/pack.h"
#include "planner/memory/problem.h"

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

// Places every buffer: fixed ones where they are, then the others by the algorithm, then the
// relative ones at their base's offset plus their own. Deterministic. Throws InputError when the
// problem contradicts itself (`validate`); DoesNotFit when some buffer has no room. `limits` are
// for the last packing of each memory, and of use to portfolio and search only, but for the watch,
// which ends the others too.
Outcome plan(Algorithm algorithm, const Problem& problem, const PackLimits& limits = {});

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
