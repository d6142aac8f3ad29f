// Requantizes sums of 8-bit integers.
#include "portable_fallback/shared/integer_reduction.h"

#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {

static_assert(kPoolChannels == kBlock);

IntegerReduction::IntegerReduction(const Step& step)
    : Reduction(step, step.attributes<QuantizedSumAttributes>().axes),
      by(step.attributes<QuantizedSumAttributes>()),
      is_unsigned(step.dtype(0) == DType::kUint8) {}

uint64_t integer_reduction_distance(const Step& step, uint32_t) {
  return reduction_distance(step, step.attributes<QuantizedSumAttributes>().axes);
}

uint32_t sum_of_elements(const IntegerReduction& task, const ReducedRow& row) {
  // As uint8 in the order of the numbers.
  const uint32_t flip = task.is_unsigned ? 0 : 0x80;
  uint32_t sum = 0 - flip * row.count;
  Src<std::byte> x = row.x;
  for (uint32_t left = row.count; left != 0; --left, x += row.step) {
    sum += static_cast<uint32_t>(*x) ^ flip;
  }
  return sum;
}

void put_reduced(const IntegerReduction& task, Dst<std::byte> y, uint32_t size, uint32_t count,
                 const uint32_t* sums) {
  const auto zeros = wrapped_product(static_cast<int32_t>(size), task.by.x_zero_point);
  const ptrdiff_t y_step = task.kept.inner_stride(0);
  for (uint32_t j = 0; j < count; ++j, y += y_step) {
    const int32_t sum = wrapped_sum(static_cast<int32_t>(sums[j]), wrapped_negative(zeros));
    *y = static_cast<std::byte>(finished(sum, task.by.multiplier, task.by.shift, task.by.output));
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
