// Sum and difference of numbers of 8 bits with Arm's DSP extension.
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/integer_sums.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

void sum_row(const void* context, const ElementwiseRow& row) {
  add_sums_dsp(
      *static_cast<const DspSums*>(context),
      {{row.inputs[0], row.inputs[1]}, row.y, {row.steps[0], row.steps[1]}, row.y_step, row.count});
}

Status run_sum(const Step& step, const Platform& platform) {
  const DspSums sums = integer_sums(step);
  return run_elementwise(step, platform, {sum_row, &sums, 2, kWorkOfScaledPair});
}

uint64_t sum_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = elementwise_loop(step, 2);
  DistanceWalk walk;
  if (loop.rank == 0 || input > 1) return 0;
  bool neighbors = true;
  for (uint32_t operand = 0; operand < 3; ++operand) {
    neighbors = neighbors && loop.inner_stride(operand) == 1;
  }
  walk_loop(walk, loop, 1 + input, {.y_bytes = 1, .x_bytes = 1}, neighbors ? kDspSumsAtOnce : 1);
  return walk.bytes();
}

}  // namespace

constexpr Form kQuantizedAddForm8 = make_form(Op::kQuantizedAdd, 8,
                                              {.parallel = true,
                                               .safe_distance = sum_distance,
                                               .accepts = takes_integer_sums,
                                               .run = run_sum});
ARENITE_FORM_CODE(QuantizedAdd, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
