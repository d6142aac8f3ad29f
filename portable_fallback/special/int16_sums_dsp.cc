// Sum and difference of 16-bit integers with Arm's DSP extension.
#include "portable_fallback/fast/int16_sums_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/int16_pairs.h"
#include "portable_fallback/shared/integer_pair.h"

namespace arenite {
namespace {

void sum_row(const void* context, const ElementwiseRow& row) {
  add_int16_dsp(*static_cast<const Int16SumFactors*>(context), int16_row(row));
}

Status run_sum(const Step& step, const Platform& platform) {
  const Int16SumFactors by = int16_sums(step);
  return run_elementwise(step, platform, {sum_row, &by, 2, kWorkOfScaledPair});
}

}  // namespace

constexpr Form kQuantizedAddForm31 =
    make_form(Op::kQuantizedAdd, 31,
              {.parallel = true,
               .safe_distance = integer_pair_rows_distance<2, kInt16SumsAtOnce>,
               .accepts = takes_int16_sums,
               .run = run_sum});
ARENITE_FORM_CODE(QuantizedAdd, 31)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
