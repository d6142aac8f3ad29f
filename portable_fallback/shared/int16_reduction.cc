// Requantizes sums of 16-bit integers.
#include "portable_fallback/shared/int16_reduction.h"

#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {

Int16Reduction::Int16Reduction(const Step& step)
    : Reduction(step, step.attributes<QuantizedSumAttributes>().axes),
      by(step.attributes<QuantizedSumAttributes>()) {}

bool takes_int16_reduction(const Step& step) { return step.dtype(0) == DType::kInt16; }

uint64_t int16_reduction_distance(const Step& step, uint32_t) {
  return reduction_distance(step, step.attributes<QuantizedSumAttributes>().axes);
}

uint32_t sum_of_int16(const Int16ReducedRow& row) {
  uint32_t sum = 0;
  Src<int16_t> x = row.x;
  for (uint32_t left = row.count; left != 0; --left, x += row.step) {
    const int16_t element = *x;
    sum += static_cast<uint32_t>(int32_t{element});
  }
  return sum;
}

void put_int16_reduced(const Int16Reduction& task, Dst<int16_t> y, uint32_t size, uint32_t count,
                       const uint32_t* sums) {
  const auto zeros = wrapped_product(static_cast<int32_t>(size), task.by.x_zero_point);
  const ptrdiff_t y_step = task.kept.inner_stride(0);
  for (uint32_t j = 0; j < count; ++j, y += y_step) {
    const int32_t sum = wrapped_sum(static_cast<int32_t>(sums[j]), wrapped_negative(zeros));
    *y = static_cast<int16_t>(finished(sum, task.by.multiplier, task.by.shift, task.by.output));
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
