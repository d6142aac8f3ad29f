// Sum and difference of numbers of 8 bits with Arm's DSP extension.
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/integer_sums.h"

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

// Elements of the operand that is scaled are read in blocks, others right before they are written.
uint64_t sums_distance(const Step& step, uint32_t input) {
  const uint32_t halved = halved_operand_dsp(integer_sums(step));
  const bool in_blocks = halved != 2 && halved != input;
  return pair_rows_distance<1>(step, input, in_blocks ? kDspSumsAtOnce : 1);
}

}  // namespace

constexpr Form kQuantizedAddForm8 = make_form(Op::kQuantizedAdd, 8,
                                              {.parallel = true,
                                               .safe_distance = sums_distance,
                                               .accepts = takes_integer_sums,
                                               .run = run_sum});
ARENITE_FORM_CODE(QuantizedAdd, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
