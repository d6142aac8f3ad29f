// Sum and difference of 16-bit integers with Arm's DSP extension.
#include "portable_fallback/fast/int16_sums_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/int16_pairs.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

void sum_row(const void* context, const ElementwiseRow& row) {
  add_int16_dsp(*static_cast<const Int16SumFactors*>(context), int16_row(row));
}

Status run_sum(const Step& step, const Platform& platform) {
  const Int16SumFactors by = int16_sums(step);
  return run_elementwise(step, platform, {sum_row, &by, 2, kWorkOfScaledPair});
}

uint64_t sum_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = elementwise_loop(step, 2);
  DistanceWalk walk;
  if (loop.rank == 0 || input > 1) return 0;
  bool neighbors = true;
  for (uint32_t operand = 0; operand < 3; ++operand) {
    neighbors = neighbors && loop.inner_stride(operand) == 1;
  }
  walk_loop(walk, loop, 1 + input, {.y_bytes = 2, .x_bytes = 2}, neighbors ? kInt16SumsAtOnce : 1);
  return walk.bytes();
}

}  // namespace

constexpr Form kQuantizedAddForm31 = make_form(
    Op::kQuantizedAdd, 31,
    {.parallel = true, .safe_distance = sum_distance, .accepts = takes_int16_sums, .run = run_sum});
ARENITE_FORM_CODE(QuantizedAdd, 31)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
