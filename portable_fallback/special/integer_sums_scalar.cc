// Sum and difference of numbers of 8 bits on CPUs that multiply no vectors.
#include "portable_fallback/fast/integer_sums_scalar_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/integer_sums.h"

namespace arenite {
namespace {

void sum_row(const void* context, const ElementwiseRow& row) {
  add_sums_scalar(
      *static_cast<const DspSums*>(context),
      {{row.inputs[0], row.inputs[1]}, row.y, {row.steps[0], row.steps[1]}, row.y_step, row.count});
}

Status run_sum(const Step& step, const Platform& platform) {
  const DspSums sums = integer_sums(step);
  return run_elementwise(step, platform, {sum_row, &sums, 2, kWorkOfScaledPair});
}

}  // namespace

constexpr Form kQuantizedAddForm20 = make_form(Op::kQuantizedAdd, 20,
                                               {.parallel = true,
                                                .safe_distance = integer_pair_distance,
                                                .accepts = takes_integer_sums,
                                                .run = run_sum});
ARENITE_FORM_CODE(QuantizedAdd, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
