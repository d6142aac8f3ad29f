// Scales both numbers, adds them and scales the sum by instructions of the DSP extension.
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

#include "portable_fallback/fast/integer_sums.h"

namespace arenite {
namespace {

// Each stage keeps what it multiplies by in registers.
struct ScaledNumbers {
  int32_t of[2][kDspSumsAtOnce];
};

[[gnu::noinline]] void scale_numbers(const DspSums& of, uint32_t which, Src<std::byte> x,
                                     uint32_t count, int32_t* to) {
  const Scale scale(of.factors[which]);
  const Numbers number(of, which);
  for (; count != 0; --count, x += 1) *to++ = scale(number(*x));
}

[[gnu::noinline]] void finish_sums(const DspSums& of, const ScaledNumbers& numbers, uint32_t count,
                                   Dst<std::byte> y) {
  const Scale scale(of.sum);
  const int32_t zero_point = of.zero_point, low = of.low, high = of.high;
  const int32_t factor = of.subtracts ? -2 : 2;
  for (uint32_t i = 0; i < count; ++i, y += 1) {
    const int32_t doubled = 2 * numbers.of[0][i] + factor * numbers.of[1][i];
    *y = limited(scale(doubled) + zero_point, low, high);
  }
}

}  // namespace

void add_sums_apart_dsp(const DspSums& sums, const DspSumRow& row) { add_scaled_sums(sums, row); }

void add_sums_dsp(const DspSums& sums, const DspSumRow& row) {
  if (row.steps[0] != 1 || row.steps[1] != 1 || row.y_step != 1) {
    return add_sums_apart_dsp(sums, row);
  }
  ScaledNumbers numbers;
  Src<std::byte> inputs[2] = {row.inputs[0], row.inputs[1]};
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0;) {
    const uint32_t count = left < kDspSumsAtOnce ? left : kDspSumsAtOnce;
    for (uint32_t i = 0; i < 2; ++i) {
      scale_numbers(sums, i, inputs[i], count, numbers.of[i]);
      inputs[i] += count;
    }
    finish_sums(sums, numbers, count, y);
    y += count;
    left -= count;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
