// Multiplies four numbers of both inputs in 32 bits and divides their sums; a quotient without a
// rest loses its last bit.
#include "portable_fallback/fast/integer_sums_even_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

#define ARENITE_SUMS(load)                                                                       \
  asm volatile(                                                                                  \
      "wlstp.32 lr, %[count], 2f\n\t"                                                            \
      "1:\n\t" load " q0, [%[a]], #4\n\t" load                                                   \
      " q1, [%[b]], #4\n\t"                                                                      \
      "vmul.i32 q0, q0, %[first]\n\t"                                                            \
      "vmla.s32 q0, q1, %[second]\n\t"                                                           \
      "vadd.i32 q0, q0, %[added]\n\t"                                                            \
      "vshl.s32 q1, q0, %q[left]\n\t"                                                            \
      "vshl.s32 q0, %[shift]\n\t"                                                                \
      "vpt.i32 eq, q1, zr\n\t"                                                                   \
      "vandt q0, q0, %q[even]\n\t"                                                               \
      "vqadd.s32 q0, q0, %[zero_point]\n\t"                                                      \
      "vmax.s32 q0, q0, %q[low]\n\t"                                                             \
      "vmin.s32 q0, q0, %q[high]\n\t"                                                            \
      "vstrb.32 q0, [%[y]], #4\n\t"                                                              \
      "letp lr, 1b\n\t"                                                                          \
      "2:"                                                                                       \
      : [a] "+l"(a), [b] "+l"(b), [y] "+l"(y)                                                    \
      : [count] "r"(row.count), [first] "r"(of.multipliers[0]), [second] "r"(of.multipliers[1]), \
        [added] "r"(of.added), [shift] "r"(-right), [left] "w"(left), [even] "w"(even),          \
        [zero_point] "r"(of.zero_point), [low] "w"(low), [high] "w"(high)                        \
      : "lr", "q0", "q1", "p0", "memory")

bool add_neighbors(const OnceSums& of, const OnceSumRow& row) {
  if (row.steps[0] != 1 || row.steps[1] != 1 || row.y_step != 1) return false;
  const int32x4_t low = vdupq_n_s32(of.low);
  const int32x4_t high = vdupq_n_s32(of.high);
  const int32x4_t even = vdupq_n_s32(~1);
  const auto right = static_cast<int32_t>(of.right);
  const int32x4_t left = vdupq_n_s32(32 - right);
  const std::byte* a = row.inputs[0];
  const std::byte* b = row.inputs[1];
  std::byte* y = row.y;
  if (of.is_unsigned) {
    ARENITE_SUMS("vldrb.u32");
  } else {
    ARENITE_SUMS("vldrb.s32");
  }
  return true;
}
#undef ARENITE_SUMS

#else

inline bool add_neighbors(const OnceSums&, const OnceSumRow&) { return false; }

#endif

}  // namespace

void add_sums_even_mve(const OnceSums& sums, const OnceSumRow& row) {
  if (add_neighbors(sums, row)) return;
  sums.is_unsigned ? add_once_sums<uint8_t, true>(sums, row)
                   : add_once_sums<int8_t, true>(sums, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
