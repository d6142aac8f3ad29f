// Makes results of 8 bits of the sums of some outputs, each at as many places as a tile has.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/integer_results.h"

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

// The results of an output whose sums may be of any size: the product takes 64 bits, and is halved
// before half of the divisor is added.
template <uint32_t kPlaces>
[[gnu::noinline]] void finish_any(const IntegerResults& results, uint32_t output,
                                  const int32_t (&sums)[kPlaces], const ResultPlaces& to) {
  const int32_t multiplier = results.multipliers[output * results.factor_step];
  const int32_t shift = results.shifts[output * results.factor_step];
  const bool by_halves = results.rounds_twice && shift <= -2 && shift >= -31;
  const int32_t quarter = by_halves ? int32_t{1} << (-shift - 2) : 0;
  for (uint32_t p = 0; p < kPlaces; ++p) {
    int32_t result;
    if (by_halves) {
      const int64_t doubled = int64_t{sums[p]} * multiplier + (int64_t{1} << 30);
      const auto product = static_cast<int32_t>(doubled >> 31);
      const int32_t half = (product >> 1) - ((product >> 31) & ~product & 1);
      result = limited(((half + quarter) >> (-shift - 1)) + results.zero_point, results.low,
                       results.high);
    } else {
      result = results.finish(results, sums[p], multiplier, shift);
    }
    to.y[p * to.y_w] = static_cast<int8_t>(result);
  }
}

// Results of any kind.
template <uint32_t kPlaces>
[[gnu::noinline]] void finish(const IntegerResults& results, uint32_t output, uint32_t count,
                              const int32_t (*sums)[kPlaces], ResultPlaces to) {
  for (; count != 0; --count, ++output, ++sums, to.y += to.y_c) {
    if (!is_small(results, output)) {
      finish_any(results, output, *sums, to);
      continue;
    }
    const SmallFactor factor(results, output);
    Dst<int8_t> y = to.y;
    for (uint32_t p = 0; p < kPlaces; ++p, y += to.y_w) {
      *y = static_cast<int8_t>(
          limited(factor.doubled(2 * (*sums)[p]) >> 1, results.low, results.high));
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
