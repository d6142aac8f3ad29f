// Adds the products of four rows of weights to the sums of four places, or of one.
#pragma once

#include "portable_fallback/fast/fours.h"

namespace arenite {
namespace {

#ifdef ARENITE_FOURS_BY_VLDM
#define ARENITE_ADD_FOUR(s0, s1, s2, s3, by) \
  "vfma.f32 " s0 ", s16, " by                \
  "\n\t"                                     \
  "vfma.f32 " s1 ", s17, " by                \
  "\n\t"                                     \
  "vfma.f32 " s2 ", s18, " by                \
  "\n\t"                                     \
  "vfma.f32 " s3 ", s19, " by "\n\t"
#define ARENITE_ADD_ROW(row, sum) \
  "vldmia %[" row                 \
  "]!, {s20-s23}\n\t"             \
  "vfma.f32 %[" sum               \
  "], s16, s20\n\t"               \
  "vfma.f32 %[" sum               \
  "], s17, s21\n\t"               \
  "vfma.f32 %[" sum               \
  "], s18, s22\n\t"               \
  "vfma.f32 %[" sum "], s19, s23\n\t"
#endif

// Adds the products of four columns and four places to sums[column][place].
[[gnu::noinline]] void add_tile(const float* const (&rows)[4], const float* x, uint32_t depth,
                                float (&sums)[16]) {
  const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
#ifdef ARENITE_FOURS_BY_VLDM
  uint32_t pairs = depth / 2;
  depth %= 2;
  if (pairs != 0) {
    asm("vldmia %[sums], {s0-s15}\n\t"
        "1:\n\t"
        "vldmia %[x]!, {s16-s19}\n\t"
        "vldmia %[a]!, {s20-s21}\n\t"
        "vldmia %[b]!, {s22-s23}\n\t"
        "vldmia %[c]!, {s24-s25}\n\t"
        "vldmia %[d]!, {s26-s27}\n\t"                        //
        ARENITE_ADD_FOUR("s0", "s1", "s2", "s3", "s20")      //
        ARENITE_ADD_FOUR("s4", "s5", "s6", "s7", "s22")      //
        ARENITE_ADD_FOUR("s8", "s9", "s10", "s11", "s24")    //
        ARENITE_ADD_FOUR("s12", "s13", "s14", "s15", "s26")  //
        "vldmia %[x]!, {s16-s19}\n\t"                        //
        ARENITE_ADD_FOUR("s0", "s1", "s2", "s3", "s21")      //
        ARENITE_ADD_FOUR("s4", "s5", "s6", "s7", "s23")      //
        ARENITE_ADD_FOUR("s8", "s9", "s10", "s11", "s25")    //
        ARENITE_ADD_FOUR("s12", "s13", "s14", "s15", "s27")  //
        "subs %[pairs], #1\n\t"
        "bne 1b\n\t"
        "vstmia %[sums], {s0-s15}"
        : [x] "+r"(x), [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [pairs] "+r"(pairs)
        : [sums] "r"(&sums[0])
        : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13",
          "s14", "s15", "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26",
          "s27", "cc", "memory");
  }
  if (depth == 0) return;
#endif
  Four of_a = load_four(sums), of_b = load_four(sums + 4), of_c = load_four(sums + 8),
       of_d = load_four(sums + 12);
  const auto add = [&](uint32_t k) __attribute__((always_inline)) {
    const Four numbers = load_four(x + 4 * k);
    add_product(numbers, a[k], of_a);
    add_product(numbers, b[k], of_b);
    add_product(numbers, c[k], of_c);
    add_product(numbers, d[k], of_d);
  };
  for (; depth % 4 != 0; --depth, ++a, ++b, ++c, ++d, x += 4) add(0);
  for (; depth != 0; depth -= 4, a += 4, b += 4, c += 4, d += 4, x += 16) {
    add(0);
    add(1);
    add(2);
    add(3);
  }
  store_four(sums, of_a);
  store_four(sums + 4, of_b);
  store_four(sums + 8, of_c);
  store_four(sums + 12, of_d);
}

// Adds the products of four rows and x to the sums of one place.
#ifdef ARENITE_MVE_FOURS

// Each sum is added up in four parts.
[[gnu::noinline]] void add_rows(const float* const (&rows)[4], const float* x, uint32_t depth,
                                float (&sums)[4]) {
  const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
  Four of_a = four_of(0), of_b = of_a, of_c = of_a, of_d = of_a;
  for (; depth >= 4; depth -= 4, x += 4, a += 4, b += 4, c += 4, d += 4) {
    const Four numbers = load_four(x);
    add_products(load_four(a), numbers, of_a);
    add_products(load_four(b), numbers, of_b);
    add_products(load_four(c), numbers, of_c);
    add_products(load_four(d), numbers, of_d);
  }
  float parts[4][4];
  store_four(parts[0], of_a);
  store_four(parts[1], of_b);
  store_four(parts[2], of_c);
  store_four(parts[3], of_d);
  for (uint32_t j = 0; j < 4; ++j) {
    sums[j] += (parts[j][0] + parts[j][1]) + (parts[j][2] + parts[j][3]);
  }
  for (; depth != 0; --depth, ++x) {
    sums[0] += *a++ * *x;
    sums[1] += *b++ * *x;
    sums[2] += *c++ * *x;
    sums[3] += *d++ * *x;
  }
}

#else

[[gnu::noinline]] void add_rows(const float* const (&rows)[4], const float* x, uint32_t depth,
                                float (&sums)[4]) {
  const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
  float of_a = sums[0], of_b = sums[1], of_c = sums[2], of_d = sums[3];
#ifdef ARENITE_FOURS_BY_VLDM
  for (; depth >= 4; depth -= 4) {
    asm("vldmia %[x]!, {s16-s19}\n\t"  //
        ARENITE_ADD_ROW("a", "of_a")   //
        ARENITE_ADD_ROW("b", "of_b")   //
        ARENITE_ADD_ROW("c", "of_c")   //
        ARENITE_ADD_ROW("d", "of_d")   //
        : [x] "+r"(x), [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [of_a] "+t"(of_a),
          [of_b] "+t"(of_b), [of_c] "+t"(of_c), [of_d] "+t"(of_d)
        :
        : "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "memory");
  }
#endif
  for (; depth != 0; --depth, ++x) {
    of_a += *a++ * *x;
    of_b += *b++ * *x;
    of_c += *c++ * *x;
    of_d += *d++ * *x;
  }
  sums[0] = of_a, sums[1] = of_b, sums[2] = of_c, sums[3] = of_d;
}

#endif

#ifdef ARENITE_FOURS_BY_VLDM
#undef ARENITE_ADD_ROW
#undef ARENITE_ADD_FOUR
#endif

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
