// Scales both numbers, adds them and scales the sum: each stage keeps what it multiplies by in
// registers.
#include "portable_fallback/fast/int16_sums_dsp_kernel.h"

#include "portable_fallback/fast/int16_pairs_each.h"

namespace arenite {
namespace {

[[gnu::noinline]] void scale_numbers(const DspFactor& factor, uint32_t left, Src<int16_t> x,
                                     uint32_t count, int32_t* to) {
  const Scale scale(factor);
  for (; count != 0; --count, x += 1) {
    const int32_t number = *x;
    *to++ = scale(static_cast<int32_t>(static_cast<uint32_t>(number) << (left + 1)));
  }
}

[[gnu::noinline]] void finish_sums(const Int16SumFactors& by, const int32_t* first,
                                   const int32_t* second, uint32_t count, Dst<int16_t> y) {
  const Scale scale(by.whole);
  const int32_t zero_point = by.zero_point, low = by.low, high = by.high;
  const int32_t factor = by.subtracts ? -2 : 2;
  for (; count != 0; --count, y += 1) {
    const int32_t doubled = 2 * *first++ + factor * *second++;
    *y = static_cast<int16_t>(limited_number(scale(doubled) + zero_point, low, high));
  }
}

}  // namespace

void add_int16_dsp(const Int16SumFactors& by, const Int16PairRow& row) {
  if (!row.are_neighbors()) return add_each(by, row);
  int32_t numbers[2][kInt16SumsAtOnce];
  Src<int16_t> inputs[2] = {row.inputs[0], row.inputs[1]};
  Dst<int16_t> y = row.y;
  for (uint32_t left = row.count; left != 0;) {
    const uint32_t count = left < kInt16SumsAtOnce ? left : kInt16SumsAtOnce;
    for (uint32_t i = 0; i < 2; ++i) {
      scale_numbers(by.factors[i], by.left, inputs[i], count, numbers[i]);
      inputs[i] += count;
    }
    finish_sums(by, numbers[0], numbers[1], count, y);
    y += count;
    left -= count;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
