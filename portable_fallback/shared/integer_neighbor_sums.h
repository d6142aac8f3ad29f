// Serves the forms of sums of 8 bits that add neighbors by vectors. Those of one rounding have the
// same facts, so that a program runs with the best that its machine has.
#pragma once

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/integer_sums.h"
#include "portable_fallback/shared/integer_sums_once.h"

namespace arenite {

template <void (&kAdd)(const DspSums&, const DspSumRow&),
          void (&kAddOnce)(const OnceSums&, const OnceSumRow&)>
struct NeighborSumRuns {
  template <typename Sums, typename Row, void (&kAddRow)(const Sums&, const Row&)>
  static void row(const void* context, const ElementwiseRow& row) {
    kAddRow(*static_cast<const Sums*>(context), {{row.inputs[0], row.inputs[1]},
                                                 row.y,
                                                 {row.steps[0], row.steps[1]},
                                                 row.y_step,
                                                 row.count});
  }
  static Status run(const Step& step, const Platform& platform) {
    const DspSums sums = integer_sums(step);
    return run_elementwise(step, platform,
                           {row<DspSums, DspSumRow, kAdd>, &sums, 2, kWorkOfScaledPair});
  }
  static Status run_once(const Step& step, const Platform& platform) {
    const OnceSums sums = once_sums(step);
    return run_elementwise(step, platform,
                           {row<OnceSums, OnceSumRow, kAddOnce>, &sums, 2, kWorkOfScaledPair});
  }
};
struct NoNeighborSumRuns {
  static constexpr decltype(Form::run) run = nullptr, run_once = nullptr;
};

// The safe distance of x1 or x2: rows of neighbors are read some at once, and then written.
inline uint64_t neighbor_sums_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = elementwise_loop(step, 2);
  if (loop.rank == 0 || input > 1) return 0;
  const bool in_blocks =
      are_sum_neighbors(loop.inner_stride(1), loop.inner_stride(2), loop.inner_stride(0));
  DistanceWalk walk;
  walk_loop(walk, loop, 1 + input, {.y_bytes = 1, .x_bytes = 1}, in_blocks ? kDspSumsAtOnce : 1);
  return walk.bytes();
}

// The facts by the number of the plainest kin, without what runs.
constexpr Form neighbor_sum_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = neighbor_sums_distance,
          .accepts = takes_integer_sums};
}
constexpr Form neighbor_sum_once_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = neighbor_sums_distance,
          .accepts = takes_exact_sums};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
