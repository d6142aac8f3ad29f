// Makes results of 8 bits of the sums of some outputs, each at as many places as a tile has.
#pragma once

#include <bit>

#include "core/access.h"
#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/integer_results.h"
#include "portable_fallback/fast/whole_floats.h"

namespace arenite {
namespace {

// Says where results go: elements between outputs and between places.
struct ResultPlaces {
  Dst<int8_t> y;
  size_t y_c, y_w;
};

inline int32_t limited(int32_t number, int32_t low, int32_t high) {
  const int32_t raised = number < low ? low : number;
  return raised > high ? high : raised;
}

// The factor of an output with small results (IntegerResults). The upper half of twice the product
// of a sum and the multiplier, rounded, is divided by a power of two, halves away from zero: they
// go up if negative numbers are one lower. A sum that is negative has a product that is, or is 0,
// and then being one lower changes nothing.
struct SmallFactor {
  SmallFactor() = default;
  // `centre`: twice the zero point, plus 1.
  SmallFactor(int32_t factor, int8_t shift, int32_t centre)
      : multiplier(factor),
        before(static_cast<uint32_t>(~shift)),
        added(static_cast<int32_t>(static_cast<uint32_t>(centre) << before)) {}
  SmallFactor(const IntegerResults& results, uint32_t output)
      : SmallFactor(results.multipliers[output * results.factor_step],
                    results.shifts[output * results.factor_step], 2 * results.zero_point + 1) {}

  // Twice the result, not rounded down yet.
  int32_t doubled(int32_t doubled_sum) const {
    return dsp::add_high_product(doubled_sum, multiplier, added + (doubled_sum >> 31)) >> before;
  }
  int8_t result(int32_t doubled_sum) const {
    return static_cast<int8_t>(dsp::saturated_half(doubled(doubled_sum)));
  }

  int32_t multiplier;
  uint32_t before;  // the divisor is 2^(before + 1)
  int32_t added;    // half of the divisor and the zero point
};

// The factor of an output that find_exact_outputs() found, whose results are rounded once, halves
// up: a raised sum is multiplied and the upper half of the product, which is rounded down, divided
// by a power of two.
struct ExactFactor {
  // `centre`: twice the zero point, plus 1.
  ExactFactor(int32_t factor, int8_t shift, int32_t centre)
      : multiplier(factor),
        raised(static_cast<uint32_t>(raised_by(shift)) + 1),
        before(shift < 0 ? static_cast<uint32_t>(~shift) : 0),
        added(static_cast<int32_t>(static_cast<uint32_t>(centre) << before)) {}

  int8_t result(int32_t sum, bool is_unsigned) const {
    const auto raised_sum = static_cast<int32_t>(static_cast<uint32_t>(sum) << raised);
    const int32_t twice = dsp::add_high_half(raised_sum, multiplier, added) >> before;
    return static_cast<int8_t>(is_unsigned ? dsp::saturated_uint8_half(twice)
                                           : dsp::saturated_half(twice));
  }

  int32_t multiplier;
  uint32_t raised, before;
  int32_t added;  // half of the divisor and the zero point
};

// Whether results have no limits but those of int8 or uint8.
inline bool is_whole_range(const IntegerResults& results) {
  return (results.low == INT8_MIN && results.high == INT8_MAX) ||
         (results.low == 0 && results.high == UINT8_MAX);
}

// Whether ExactFactor makes the results of an output, after find_exact_outputs().
inline bool is_exact(const IntegerResults& results, uint32_t output) {
  return results.small && !results.in_float32 && is_whole_range(results) &&
         (constant_pair(results, output & ~1u) >> output % 2 & 1) == 0 &&
         !any_halves(results, output, 1);
}

// The result of a sum of any size: the product takes 64 bits, and is halved before half of the
// divisor is added.
[[gnu::noinline, maybe_unused]] int32_t result_of_any(const IntegerResults& results,
                                                      uint32_t output, int32_t sum) {
  const int32_t multiplier = results.multipliers[output * results.factor_step];
  const int32_t shift = results.shifts[output * results.factor_step];
  if (!results.rounds_twice || shift > -2 || shift < -31) {
    return results.finish(results, sum, multiplier, shift);
  }
  const int64_t doubled = int64_t{sum} * multiplier + (int64_t{1} << 30);
  const auto product = static_cast<int32_t>(doubled >> 31);
  const int32_t half = (product >> 1) - ((product >> 31) & ~product & 1);
  const int32_t quarter = int32_t{1} << (-shift - 2);
  return limited(((half + quarter) >> (-shift - 1)) + results.zero_point, results.low,
                 results.high);
}

// A factor in float32: products with it are rounded to the nearest, halves to even, and saturate.
class FloatFactor {
 public:
#if defined(__ARM_FEATURE_DSP) && !(defined(__ARM_FP) && (__ARM_FP & 4) != 0)
  // The core has no unit for floats.
  static bool takes(const IntegerResults&, uint32_t) { return false; }
#else
  static bool takes(const IntegerResults& results, uint32_t output) {
    const int32_t shift = results.shifts[output * results.factor_step];
    return results.in_float32 && shift >= -63 && shift <= 31;
  }
#endif
  FloatFactor(int32_t multiplier, int32_t shift)
      : factor_(static_cast<float>(multiplier) *
                std::bit_cast<float>(static_cast<uint32_t>(127 + shift - 31) << 23)) {}
  FloatFactor(const IntegerResults& results, uint32_t output)
      : FloatFactor(results.multipliers[output * results.factor_step],
                    results.shifts[output * results.factor_step]) {}
  int32_t product(int32_t sum) const { return whole_to_even(static_cast<float>(sum) * factor_); }
  float factor() const { return factor_; }

 private:
  float factor_;
};

// Results in float32 of the whole range of uint8, which are all that models ask for: no limits but
// those of the type.
struct FloatResults {
  static bool takes(const IntegerResults& results) {
    return results.low == 0 && results.high == 255 && FloatFactor::takes(results, 0);
  }
};

// The result of uint8 of such a product.
inline int8_t float_result(int32_t product, int32_t zero_point) {
  return static_cast<int8_t>(dsp::saturated_uint8(dsp::saturated_sum(product, zero_point)));
}

// Four sums, each times a factor, rounded.
inline void multiply_four(int32_t (&sums)[4], const FloatFactor& f0, const FloatFactor& f1,
                          const FloatFactor& f2, const FloatFactor& f3) {
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_FP) && (__ARM_FP & 4) != 0
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  asm("vmov s0, s1, %0, %1\n\t"
      "vmov s2, s3, %2, %3\n\t"
      "vcvt.f32.s32 s0, s0\n\t"
      "vcvt.f32.s32 s1, s1\n\t"
      "vcvt.f32.s32 s2, s2\n\t"
      "vcvt.f32.s32 s3, s3\n\t"
      "vmul.f32 s0, s0, %4\n\t"
      "vmul.f32 s1, s1, %5\n\t"
      "vmul.f32 s2, s2, %6\n\t"
      "vmul.f32 s3, s3, %7\n\t"
      "vcvtr.s32.f32 s0, s0\n\t"
      "vcvtr.s32.f32 s1, s1\n\t"
      "vcvtr.s32.f32 s2, s2\n\t"
      "vcvtr.s32.f32 s3, s3\n\t"
      "vmov %0, %1, s0, s1\n\t"
      "vmov %2, %3, s2, s3"
      : "+r"(s0), "+r"(s1), "+r"(s2), "+r"(s3)
      : "t"(f0.factor()), "t"(f1.factor()), "t"(f2.factor()), "t"(f3.factor())
      : "s0", "s1", "s2", "s3");
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
#else
  const FloatFactor* factors[4] = {&f0, &f1, &f2, &f3};
  for (uint32_t i = 0; i < 4; ++i) sums[i] = factors[i]->product(sums[i]);
#endif
}

// The factor of an output whose results are rounded once: the product of a raised sum and the
// multiplier is divided by 2^(32 + down), halves up. Halves to even are one lower where that is
// odd: a half has no bits left below the result, in the lower word first of all.
struct OnceFactor {
  OnceFactor(const IntegerResults& results, uint32_t output)
      : multiplier(results.multipliers[output * results.factor_step]) {
    const int32_t shift = results.shifts[output * results.factor_step];
    raised = static_cast<uint32_t>(raised_by(shift));
    down = shift < 0 ? static_cast<uint32_t>(~shift) : 0;
    half = int64_t{1} << (31 + down);
    odd = results.halves_to_even ? 1 : 0;
  }

  int32_t number(int32_t sum) const {
    const auto raised_sum = static_cast<int32_t>(static_cast<uint32_t>(sum) << raised);
    const int64_t product = int64_t{raised_sum} * multiplier + half;
    const auto high = static_cast<int32_t>(product >> 32);
    const int32_t rounded = high >> down;
    if (static_cast<uint32_t>(product) != 0 || rounded << down != high) return rounded;
    return rounded - (rounded & odd);
  }

  int32_t multiplier, odd;
  uint32_t raised, down;
  int64_t half;
};

// Results of any kind of sums[count][places]; kOnce: those that are rounded once are made here too.
template <bool kOnce>
inline void finish(const IntegerResults& results, uint32_t output, uint32_t count,
                   const int32_t* sums, uint32_t places, ResultPlaces to) {
  if (kOnce && places == 1 && results.factor_step == 0 && FloatFactor::takes(results, 0)) {
    const FloatFactor factor(results, 0);
    const int32_t zero_point = results.zero_point;
    const int32_t low = results.low - zero_point, high = results.high - zero_point;
    for (; count != 0; --count, to.y += to.y_c) {
      *to.y = static_cast<int8_t>(limited(factor.product(*sums++), low, high) + zero_point);
    }
    return;
  }
  for (; count != 0; --count, ++output, to.y += to.y_c) {
    Dst<int8_t> y = to.y;
    if (kOnce && FloatFactor::takes(results, output)) {
      const FloatFactor factor(results, output);
      const int32_t zero_point = results.zero_point;
      const int32_t low = results.low - zero_point, high = results.high - zero_point;
      for (uint32_t p = places; p != 0; --p, y += to.y_w) {
        *y = static_cast<int8_t>(limited(factor.product(*sums++), low, high) + zero_point);
      }
      continue;
    }
    if (kOnce && is_exact(results, output)) {
      const ExactFactor factor(results.multipliers[output * results.factor_step],
                               results.shifts[output * results.factor_step],
                               2 * results.zero_point + 1);
      const bool is_unsigned = results.high > INT8_MAX;
      for (uint32_t p = places; p != 0; --p, y += to.y_w) {
        *y = factor.result(*sums++, is_unsigned);
      }
      continue;
    }
    if (kOnce && (results.halves_to_even || results.halves_up)) {
      const OnceFactor factor(results, output);
      const int32_t zero_point = results.zero_point;
      const int32_t low = results.low - zero_point, high = results.high - zero_point;
      for (uint32_t p = places; p != 0; --p, y += to.y_w) {
        *y = static_cast<int8_t>(limited(factor.number(*sums++), low, high) + zero_point);
      }
      continue;
    }
    if (!is_small(results, output)) {
      for (uint32_t p = places; p != 0; --p, y += to.y_w) {
        *y = static_cast<int8_t>(result_of_any(results, output, *sums++));
      }
      continue;
    }
    const SmallFactor factor(results, output);
    for (uint32_t p = places; p != 0; --p, y += to.y_w) {
      *y =
          static_cast<int8_t>(limited(factor.doubled(2 * *sums++) >> 1, results.low, results.high));
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
