// Four floats at once: in the registers of a scalar FPU, or with ARENITE_MVE_FOURS, which a
// kernel's file defines before it includes this, in a vector of Arm's MVE; both in plain C++
// elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

#if defined(ARENITE_MVE_FOURS) && defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2) != 0
#define ARENITE_FOURS_ARE_VECTORS
#include <arm_mve.h>
#endif

namespace arenite {
// Belongs to each kernel's file alone, as its flags do.
namespace {

inline float limited(float number, float low, float high) {
  const float raised = number < low ? low : number;
  return raised > high ? high : raised;
}

#ifdef ARENITE_FOURS_ARE_VECTORS

using Four = float32x4_t;

inline Four four_of(float value) { return vdupq_n_f32(value); }
inline Four load_four(const float* from) { return vld1q_f32(from); }
inline void store_four(float* to, Four four) { vst1q_f32(to, four); }
inline void add_product(Four a, float b, Four& sum) { sum = vfmaq_n_f32(sum, a, b); }
inline void add_products(Four a, Four b, Four& sum) { sum = vfmaq_f32(sum, a, b); }
inline Four limited(Four four, float low, float high) {
  four = vpselq_f32(four_of(low), four, vcmpltq_n_f32(four, low));
  return vpselq_f32(four_of(high), four, vcmpgtq_n_f32(four, high));
}

#else

struct Four {
  float a, b, c, d;
};

inline Four four_of(float value) { return {value, value, value, value}; }
inline Four load_four(const float* from) { return {from[0], from[1], from[2], from[3]}; }
inline void store_four(float* to, Four four) {
  to[0] = four.a;
  to[1] = four.b;
  to[2] = four.c;
  to[3] = four.d;
}
inline void add_product(Four a, float b, Four& sum) {
  sum.a += a.a * b;
  sum.b += a.b * b;
  sum.c += a.c * b;
  sum.d += a.d * b;
}
inline void add_products(Four a, Four b, Four& sum) {
  sum.a += a.a * b.a;
  sum.b += a.b * b.b;
  sum.c += a.c * b.c;
  sum.d += a.d * b.d;
}
inline Four limited(Four four, float low, float high) {
  return {limited(four.a, low, high), limited(four.b, low, high), limited(four.c, low, high),
          limited(four.d, low, high)};
}

#endif

// Scalar FPUs load several neighboring floats by one instruction, which compilers do not use.
#if !defined(ARENITE_FOURS_ARE_VECTORS) && defined(__thumb2__) && defined(__OPTIMIZE__) && \
    defined(__ARM_FP) && (__ARM_FP & 4) != 0
#define ARENITE_FOURS_BY_VLDM
#endif

// sum plus the products of four numbers at x and at w.
inline void add_products_at(const float* x, const float* w, Four& sum) {
#ifdef ARENITE_FOURS_BY_VLDM
  float a = sum.a, b = sum.b, c = sum.c, d = sum.d;
  asm("vldmia %[x], {s16-s19}\n\t"
      "vldmia %[w], {s20-s23}\n\t"
      "vfma.f32 %[a], s16, s20\n\t"
      "vfma.f32 %[b], s17, s21\n\t"
      "vfma.f32 %[c], s18, s22\n\t"
      "vfma.f32 %[d], s19, s23"
      : [a] "+t"(a), [b] "+t"(b), [c] "+t"(c), [d] "+t"(d)
      : [x] "r"(x), [w] "r"(w), "m"(x[0]), "m"(x[1]), "m"(x[2]), "m"(x[3]), "m"(w[0]), "m"(w[1]),
        "m"(w[2]), "m"(w[3])
      : "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23");
  sum = {a, b, c, d};
#else
  add_products(load_four(x), load_four(w), sum);
#endif
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
