// Makes four products in 32 bits and both words of what each is multiplied to; a quotient without a
// rest loses its last bit.
#include "portable_fallback/fast/integer_pairs_even_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

// `second` makes the second operand's numbers: it loads neighbors, or repeats one.
#define ARENITE_PRODUCTS(load, second)                                                      \
  asm volatile(                                                                             \
      "wlstp.32 lr, %[count], 2f\n\t"                                                       \
      "1:\n\t" load " q0, [%[a]], #4\n\t" second                                            \
      "vadd.i32 q0, q0, %[of_a]\n\t"                                                        \
      "vadd.i32 q1, q1, %[of_b]\n\t"                                                        \
      "vmul.i32 q0, q0, q1\n\t"                                                             \
      "vshl.s32 q0, %[raise]\n\t"                                                           \
      "vmul.i32 q1, q0, %q[multiplier]\n\t"                                                 \
      "vmulh.s32 q0, q0, %q[multiplier]\n\t"                                                \
      "vadd.i32 q0, q0, %[half]\n\t"                                                        \
      "vshl.s32 q2, q0, %q[left]\n\t"                                                       \
      "vorr q1, q1, q2\n\t"                                                                 \
      "vshl.s32 q0, %[shift]\n\t"                                                           \
      "vpt.i32 eq, q1, zr\n\t"                                                              \
      "vandt q0, q0, %q[even]\n\t"                                                          \
      "vadd.i32 q0, q0, %[zero_point]\n\t"                                                  \
      "vmax.s32 q0, q0, %q[low]\n\t"                                                        \
      "vmin.s32 q0, q0, %q[high]\n\t"                                                       \
      "vstrb.32 q0, [%[y]], #4\n\t"                                                         \
      "letp lr, 1b\n\t"                                                                     \
      "2:"                                                                                  \
      : [a] "+l"(a), [b] "+l"(b), [y] "+l"(y)                                               \
      : [count] "r"(row.count), [of_a] "r"(-of_a), [of_b] "r"(-of_b), [raise] "r"(raise),   \
        [half] "r"(1 << (right - 1)), [shift] "r"(-right), [zero_point] "r"(by.zero_point), \
        [multiplier] "w"(multiplier), [left] "w"(left), [even] "w"(even), [low] "w"(low),   \
        [high] "w"(high)                                                                    \
      : "lr", "q0", "q1", "q2", "p0", "memory")

// The operands' places in the row: the first one's elements are neighbors.
void multiply_rows(const EvenPairs& by, const IntegerPairRow& row, uint32_t first) {
  const uint32_t second = 1 - first;
  const int32x4_t multiplier = vdupq_n_s32(by.factor.multiplier);
  const int32x4_t low = vdupq_n_s32(by.low), high = vdupq_n_s32(by.high);
  const int32x4_t even = vdupq_n_s32(~1);
  const auto right = static_cast<int32_t>(by.factor.right);
  const int32x4_t left = vdupq_n_s32(32 - right);
  const uint32_t raise = by.factor.raise;
  const int32_t of_a = by.zero_points[first], of_b = by.zero_points[second];
  const std::byte* a = row.inputs[first];
  std::byte* y = row.y;
  if (row.steps[second] == 1) {
    const std::byte* b = row.inputs[second];
    if (by.is_unsigned) {
      ARENITE_PRODUCTS("vldrb.u32", "vldrb.u32 q1, [%[b]], #4\n\t");
    } else {
      ARENITE_PRODUCTS("vldrb.s32", "vldrb.s32 q1, [%[b]], #4\n\t");
    }
    return;
  }
  int32_t b = by.is_unsigned ? int32_t{*as<uint8_t>(row.inputs[second])}
                             : int32_t{*as<int8_t>(row.inputs[second])};
  if (by.is_unsigned) {
    ARENITE_PRODUCTS("vldrb.u32", "vdup.32 q1, %[b]\n\t");
  } else {
    ARENITE_PRODUCTS("vldrb.s32", "vdup.32 q1, %[b]\n\t");
  }
}
#undef ARENITE_PRODUCTS

bool multiply_vectors(const EvenPairs& by, const IntegerPairRow& row) {
  if (row.y_step != 1) return false;
  const uint32_t first = row.steps[0] == 1 ? 0 : 1;
  const ptrdiff_t other = row.steps[1 - first];
  if (row.steps[first] != 1 || (other != 0 && other != 1)) return false;
  multiply_rows(by, row, first);
  return true;
}

#else

inline bool multiply_vectors(const EvenPairs&, const IntegerPairRow&) { return false; }

#endif

}  // namespace

void multiply_pairs_even_mve(const EvenPairs& by, const IntegerPairRow& row) {
  if (multiply_vectors(by, row)) return;
  by.is_unsigned ? multiply_even_each<uint8_t>(by, row) : multiply_even_each<int8_t>(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
