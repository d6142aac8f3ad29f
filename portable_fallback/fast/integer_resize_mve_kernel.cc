// Weighs four channels at once, and moves sixteen.
#include "portable_fallback/fast/integer_resize_mve_kernel.h"

#ifdef __ARM_FEATURE_MVE
#include <arm_mve.h>
#endif

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

constexpr uint32_t kLanes = 4;

// Negative sums are one lower, so that halves, which VRSHL rounds up, go away from zero.
#define ARENITE_WEIGH(load)                                                                       \
  asm volatile(                                                                                   \
      "wlstp.32 lr, %[count], 2f\n\t"                                                             \
      "1:\n\t" load                                                                               \
      " q0, [%[x0]], #4\n\t"                                                                      \
      "vmul.i32 q0, q0, %[f0]\n\t" load                                                           \
      " q1, [%[x1]], #4\n\t"                                                                      \
      "vmla.s32 q0, q1, %[f1]\n\t" load                                                           \
      " q1, [%[x2]], #4\n\t"                                                                      \
      "vmla.s32 q0, q1, %[f2]\n\t" load                                                           \
      " q1, [%[x3]], #4\n\t"                                                                      \
      "vmla.s32 q0, q1, %[f3]\n\t"                                                                \
      "vshr.s32 q1, q0, #31\n\t"                                                                  \
      "vqadd.s32 q0, q0, q1\n\t"                                                                  \
      "vrshl.s32 q0, %[shift]\n\t"                                                                \
      "vmax.s32 q0, q0, %q[low]\n\t"                                                              \
      "vmin.s32 q0, q0, %q[high]\n\t"                                                             \
      "vstrb.32 q0, [%[y]], #4\n\t"                                                               \
      "letp lr, 1b\n\t"                                                                           \
      "2:"                                                                                        \
      : [x0] "+l"(x0), [x1] "+l"(x1), [x2] "+l"(x2), [x3] "+l"(x3), [y] "+l"(y)                   \
      : [count] "r"(line.channels), [f0] "r"(taps.factors[0]), [f1] "r"(taps.factors[1]),         \
        [f2] "r"(taps.factors[2]), [f3] "r"(taps.factors[3]), [shift] "r"(shift), [low] "w"(low), \
        [high] "w"(high)                                                                          \
      : "lr", "q0", "q1", "memory")

[[gnu::noinline]] void weigh_four_lanes(const ResizeLine& line, const ResizeTaps& taps,
                                        const std::byte* x, std::byte* y) {
  const int32x4_t low = vdupq_n_s32(line.is_unsigned ? 0 : INT8_MIN);
  const int32x4_t high = vdupq_n_s32(line.is_unsigned ? UINT8_MAX : INT8_MAX);
  const int32_t shift = -static_cast<int32_t>(line.fraction_bits);
  const std::byte* x0 = x;
  const std::byte* x1 = x + taps.offsets[1];
  const std::byte* x2 = x + taps.offsets[2];
  const std::byte* x3 = x + taps.offsets[3];
  if (line.is_unsigned) {
    ARENITE_WEIGH("vldrb.u32");
  } else {
    ARENITE_WEIGH("vldrb.s32");
  }
}
#undef ARENITE_WEIGH

void weigh_place(const ResizeLine& line, const ResizeTaps& taps, const std::byte* x, std::byte* y) {
  if (taps.count == 4 && line.channels >= kLanes) {
    weigh_four_lanes(line, taps, x, y);
  } else {
    weigh_each(line, taps, x, y);
  }
}

inline void move_place(const std::byte* x, std::byte* y, uint32_t count) {
  asm volatile(
      "wlstp.8 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[x]], #16\n\t"
      "vstrb.8 q0, [%[y]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [x] "+l"(x), [y] "+l"(y)
      : [count] "r"(count)
      : "lr", "q0", "memory");
}

#else

inline void weigh_place(const ResizeLine& line, const ResizeTaps& taps, Src<std::byte> x,
                        Dst<std::byte> y) {
  weigh_each(line, taps, x, y);
}
inline void move_place(Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  move_each<uint8_t>(x, y, count);
}

#endif

}  // namespace

void resize_line_mve(const ResizeLine& line) {
  resize_places<uint8_t>(line, weigh_place, move_place);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
