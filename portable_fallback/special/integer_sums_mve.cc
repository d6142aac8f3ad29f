// Sum and difference of numbers of 8 bits with Arm's MVE.
#include "ops/attributes.h"
#include "portable_fallback/fast/integer_sums_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/integer_pair.h"

namespace arenite {
namespace {

constexpr uint32_t kLeftMax = 20;

bool divides(int32_t shift, int32_t shift_max) { return shift >= -31 && shift <= shift_max; }

bool takes_sum(const Step& step) {
  const auto attributes = step.attributes<QuantizedAddAttributes>();
  const int32_t* shifts = attributes.shifts;
  return element_bytes(step.input(0).dtype()) == 1 &&
         attributes.output.rounding == Rounding::kTfliteDouble &&
         attributes.kind != SumKind::kSquare && attributes.left_shift <= kLeftMax &&
         divides(shifts[0], 0) && divides(shifts[1], 0) && divides(shifts[2], 0);
}

void sum_row(const void* context, const ElementwiseRow& row) {
  add_sums_mve(
      *static_cast<const DspSums*>(context),
      {{row.inputs[0], row.inputs[1]}, row.y, {row.steps[0], row.steps[1]}, row.y_step, row.count});
}

DspFactor factor_of(const QuantizedAddAttributes& attributes, uint32_t i) {
  return {attributes.multipliers[i], static_cast<uint32_t>(-attributes.shifts[i])};
}

Status run_sum(const Step& step, const Platform& platform) {
  const auto attributes = step.attributes<QuantizedAddAttributes>();
  const bool is_unsigned = step.input(0).dtype() == DType::kUint8;
  const int32_t above = is_unsigned ? 128 : 0;
  const Requantization& output = attributes.output;
  const DspSums sums = {is_unsigned ? 0x80u : 0u,
                        {above - attributes.zero_points[0], above - attributes.zero_points[1]},
                        attributes.left_shift,
                        {factor_of(attributes, 0), factor_of(attributes, 1)},
                        attributes.kind == SumKind::kDifference,
                        factor_of(attributes, 2),
                        output.zero_point,
                        output.low,
                        output.high};
  return run_elementwise(step, platform, {sum_row, &sums, 2, 8});
}

}  // namespace

constexpr Form kQuantizedAddForm9 = make_form(Op::kQuantizedAdd, 9,
                                              {.parallel = true,
                                               .safe_distance = integer_pair_distance,
                                               .accepts = takes_sum,
                                               .run = run_sum});

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
