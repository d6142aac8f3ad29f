// Reads how a product of two inputs is rounded from its step, and hands rows to a kernel.
#include "portable_fallback/shared/integer_neighbor_pairs.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/integer_pairs.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

struct Context {
  NeighborPairsKernel kernel;
  NeighborPairs by;
};

void multiply_row(const void* argument, const ElementwiseRow& row) {
  const auto& context = *static_cast<const Context*>(argument);
  context.kernel(context.by, pair_row(row));
}

}  // namespace

uint64_t neighbor_pairs_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = elementwise_loop(step, 2);
  if (loop.rank == 0 || input > 1) return 0;
  DistanceWalk walk;
  walk_loop(walk, loop, 1 + input, {.y_bytes = 1, .x_bytes = 1}, kPairsAtOnce);
  return walk.bytes();
}

Status run_neighbor_pairs(const Step& step, const Platform& platform, NeighborPairsKernel kernel) {
  const auto attributes = step.attributes<QuantizedMulAttributes>();
  const auto shift = static_cast<int8_t>(attributes.shift);
  const Context context = {kernel,
                           {{attributes.zero_points[0], attributes.zero_points[1]},
                            step.dtype(0) == DType::kUint8,
                            single_results(attributes.output, attributes.multiplier, shift)}};
  return run_elementwise(step, platform, {multiply_row, &context, 2, kWorkOfScaledPair});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
