// Serves the forms of products of two inputs of 8 bits that hosts make by vectors, of every
// rounding. All have the same facts, so that a program runs with the best that its machine has.
#pragma once

#include "portable_fallback/fast/integer_pairs_neighbors.h"
#include "portable_fallback/forms.h"

namespace arenite {

uint64_t neighbor_pairs_distance(const Step& step, uint32_t input);
Status run_neighbor_pairs(const Step& step, const Platform& platform, NeighborPairsKernel kernel);

template <void (&kMultiply)(const NeighborPairs&, const IntegerPairRow&)>
struct NeighborPairRuns {
  static Status run(const Step& step, const Platform& platform) {
    return run_neighbor_pairs(step, platform, kMultiply);
  }
};
struct NoNeighborPairRuns {
  static constexpr decltype(Form::run) run = nullptr;
};

// The facts by the number of the plainest kin, without what runs.
constexpr Form neighbor_pair_facts(uint8_t plainest) {
  return {.parallel = true, .kin = plainest, .safe_distance = neighbor_pairs_distance};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
