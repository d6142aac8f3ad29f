// Scales both numbers, adds them and scales the sum by instructions of the DSP extension.
//
// TensorFlow Lite scales the operand of the greater scale by exactly a half: its numbers need no
// product. Neighbors are computed in two loops, each of which keeps what it multiplies by in
// registers:
//
// 1. The numbers of the other operand are scaled, and become sums with the zero point of the first.
// 2. The elements of the first are added, and the sums are scaled.
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

#include "portable_fallback/fast/integer_sums.h"

namespace arenite {
namespace {

// Sums are divided after their zero point is added: by up to 2^22 that is below 2^29.
constexpr uint32_t kRightMax = 22;

bool is_half(const DspFactor& factor) { return factor.multiplier == 1 << 30 && factor.right == 0; }

// Elements of an operand that is scaled by a half, as doubled sums count them.
struct HalvedOperand {
  uint32_t flip;
  int32_t power, added;
};

// Doubled sums of the other operand's numbers, `factor` times each, and `start`.
[[gnu::noinline]] void begin_sums(const DspSums& of, uint32_t which, int32_t factor, int32_t start,
                                  Src<std::byte> x, uint32_t count, int32_t* to) {
  const Scale scale(of.factors[which]);
  const Numbers number(of, which);
  for (; count != 0; --count, x += 1) *to++ = factor * scale(number(*x)) + start;
}

// Adds elements of the halved operand, and makes results of the whole range of their type.
[[gnu::noinline]] void finish_sums(const DspSums& of, const HalvedOperand& halved, Src<std::byte> x,
                                   const int32_t* sums, uint32_t count, Dst<std::byte> y) {
  // Those of uint8 are made as int8, 128 lower.
  const uint32_t flip = halved.flip, y_flip = of.flip;
  const int32_t power = halved.power;
  const int32_t multiplier = of.sum.multiplier;
  const uint32_t right = of.sum.right;
  const int32_t zero_point = of.zero_point - static_cast<int32_t>(y_flip);
  const int32_t half = of.sum.half + zero_point * (1 << right);
  for (const int32_t* const end = sums + count; sums != end; x += 1, y += 1) {
    const int32_t sum = static_cast<int32_t>(static_cast<uint32_t>(*x) ^ flip) * power + *sums++;
    const int32_t number = dsp::add_high_product(sum, multiplier, half + (sum >> 31)) >> right;
    *y = static_cast<std::byte>(static_cast<uint32_t>(dsp::saturated_8(number)) ^ y_flip);
  }
}

}  // namespace

void add_sums_apart_dsp(const DspSums& sums, const DspSumRow& row) { add_scaled_sums(sums, row); }

uint32_t halved_operand_dsp(const DspSums& of) {
  if (of.squares || of.left == 0 || of.sum.right - 1 >= kRightMax ||
      of.high - of.low != UINT8_MAX) {
    return 2;
  }
  uint32_t which = 0;
  while (which < 2 && !is_half(of.factors[which])) ++which;
  return which;
}

void add_sums_dsp(const DspSums& of, const DspSumRow& row) {
  const uint32_t which = halved_operand_dsp(of);
  if (which == 2 || row.steps[0] != 1 || row.steps[1] != 1 || row.y_step != 1) {
    return add_sums_apart_dsp(of, row);
  }
  const int32_t second = of.subtracts ? -1 : 1;
  const int32_t power = (which == 0 ? 1 : second) * (1 << of.left);
  const int32_t factor = which == 0 ? 2 * second : 2;
  const HalvedOperand halved = {of.flip ^ 0x80, power, (of.added[which] - 128) * power};
  int32_t sums[kDspSumsAtOnce];
  Src<std::byte> first = row.inputs[which], other = row.inputs[1 - which];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0;) {
    const uint32_t count = left < kDspSumsAtOnce ? left : kDspSumsAtOnce;
    begin_sums(of, 1 - which, factor, halved.added, other, count, sums);
    finish_sums(of, halved, first, sums, count, y);
    first += count;
    other += count;
    y += count;
    left -= count;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
