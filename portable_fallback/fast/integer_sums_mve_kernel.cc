// Scales four numbers of int8 of both inputs in 32 bits, adds them and scales the sums. Rows with
// gaps and those of uint8, whose sums models round once, are the DSP extension's, which each CPU
// with MVE has.
#include "portable_fallback/fast/integer_sums_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
namespace {

// What the loop holds in registers beside its vectors.
struct Constants {
  int32_t multipliers[3];  // of both numbers and of the sum
  // 1, or 0 where nothing is divided: negative products are one lower, so that halves, which go up,
  // go away from zero.
  int32_t lowers[3];
  int32_t added[2];  // to both numbers, times 2^left
  int32_t zero_point;
};

int32_t lower_of(const DspFactor& factor) { return factor.right == 0 ? 0 : 1; }
int32x4_t shift_of(const DspFactor& factor) {
  return vdupq_n_s32(-static_cast<int32_t>(factor.right));
}

// Four numbers of x less the zero point, times 2^left, times a factor.
#define ARENITE_NUMBERS(x, q, multiplier, lower, added, shift) \
  "vldrb.s32 " q ", [%[" x                                     \
  "]], #4\n\t"                                                 \
  "vmul.i32 " q ", " q                                         \
  ", %q[power]\n\t"                                            \
  "vadd.i32 " q ", " q ", " added "\n\t" ARENITE_SCALE(q, multiplier, lower, shift)
#define ARENITE_SCALE(q, multiplier, lower, shift) \
  "vqrdmulh.s32 " q ", " q ", " multiplier         \
  "\n\t"                                           \
  "vqdmlah.s32 " q ", " q ", " lower               \
  "\n\t"                                           \
  "vrshl.s32 " q ", " q ", %q[" shift "]\n\t"
#define ARENITE_SUMS(combine) \
  asm volatile(                                                                                   \
      "ldr lr, %[constants]\n\t"                                                                  \
      "ldm lr, {r3, r4, r5, r6, r8, r9, r10, r11, r12}\n\t"                                       \
      "wlstp.32 lr, %[count], 2f\n\t"                                                             \
      "1:\n\t"                                                                                    \
      ARENITE_NUMBERS("a", "q0", "r3", "r6", "r10", "first")                                      \
      ARENITE_NUMBERS("b", "q1", "r4", "r8", "r11", "second")                                     \
      combine "\n\t"                                                                              \
      ARENITE_SCALE("q0", "r5", "r9", "whole")                                                    \
      "vqadd.s32 q0, q0, r12\n\t"                                                                 \
      "vmax.s32 q0, q0, %q[low]\n\t"                                                              \
      "vmin.s32 q0, q0, %q[high]\n\t"                                                             \
      "vstrb.32 q0, [%[y]], #4\n\t"                                                               \
      "letp lr, 1b\n\t"                                                                           \
      "2:"                                                                                        \
      : [a] "+l"(a), [b] "+l"(b), [y] "+l"(y), [constants] "+m"(at)                               \
      : [count] "r"(row.count), [power] "w"(power), [first] "w"(first), [second] "w"(second),     \
        [whole] "w"(whole), [low] "w"(low), [high] "w"(high)                                      \
      : "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "q0", "q1", "memory")

}  // namespace

void add_sums_mve(const DspSums& sums, const DspSumRow& row) {
  const bool is_signed = sums.flip == 0;
  if (!is_signed || row.steps[0] != 1 || row.steps[1] != 1 || row.y_step != 1) {
    return add_sums_apart_dsp(sums, row);
  }
  const int32_t power_of_left = 1 << sums.left;
  const Constants constants = {
      {sums.factors[0].multiplier, sums.factors[1].multiplier, sums.sum.multiplier},
      {lower_of(sums.factors[0]), lower_of(sums.factors[1]), lower_of(sums.sum)},
      {sums.added[0] * power_of_left, sums.added[1] * power_of_left},
      sums.zero_point};
  const Constants* at = &constants;
  const int32x4_t power = vdupq_n_s32(power_of_left);
  const int32x4_t first = shift_of(sums.factors[0]);
  const int32x4_t second = shift_of(sums.factors[1]);
  const int32x4_t whole = shift_of(sums.sum);
  const int32x4_t low = vdupq_n_s32(sums.low);
  const int32x4_t high = vdupq_n_s32(sums.high);
  const std::byte* a = row.inputs[0];
  const std::byte* b = row.inputs[1];
  std::byte* y = row.y;
  if (sums.squares) {
    ARENITE_SUMS("vsub.i32 q0, q0, q1\n\tvmul.i32 q0, q0, q0");
  } else if (sums.subtracts) {
    ARENITE_SUMS("vsub.i32 q0, q0, q1");
  } else {
    ARENITE_SUMS("vadd.i32 q0, q0, q1");
  }
}

#else

void add_sums_mve(const DspSums& sums, const DspSumRow& row) { add_sums_apart_dsp(sums, row); }

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
