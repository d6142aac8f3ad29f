// Makes results of 8 bits of sums that are rounded once, four outputs at a time: as float32
// arithmetic rounds them, halves to even, or halves up.
#pragma once

#include "portable_fallback/fast/integer_finish_mve.h"

namespace arenite {
namespace {

// Results in plain C++ of neighboring outputs, which reads each bias as often as vectors do: once,
// or at each place. of_places may be null.
[[gnu::noinline]] inline void finish_outputs(const IntegerResults& results, uint32_t output,
                                             uint32_t count, const PlacesOfSums& from,
                                             const PlacesOfResults& to, const int32_t* of_places,
                                             bool reads_once) {
  for (uint32_t j = 0; j < count; ++j) {
    const size_t factor = (output + j) * results.factor_step;
    int32_t bias = from.biases[j];
    for (uint32_t p = 0; p < from.places; ++p) {
      if (p != 0 && !reads_once) bias = from.biases[j];
      const int32_t of_place = of_places != nullptr ? of_places[p] : 0;
      const int32_t sum = mve::sum(from.sums[size_t{p} * from.to_next + j], of_place);
      to.y[p * to.y_w + j] = static_cast<int8_t>(results.finish(
          results, mve::sum(sum, bias), results.multipliers[factor], results.shifts[factor]));
    }
  }
}

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

#if (__ARM_FEATURE_MVE & 2) != 0
constexpr bool kHasFloatVectors = true;
// The numbers of four sums in float32, which the vectors round to the nearest, halves to even.
inline float32x4_t float_factors(int32x4_t multipliers, int32x4_t shifts) {
  const int32x4_t exponents = vshlq_n_s32(vaddq_n_s32(shifts, 127 - 31), 23);
  return vmulq_f32(vcvtq_f32_s32(multipliers), vreinterpretq_f32_s32(exponents));
}

inline int32x4_t in_float32(int32x4_t sums, int32x4_t multipliers, int32x4_t shifts) {
  return vcvtnq_s32_f32(vmulq_f32(vcvtq_f32_s32(sums), float_factors(multipliers, shifts)));
}

// Four outputs: q1 are their biases, q2 their factors.
#define ARENITE_FLOAT_FOUR(sums, of_place, y) \
  "vldrw.s32 q0, [" sums                      \
  "], #16\n\t"                                \
  "vadd.i32 q0, q0, q1\n\t"                   \
  "vadd.i32 q0, q0, " of_place                \
  "\n\t"                                      \
  "vcvt.f32.s32 q0, q0\n\t"                   \
  "vmul.f32 q0, q0, q2\n\t"                   \
  "vcvtn.s32.f32 q0, q0\n\t"                  \
  "vqadd.s32 q0, q0, %[zero_point]\n\t"       \
  "vmax.s32 q0, q0, %q[low]\n\t"              \
  "vmin.s32 q0, q0, %q[high]\n\t"             \
  "vstrb.32 q0, [" y "], #4\n\t"
#define ARENITE_FLOAT_FACTORS               \
  "vldrw.s32 q2, [%[multipliers]], #16\n\t" \
  "vldrb.s32 q3, [%[shifts]], #4\n\t"       \
  "vcvt.f32.s32 q2, q2\n\t"                 \
  "vadd.i32 q3, q3, %[exponent]\n\t"        \
  "vshl.i32 q3, q3, #23\n\t"                \
  "vmul.f32 q2, q2, q3\n\t"
#define ARENITE_FLOAT_LOOP(begin, body)         \
  begin                                         \
      "wlstp.32 lr, %[count], 2f\n\t"           \
      "1:\n\t"                                  \
      "vldrw.s32 q1, [%[biases]], #16\n\t" body \
      "letp lr, 1b\n\t"                         \
      "2:"

// One or two places of outputs that have one factor, or each its own. of_places: what is added to
// all sums of each.
[[gnu::noinline]] void finish_floats(const IntegerResults& results, uint32_t output, uint32_t count,
                                     const PlacesOfSums& from, const PlacesOfResults& to,
                                     const int32_t* of_places) {
  const int32x4_t low = vdupq_n_s32(results.low);
  const int32x4_t high = vdupq_n_s32(results.high);
  const int32_t* biases = from.biases;
  const int32_t* sums = from.sums;
  int8_t* y = to.y;
  const int32_t* multipliers = results.multipliers;
  const int8_t* shifts = results.shifts;
  if (results.factor_step != 0) {
    multipliers += output;
    shifts += output;
    for (uint32_t p = 0; p < from.places; ++p, sums += from.to_next, y += to.y_w) {
      const int32_t* sums_at = sums;
      int8_t* y_at = y;
      const int32_t* biases_at = biases;
      const int32_t* multipliers_at = multipliers;
      const int8_t* shifts_at = shifts;
      asm volatile(ARENITE_FLOAT_LOOP("", ARENITE_FLOAT_FACTORS ARENITE_FLOAT_FOUR(
                                              "%[sums]", "%[of_place]", "%[y]"))
                   : [biases] "+r"(biases_at), [multipliers] "+r"(multipliers_at),
                     [shifts] "+l"(shifts_at), [sums] "+r"(sums_at), [y] "+l"(y_at)
                   : [count] "r"(count), [zero_point] "r"(results.zero_point), [low] "w"(low),
                     [high] "w"(high), [of_place] "r"(of_places[p]), [exponent] "r"(127 - 31)
                   : "lr", "q0", "q1", "q2", "q3", "memory");
    }
    return;
  }
  const float32x4_t factors = float_factors(vdupq_n_s32(*multipliers), vdupq_n_s32(*shifts));
#define ARENITE_FLOAT_OPERANDS                                                                \
  [count] "r"(count), [zero_point] "r"(results.zero_point), [low] "w"(low), [high] "w"(high), \
      [factors] "w"(factors)
  if (from.places == 2) {
    const int32_t* next_sums = sums + from.to_next;
    int8_t* next_y = y + to.y_w;
    asm volatile(
        ARENITE_FLOAT_LOOP("vmov q2, %q[factors]\n\t",
                           ARENITE_FLOAT_FOUR("%[sums]", "%[of_place]", "%[y]")
                               ARENITE_FLOAT_FOUR("%[next_sums]", "%[of_next]", "%[next_y]"))
        : [biases] "+r"(biases), [sums] "+r"(sums), [next_sums] "+r"(next_sums), [y] "+l"(y),
          [next_y] "+l"(next_y)
        : ARENITE_FLOAT_OPERANDS, [of_place] "r"(of_places[0]), [of_next] "r"(of_places[1])
        : "lr", "q0", "q1", "q2", "memory");
  } else {
    asm volatile(ARENITE_FLOAT_LOOP("vmov q2, %q[factors]\n\t",
                                    ARENITE_FLOAT_FOUR("%[sums]", "%[of_place]", "%[y]"))
                 : [biases] "+r"(biases), [sums] "+r"(sums), [y] "+l"(y)
                 : ARENITE_FLOAT_OPERANDS, [of_place] "r"(of_places[0])
                 : "lr", "q0", "q1", "q2", "memory");
  }
#undef ARENITE_FLOAT_OPERANDS
}
#undef ARENITE_FLOAT_LOOP
#undef ARENITE_FLOAT_FACTORS
#undef ARENITE_FLOAT_FOUR

// Any number of places, whose sums are kToNext apart.
template <uint32_t kToNext>
[[gnu::noinline]] void finish_float_places(const IntegerResults& results, uint32_t output,
                                           uint32_t count, const PlacesOfSums& from,
                                           const PlacesOfResults& to) {
  const bool same = results.factor_step == 0;
  const int32x4_t low = vdupq_n_s32(results.low);
  const int32x4_t high = vdupq_n_s32(results.high);
  float32x4_t factors =
      float_factors(vdupq_n_s32(*results.multipliers), vdupq_n_s32(*results.shifts));
  for (uint32_t j = 0; j < count; j += 4) {
    const uint32_t left = count - j;
    const mve_pred16_t lanes = vctp32q(left);
    const int32x4_t biases = vldrwq_z_s32(from.biases + j, lanes);
    if (!same) {
      factors = float_factors(vldrwq_z_s32(results.multipliers + output + j, lanes),
                              vldrbq_z_s32(results.shifts + output + j, lanes));
    }
    const int32_t* sums = from.sums + j;
    int8_t* y = to.y + j;
    asm volatile(
        "vctp.32 %[left]\n\t"
        "wls lr, %[places], 2f\n\t"
        "1:\n\t"
        "vldrw.s32 q0, [%[sums]], #%c[next]\n\t"
        "vadd.i32 q0, q0, %q[biases]\n\t"
        "vcvt.f32.s32 q0, q0\n\t"
        "vmul.f32 q0, q0, %q[factors]\n\t"
        "vcvtn.s32.f32 q0, q0\n\t"
        "vqadd.s32 q0, q0, %[zero_point]\n\t"
        "vmax.s32 q0, q0, %q[low]\n\t"
        "vmin.s32 q0, q0, %q[high]\n\t"
        "vpst\n\t"
        "vstrbt.32 q0, [%[y]]\n\t"
        "add %[y], %[y_w]\n\t"
        "le lr, 1b\n\t"
        "2:"
        : [sums] "+r"(sums), [y] "+l"(y)
        : [left] "r"(left), [places] "r"(from.places), [next] "i"(kToNext * sizeof(int32_t)),
          [biases] "w"(biases), [factors] "w"(factors), [low] "w"(low), [high] "w"(high),
          [zero_point] "r"(results.zero_point), [y_w] "r"(to.y_w)
        : "lr", "q0", "p0", "memory");
  }
}

#else
constexpr bool kHasFloatVectors = false;
inline int32x4_t in_float32(int32x4_t sums, int32x4_t, int32x4_t) { return sums; }
#endif

// The upper half of the doubled product, rounded down, is divided, halves up. q1 are biases, q2 and
// q3 multipliers and shifts, q4 by how much sums are raised.
#define ARENITE_EXACT_FOUR(raise, sums, y) \
  "vldrw.s32 q0, [" sums                   \
  "], #16\n\t"                             \
  "vadd.i32 q0, q0, q1\n\t" raise          \
  "vqdmulh.s32 q0, q0, q2\n\t"             \
  "vrshl.s32 q0, q0, q3\n\t"               \
  "vqadd.s32 q0, q0, %[zero_point]\n\t"    \
  "vmax.s32 q0, q0, %q[low]\n\t"           \
  "vmin.s32 q0, q0, %q[high]\n\t"          \
  "vstrb.32 q0, [" y "], #4\n\t"
#define ARENITE_RAISE "vshl.s32 q0, q0, q4\n\t"
// raised_by(), and shifts with that.
#define ARENITE_RAISED_BY    \
  "vadd.i32 q4, q3, r12\n\t" \
  "vmax.s32 q4, q4, q7\n\t"  \
  "vsub.i32 q3, q3, q4\n\t"
#define ARENITE_EXACT_LOOP(raised_by, ...)                  \
  "mov r12, #1\n\t"                                         \
  "vmov.i32 q7, #0\n\t"                                     \
  "wlstp.32 lr, %[count], 2f\n\t"                           \
  "1:\n\t"                                                  \
  "vldrw.s32 q1, [%[biases]], #16\n\t"                      \
  "vldrw.s32 q2, [%[multipliers]], #16\n\t"                 \
  "vldrb.s32 q3, [%[shifts]], #4\n\t" raised_by __VA_ARGS__ \
  "letp lr, 1b\n\t"                                         \
  "2:"
#define ARENITE_EXACT_OPERANDS                                                                   \
  [count] "r"(count), [zero_point] "r"(results.zero_point), [low] "w"(vdupq_n_s32(results.low)), \
      [high] "w"(vdupq_n_s32(results.high))
#define ARENITE_EXACT_REGISTERS "r12", "lr", "q0", "q1", "q2", "q3", "q4", "q7", "memory"

// The multipliers and shifts of some outputs.
struct FactorsOf {
  const int32_t* multipliers;
  const int8_t* shifts;
};

// Results at one place or two.
inline void finish_exact_places(const IntegerResults& results, FactorsOf factors, uint32_t count,
                                const PlacesOfSums& from, const PlacesOfResults& to) {
  const int32_t* multipliers = factors.multipliers;
  const int8_t* shifts = factors.shifts;
  const int32_t* biases = from.biases;
  const int32_t* sums = from.sums;
  int8_t* y = to.y;
  if (from.places == 1) {
    asm volatile(
        ARENITE_EXACT_LOOP(ARENITE_RAISED_BY, ARENITE_EXACT_FOUR(ARENITE_RAISE, "%[sums]", "%[y]"))
        : [biases] "+r"(biases), [multipliers] "+r"(multipliers), [shifts] "+l"(shifts),
          [sums] "+r"(sums), [y] "+l"(y)
        : ARENITE_EXACT_OPERANDS
        : ARENITE_EXACT_REGISTERS);
    return;
  }
  const int32_t* next_sums = sums + from.to_next;
  int8_t* next_y = y + to.y_w;
#define ARENITE_EXACT_PAIR(raised_by, raise)                                                    \
  asm volatile(                                                                                 \
      ARENITE_EXACT_LOOP(raised_by, ARENITE_EXACT_FOUR(raise, "%[sums]", "%[y]")                \
                                        ARENITE_EXACT_FOUR(raise, "%[next_sums]", "%[next_y]")) \
      : [biases] "+r"(biases), [multipliers] "+r"(multipliers), [shifts] "+l"(shifts),          \
        [sums] "+r"(sums), [next_sums] "+r"(next_sums), [y] "+l"(y), [next_y] "+l"(next_y)      \
      : ARENITE_EXACT_OPERANDS                                                                  \
      : ARENITE_EXACT_REGISTERS)
  if (results.raises) {
    ARENITE_EXACT_PAIR(ARENITE_RAISED_BY, ARENITE_RAISE);
  } else {
    ARENITE_EXACT_PAIR("", "");
  }
#undef ARENITE_EXACT_PAIR
}
#undef ARENITE_EXACT_REGISTERS
#undef ARENITE_EXACT_OPERANDS
#undef ARENITE_EXACT_LOOP
#undef ARENITE_RAISED_BY
#undef ARENITE_RAISE
#undef ARENITE_EXACT_FOUR

// Results at any number of places.
inline void finish_exact_vectors(const IntegerResults& results, FactorsOf factors, uint32_t count,
                                 const PlacesOfSums& from, const PlacesOfResults& to) {
  const int32x4_t low = vdupq_n_s32(results.low);
  const int32x4_t high = vdupq_n_s32(results.high);
  for (uint32_t j = 0; j < count; j += 4) {
    const uint32_t left = count - j;
    const mve_pred16_t lanes = vctp32q(left);
    const int32x4_t biases = vldrwq_z_s32(from.biases + j, lanes);
    const int32x4_t multipliers = vldrwq_z_s32(factors.multipliers + j, lanes);
    int32x4_t shifts = vldrbq_z_s32(factors.shifts + j, lanes);
    const int32x4_t raised = vmaxq_s32(vaddq_n_s32(shifts, 1), vdupq_n_s32(0));
    shifts = vsubq_s32(shifts, raised);
    const int32_t* sums = from.sums + j;
    int8_t* y = to.y + j;
    asm volatile(
        "vctp.32 %[left]\n\t"
        "wls lr, %[places], 2f\n\t"
        "1:\n\t"
        "vldrw.s32 q0, [%[sums]]\n\t"
        "add %[sums], %[next]\n\t"
        "vadd.i32 q0, q0, %q[biases]\n\t"
        "vshl.s32 q0, q0, %q[raised]\n\t"
        "vqdmulh.s32 q0, q0, %q[multipliers]\n\t"
        "vrshl.s32 q0, q0, %q[shifts]\n\t"
        "vqadd.s32 q0, q0, %[zero_point]\n\t"
        "vmax.s32 q0, q0, %q[low]\n\t"
        "vmin.s32 q0, q0, %q[high]\n\t"
        "vpst\n\t"
        "vstrbt.32 q0, [%[y]]\n\t"
        "add %[y], %[y_w]\n\t"
        "le lr, 1b\n\t"
        "2:"
        : [sums] "+r"(sums), [y] "+l"(y)
        : [left] "r"(left), [places] "r"(from.places), [next] "r"(from.to_next * sizeof(int32_t)),
          [biases] "w"(biases), [raised] "w"(raised), [multipliers] "w"(multipliers),
          [shifts] "w"(shifts), [low] "w"(low), [high] "w"(high),
          [zero_point] "r"(results.zero_point), [y_w] "r"(to.y_w)
        : "lr", "q0", "p0", "memory");
  }
}

// Results that are rounded once, halves up, of more than two places if kMany.
template <bool kMany>
[[gnu::noinline]] void finish_exact(const IntegerResults& results, uint32_t output, uint32_t count,
                                    const PlacesOfSums& from, const PlacesOfResults& to) {
  FactorsOf factors = {results.multipliers, results.shifts};
  int32_t same_multipliers[kFinishedAtOnce];
  int8_t same_shifts[kFinishedAtOnce];
  if (results.factor_step != 0) {
    factors = {factors.multipliers + output, factors.shifts + output};
  } else {
    for (uint32_t i = 0; i < kFinishedAtOnce; i += 4) {
      vstrwq_s32(same_multipliers + i, vdupq_n_s32(*factors.multipliers));
      vstrbq_s32(same_shifts + i, vdupq_n_s32(*factors.shifts));
    }
    factors = {same_multipliers, same_shifts};
  }
  if constexpr (kMany) {
    finish_exact_vectors(results, factors, count, from, to);
  } else {
    finish_exact_places(results, factors, count, from, to);
  }
}

// sums * multipliers / 2^(31 - shifts), shifts in [-31, -1], halves to even. The upper half of the
// doubled product is divided by 2^-shifts; what is left of it and the lower half decide.
inline int32x4_t divided_to_even(int32x4_t sums, int32x4_t multipliers, int32x4_t shifts) {
  const int32x4_t one = vdupq_n_s32(1);
  const int32x4_t right = vnegq_s32(shifts);
  const int32x4_t half = vshlq_s32(one, vsubq_n_s32(right, 1));
  const int32x4_t high = vqdmulhq_s32(sums, multipliers);
  const int32x4_t whole = vshlq_s32(high, shifts);
  int32x4_t over = vsubq_s32(vsubq_s32(high, vshlq_s32(whole, right)), half);
  // Predicates would be shorter, but GCC 12 does not compile them here.
  const int32x4_t low = vshlq_n_s32(vmulq_s32(sums, multipliers), 1);
  const int32x4_t any_bit = vshrq_n_s32(vorrq_s32(low, vnegq_s32(low)), 31);
  over = vaddq_s32(over, vandq_s32(vorrq_s32(whole, any_bit), one));
  return vsubq_s32(whole, vshrq_n_s32(vnegq_s32(over), 31));
}

// Others: in float32, or halves to even of sums that are not raised.
[[gnu::noinline]] void finish_once(const IntegerResults& results, uint32_t output, uint32_t count,
                                   const PlacesOfSums& from, const PlacesOfResults& to) {
  const bool same = results.factor_step == 0;
  const int32x4_t low = vdupq_n_s32(results.low);
  const int32x4_t high = vdupq_n_s32(results.high);
  for (uint32_t j = 0; j < count; j += 4) {
    const mve_pred16_t left = vctp32q(count - j);
    const int32x4_t biases = vldrwq_z_s32(from.biases + j, left);
    const int32x4_t multipliers = same ? vdupq_n_s32(*results.multipliers)
                                       : vldrwq_z_s32(results.multipliers + output + j, left);
    const int32x4_t shifts =
        same ? vdupq_n_s32(*results.shifts) : vldrbq_z_s32(results.shifts + output + j, left);
    const int32_t* at = from.sums + j;
    int8_t* y = to.y + j;
    for (uint32_t p = from.places; p != 0; --p, at += from.to_next, y += to.y_w) {
      const int32x4_t sums = vaddq_s32(vldrwq_s32(at), biases);
      int32x4_t numbers = results.halves_to_even ? divided_to_even(sums, multipliers, shifts)
                                                 : in_float32(sums, multipliers, shifts);
      numbers = vminq_s32(vmaxq_s32(vqaddq_n_s32(numbers, results.zero_point), low), high);
      vstrbq_p_s32(y, numbers, left);
    }
  }
}

#else

constexpr bool kHasFloatVectors = false;

inline void finish_once(const IntegerResults& results, uint32_t output, uint32_t count,
                        const PlacesOfSums& from, const PlacesOfResults& to) {
  finish_outputs(results, output, count, from, to, nullptr, true);
}

template <bool kMany>
inline void finish_exact(const IntegerResults& results, uint32_t output, uint32_t count,
                         const PlacesOfSums& from, const PlacesOfResults& to) {
  for (uint32_t j = 0; j < count; ++j) {
    const size_t factor = (output + j) * results.factor_step;
    const int32_t raised = raised_by(results.shifts[factor]);
    const int32_t right = raised - results.shifts[factor];
    const int32_t bias = from.biases[j];
    for (uint32_t p = 0; p < from.places; ++p) {
      const int32_t sum = mve::sum(from.sums[size_t{p} * from.to_next + j], bias);
      const int64_t product = int64_t{sum} * (int64_t{1} << raised) * results.multipliers[factor];
      const int64_t number =
          (((product >> 31) + (int64_t{1} << right) / 2) >> right) + results.zero_point;
      const int64_t raised_number = number < results.low ? results.low : number;
      to.y[j + p * to.y_w] =
          static_cast<int8_t>(raised_number > results.high ? results.high : raised_number);
    }
  }
}

#endif

// As finish(), of results that find_single_roundings() was asked about, with little code.
template <bool kMany>
[[gnu::always_inline]] inline void finish_any(const IntegerResults& results, uint32_t output,
                                              uint32_t count, const PlacesOfSums& from,
                                              const PlacesOfResults& to) {
  const bool vectors = to.y_c == 1 && results.factor_step <= 1;
  const bool exact =
      (results.halves_to_even || results.halves_up) && !any_halves(results, output, count);
  const bool once = results.halves_to_even || (kHasFloatVectors && results.in_float32);
  if (vectors && exact) {
    finish_exact<kMany>(results, output, count, from, to);
  } else if (vectors && once && !results.raises) {
    finish_once(results, output, count, from, to);
  } else {
    finish<kMany>(results, output, count, from, to);
  }
}

#if !defined(__ARM_FEATURE_MVE) || !defined(__OPTIMIZE__) || (__ARM_FEATURE_MVE & 2) == 0

inline void finish_floats(const IntegerResults& results, uint32_t output, uint32_t count,
                          const PlacesOfSums& from, const PlacesOfResults& to,
                          const int32_t* of_places) {
  finish_outputs(results, output, count, from, to, of_places, results.factor_step == 0);
}

template <uint32_t kToNext>
inline void finish_float_places(const IntegerResults& results, uint32_t output, uint32_t count,
                                const PlacesOfSums& from, const PlacesOfResults& to) {
  finish_outputs(results, output, count, from, to, nullptr, true);
}

#endif

// Whether finish_floats() and finish_float_places() make the results.
inline bool finishes_floats(const IntegerResults& results, size_t y_c) {
  return results.in_float32 && y_c == 1 && results.factor_step <= 1;
}

// The same with more code for results in float32, of places that lie kToNext sums apart. kMany: of
// more than two; else of_places is added to all sums of each, where finishes_floats().
template <bool kMany, uint32_t kToNext>
[[gnu::always_inline]] inline void finish_any(const IntegerResults& results, uint32_t output,
                                              uint32_t count, const PlacesOfSums& from,
                                              const PlacesOfResults& to,
                                              [[maybe_unused]] const int32_t* of_places) {
  if (!finishes_floats(results, to.y_c)) {
    finish_any<kMany>(results, output, count, from, to);
  } else if constexpr (kMany) {
    finish_float_places<kToNext>(results, output, count, from, to);
  } else {
    finish_floats(results, output, count, from, to, of_places);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
