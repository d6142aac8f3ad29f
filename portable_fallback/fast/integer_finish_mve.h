// Makes results of 8 bits of the sums of some outputs at some places, four outputs at a time.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/integer_results.h"
#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

constexpr uint32_t kFinishedAtOnce = 48;  // outputs, at most

struct PlacesOfSums {
  const int32_t* sums;    // [places][to_next]
  const int32_t* biases;  // to add, of each output
  uint32_t places, to_next;
};
// Says where results go: elements between outputs and between places.
struct PlacesOfResults {
  Dst<int8_t> y;
  size_t y_c, y_w;
};

// Sums count themselves, a sixteenth, or that with factors that may be 1 and more.
enum class SumsOf : uint8_t { kOne, kSixteen, kSixteenShifted };
constexpr uint32_t right_of(SumsOf sums) { return sums == SumsOf::kOne ? 0 : 4; }

template <SumsOf kSums = SumsOf::kOne>
[[gnu::noinline]] void finish_each(const IntegerResults& results, uint32_t output, uint32_t count,
                                   const PlacesOfSums& from, PlacesOfResults to) {
  for (uint32_t j = 0; j < count; ++j, to.y += to.y_c) {
    const size_t factor = (output + j) * results.factor_step;
    for (uint32_t p = 0; p < from.places; ++p) {
      const int32_t sum = from.sums[size_t{p} * from.to_next + j] >> right_of(kSums);
      to.y[p * to.y_w] =
          static_cast<int8_t>(results.finish(results, mve::sum(sum, from.biases[j]),
                                             results.multipliers[factor], results.shifts[factor]));
    }
  }
}

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

// The product's upper half is rounded as kTfliteDouble has it, for any sum. Then halves go away
// from zero: they go up if negative numbers that are divided are one lower, which VQDMLAH makes
// them: the upper half of 2 * number is -1.
#define ARENITE_FINISH_FOUR(scale, left, sums, y, zero_point, one, low, high) \
  "vldrw.s32 q0, [" sums "], #16\n\t" scale "vadd.i32 q0, q0, q1\n\t" left    \
  "vqrdmulh.s32 q0, q0, q2\n\t"                                               \
  "vand q6, q0, q3\n\t"                                                       \
  "vqdmlah.s32 q0, q6, " one                                                  \
  "\n\t"                                                                      \
  "vrshl.s32 q0, q0, q3\n\t"                                                  \
  "vqadd.s32 q0, q0, " zero_point                                             \
  "\n\t"                                                                      \
  "vmax.s32 q0, q0, " low                                                     \
  "\n\t"                                                                      \
  "vmin.s32 q0, q0, " high                                                    \
  "\n\t"                                                                      \
  "vstrb.32 q0, [" y "], #4\n\t"

// The shifts to the left saturate.
#define ARENITE_SIXTEEN "vshr.s32 q0, q0, #4\n\t"
#define ARENITE_LEFT "vqshl.s32 q0, q0, q4\n\t"
#define ARENITE_BOTH_SHIFTS \
  "vmov.i32 q6, #0\n\t"     \
  "vmax.s32 q4, q3, q6\n\t" \
  "vmin.s32 q3, q3, q6\n\t"
#define ARENITE_FINISH_LOOP(split, fours)         \
  "wlstp.32 lr, %[count], 2f\n\t"                 \
  "1:\n\t"                                        \
  "vldrw.s32 q1, [%[biases]], #16\n\t"            \
  "vldrw.s32 q2, [%[multipliers]], #16\n\t"       \
  "vldrb.s32 q3, [%[shifts]], #4\n\t" split fours \
  "letp lr, 1b\n\t"                               \
  "2:"
#define ARENITE_FINISH_AT(scale, left, sums, y) \
  ARENITE_FINISH_FOUR(scale, left, sums, y, "%[zero_point]", "%[one]", "%q[low]", "%q[high]")

// Outputs that have factors of their own, at two places.
template <SumsOf kSums>
inline void finish_pair(const IntegerResults& results, const int32_t* multipliers,
                        const int8_t* shifts, uint32_t count, const int32_t* biases,
                        const int32_t* sums, const int32_t* next_sums, int8_t* y, int8_t* next_y) {
  const int32x4_t low = vdupq_n_s32(results.low);
  const int32x4_t high = vdupq_n_s32(results.high);
#define ARENITE_FINISH_PAIR(split, scale, left, ...)                                              \
  asm volatile(                                                                                   \
      ARENITE_FINISH_LOOP(split, ARENITE_FINISH_AT(scale, left, "%[sums]", "%[y]")                \
                                     ARENITE_FINISH_AT(scale, left, "%[next_sums]", "%[next_y]")) \
      : [biases] "+r"(biases), [multipliers] "+r"(multipliers), [shifts] "+l"(shifts),            \
        [sums] "+r"(sums), [next_sums] "+r"(next_sums), [y] "+l"(y), [next_y] "+l"(next_y)        \
      : [count] "r"(count), [zero_point] "r"(results.zero_point), [one] "r"(1), [low] "w"(low),   \
        [high] "w"(high)                                                                          \
      : "lr", "q0", "q1", "q2", "q3", "q6", "memory" __VA_OPT__(, ) __VA_ARGS__)
  if constexpr (kSums == SumsOf::kOne) {
    ARENITE_FINISH_PAIR("", "", "");
  } else if constexpr (kSums == SumsOf::kSixteen) {
    ARENITE_FINISH_PAIR("", ARENITE_SIXTEEN, "");
  } else {
    ARENITE_FINISH_PAIR(ARENITE_BOTH_SHIFTS, ARENITE_SIXTEEN, ARENITE_LEFT, "q4");
  }
#undef ARENITE_FINISH_PAIR
}

// The same at one.
template <SumsOf kSums>
inline void finish_one(const IntegerResults& results, const int32_t* multipliers,
                       const int8_t* shifts, uint32_t count, const int32_t* biases,
                       const int32_t* sums, int8_t* y) {
  const int32x4_t low = vdupq_n_s32(results.low);
  const int32x4_t high = vdupq_n_s32(results.high);
#define ARENITE_FINISH_ONE(split, scale, left, ...)                                             \
  asm volatile(ARENITE_FINISH_LOOP(split, ARENITE_FINISH_AT(scale, left, "%[sums]", "%[y]"))    \
               : [biases] "+r"(biases), [multipliers] "+r"(multipliers), [shifts] "+l"(shifts), \
                 [sums] "+r"(sums), [y] "+l"(y)                                                 \
               : [count] "r"(count), [zero_point] "r"(results.zero_point), [one] "r"(1),        \
                 [low] "w"(low), [high] "w"(high)                                               \
               : "lr", "q0", "q1", "q2", "q3", "q6", "memory" __VA_OPT__(, ) __VA_ARGS__)
  if constexpr (kSums == SumsOf::kOne) {
    ARENITE_FINISH_ONE("", "", "");
  } else if constexpr (kSums == SumsOf::kSixteen) {
    ARENITE_FINISH_ONE("", ARENITE_SIXTEEN, "");
  } else {
    ARENITE_FINISH_ONE(ARENITE_BOTH_SHIFTS, ARENITE_SIXTEEN, ARENITE_LEFT, "q4");
  }
#undef ARENITE_FINISH_ONE
}
#undef ARENITE_FINISH_AT
#undef ARENITE_FINISH_LOOP
#undef ARENITE_BOTH_SHIFTS
#undef ARENITE_LEFT
#undef ARENITE_SIXTEEN
#define ARENITE_FACTORS        \
  "ldr r0, %[biases]\n\t"      \
  "ldr r1, %[multipliers]\n\t" \
  "ldr r2, %[shifts]\n\t"      \
  "ldr lr, %[count]\n\t"
#define ARENITE_FOUR_FACTORS    \
  "vldrw.s32 q1, [r0], #16\n\t" \
  "vldrw.s32 q2, [r1], #16\n\t" \
  "vldrb.s32 q3, [r2], #4\n\t"

// The same at any number of places, two at a time. No register is left for
// operands, so that all lie on the stack.
inline void finish_places(const IntegerResults& results, const int32_t* multipliers,
                          const int8_t* shifts, uint32_t count, PlacesOfSums from, int8_t* y,
                          size_t y_w) {
  uint32_t pairs = from.places / 2;
  uint32_t odd = from.places % 2;
  uint32_t next_bytes = from.to_next * sizeof(int32_t);
  int32_t ends[3] = {results.zero_point, results.low, results.high};
  asm volatile(
      "ldr r8, %[zero_point]\n\t"
      "ldr r9, %[low]\n\t"
      "vdup.32 q4, r9\n\t"
      "ldr r9, %[high]\n\t"
      "vdup.32 q5, r9\n\t"
      "mov r9, #1\n\t"
      "ldr r3, %[sums]\n\t"
      "ldr r5, %[y]\n\t"
      "ldr r10, %[next]\n\t"
      "ldr r11, %[y_w]\n\t"
      "ldr r12, %[pairs]\n\t"
      "cmp r12, #0\n\t"
      "beq 4f\n\t"
      "1:\n\t"
      "add r4, r3, r10\n\t"
      "add r6, r5, r11\n\t"  //
      ARENITE_FACTORS
      "wlstp.32 lr, lr, 3f\n\t"
      "2:\n\t"  //
      ARENITE_FOUR_FACTORS ARENITE_FINISH_FOUR("", "", "r3", "r5", "r8", "r9", "q4", "q5") ARENITE_FINISH_FOUR("", "", "r4", "r6", "r8", "r9", "q4", "q5")
      "letp lr, 2b\n\t"
      "3:\n\t"
      "ldr r3, %[sums]\n\t"
      "add r3, r3, r10, lsl #1\n\t"
      "str r3, %[sums]\n\t"
      "ldr r5, %[y]\n\t"
      "add r5, r5, r11, lsl #1\n\t"
      "str r5, %[y]\n\t"
      "subs r12, #1\n\t"
      "bne 1b\n\t"
      "4:\n\t"
      "ldr r12, %[odd]\n\t"
      "cmp r12, #0\n\t"
      "beq 6f\n\t"  //
      ARENITE_FACTORS
      "wlstp.32 lr, lr, 6f\n\t"
      "5:\n\t"  //
      ARENITE_FOUR_FACTORS ARENITE_FINISH_FOUR("", "", "r3", "r5", "r8", "r9", "q4", "q5")
      "letp lr, 5b\n\t"
      "6:"
      : [biases] "+m"(from.biases), [multipliers] "+m"(multipliers), [shifts] "+m"(shifts),
        [sums] "+m"(from.sums), [y] "+m"(y), [y_w] "+m"(y_w), [count] "+m"(count),
        [next] "+m"(next_bytes), [pairs] "+m"(pairs), [odd] "+m"(odd), [zero_point] "+m"(ends[0]),
        [low] "+m"(ends[1]), [high] "+m"(ends[2])
      :
      : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "q0", "q1",
        "q2", "q3", "q4", "q5", "q6", "cc", "memory");
}
#undef ARENITE_FOUR_FACTORS
#undef ARENITE_FACTORS
#undef ARENITE_FINISH_FOUR

template <bool kMany, SumsOf kSums = SumsOf::kOne>
[[gnu::always_inline]] inline void finish_vectors(const IntegerResults& results, uint32_t output,
                                                  uint32_t count, const PlacesOfSums& from,
                                                  const PlacesOfResults& to) {
  const int32_t* multipliers = results.multipliers;
  const int8_t* shifts = results.shifts;
  int32_t same_multipliers[kFinishedAtOnce];
  int8_t same_shifts[kFinishedAtOnce];
  if (results.factor_step != 0) {
    multipliers += output;
    shifts += output;
  } else {
    for (uint32_t i = 0; i < kFinishedAtOnce; i += 4) {
      vstrwq_s32(same_multipliers + i, vdupq_n_s32(*multipliers));
      vstrbq_s32(same_shifts + i, vdupq_n_s32(*shifts));
    }
    multipliers = same_multipliers;
    shifts = same_shifts;
  }
  static_assert(!kMany || kSums == SumsOf::kOne);
  if constexpr (kMany) {
    finish_places(results, multipliers, shifts, count, from, to.y, to.y_w);
  } else if (from.places == 2) {
    finish_pair<kSums>(results, multipliers, shifts, count, from.biases, from.sums,
                       from.sums + from.to_next, to.y, to.y + to.y_w);
  } else {
    finish_one<kSums>(results, multipliers, shifts, count, from.biases, from.sums, to.y);
  }
}

#else

inline int32_t shifted_left(int32_t sum, int32_t shift) {
  const int64_t number = int64_t{sum} << shift;
  if (number < INT32_MIN) return INT32_MIN;
  return static_cast<int32_t>(number > INT32_MAX ? INT32_MAX : number);
}

inline int32_t finished(const IntegerResults& results, int32_t sum, size_t factor) {
  const int32_t left = results.shifts[factor] > 0 ? results.shifts[factor] : 0;
  const int64_t product =
      int64_t{shifted_left(sum, left)} * results.multipliers[factor] + (int64_t{1} << 30);
  const int32_t right = left - results.shifts[factor];
  const int64_t half = right == 0 ? 0 : (int64_t{1} << right) / 2;
  const int64_t whole = product >> 31;
  const int64_t lower = whole < 0 && right != 0 ? -1 : 0;
  const int64_t number = ((whole + lower + half) >> right) + results.zero_point;
  if (number < results.low) return results.low;
  return static_cast<int32_t>(number > results.high ? results.high : number);
}

template <bool kMany, SumsOf kSums = SumsOf::kOne>
[[gnu::always_inline]] inline void finish_vectors(const IntegerResults& results, uint32_t output,
                                                  uint32_t count, const PlacesOfSums& from,
                                                  const PlacesOfResults& to) {
  // Two places at a time read each bias once, as the vectors do.
  for (uint32_t pair = 0; pair < from.places; pair += 2) {
    const uint32_t end = from.places - pair < 2 ? from.places : pair + 2;
    for (uint32_t j = 0; j < count; ++j) {
      const size_t factor = (output + j) * results.factor_step;
      const int32_t bias = from.biases[j];
      for (uint32_t p = pair; p < end; ++p) {
        const int32_t sum = from.sums[size_t{p} * from.to_next + j] >> right_of(kSums);
        to.y[j + p * to.y_w] = static_cast<int8_t>(finished(results, mve::sum(sum, bias), factor));
      }
    }
  }
}

#endif

// Factors follow each other, or all outputs have the same. results.rounds_twice: all shifts are in
// [-31, 0], too, or of kSixteenShifted in [-31, 31]. Of more than two places if kMany.
template <bool kMany, SumsOf kSums = SumsOf::kOne>
[[gnu::always_inline]] inline void finish(const IntegerResults& results, uint32_t output,
                                          uint32_t count, const PlacesOfSums& from,
                                          const PlacesOfResults& to) {
  if (results.rounds_twice && to.y_c == 1 && results.factor_step <= 1) {
    finish_vectors<kMany, kSums>(results, output, count, from, to);
  } else {
    finish_each<kSums>(results, output, count, from, to);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
