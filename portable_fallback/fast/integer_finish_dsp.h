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

// The results of an output whose sums may be of any size: as finish_small(), but that the
// product takes 64 bits, and is halved before half of the divisor is added.
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

// Sums below 2^30 in magnitude. The upper half of twice the product with the multiplier, rounded,
// is divided by a power of two, halves away from zero: they go up if negative numbers are one
// lower.
template <bool kWholeRange, uint32_t kPlaces>
[[gnu::noinline]] void finish_small(const IntegerResults& results, uint32_t output, uint32_t count,
                                    const int32_t (*sums)[kPlaces], ResultPlaces to) {
  const size_t step = results.factor_step;
  const int32_t* multiplier = results.multipliers + output * step;
  const int8_t* shift = results.shifts + output * step;
  const int32_t zero_point = results.zero_point;
  for (; count != 0; --count, ++output, ++sums, to.y += to.y_c) {
    const auto before = static_cast<uint32_t>(~*shift);
    const int32_t factor = *multiplier;
    multiplier += step;
    shift += step;
    if (before > 30) {
      finish_any(results, output, *sums, to);
      continue;
    }
    const auto half = static_cast<int32_t>(1u << before);
    Dst<int8_t> y = to.y;
#pragma GCC unroll 4
    for (uint32_t p = 0; p < kPlaces; ++p, y += to.y_w) {
      const int32_t product = dsp::high_product(2 * (*sums)[p], factor);
      const int32_t number = ((product + (product >> 31) + half) >> (before + 1)) + zero_point;
      *y = static_cast<int8_t>(kWholeRange ? dsp::saturated_int8(number)
                                           : limited(number, results.low, results.high));
    }
  }
}

template <uint32_t kPlaces>
void finish_in_range(const IntegerResults& results, uint32_t output, uint32_t count,
                     const int32_t (*sums)[kPlaces], const ResultPlaces& to) {
  if (results.low == -128 && results.high == 127) {
    finish_small<true>(results, output, count, sums, to);
  } else {
    finish_small<false>(results, output, count, sums, to);
  }
}

// `large`: a bit for each output whose sums may reach 2^30, or are rounded in another way.
template <uint32_t kPlaces>
inline void finish(const IntegerResults& results, uint32_t output, uint32_t count, uint32_t large,
                   const int32_t (*sums)[kPlaces], ResultPlaces to) {
  if (large == 0) return finish_in_range(results, output, count, sums, to);
  for (; count != 0; --count, ++output, ++sums, large >>= 1, to.y += to.y_c) {
    if ((large & 1) != 0) {
      finish_any(results, output, *sums, to);
    } else {
      finish_in_range(results, output, 1, sums, to);
    }
  }
}

// Begins the sums of up to 32 outputs at their biases. Returns their `large` bits.
template <uint32_t kPlaces>
inline uint32_t start(const IntegerResults& results, uint32_t output, uint32_t count,
                      int32_t (*sums)[kPlaces]) {
  const uint32_t end = results.small_bias_end;
  const size_t step = results.bias_step;
  const int32_t* bias = results.bias + output * step;
  uint32_t large = 0;
  for (uint32_t j = 0; j < count; ++j, bias += step) {
    const int32_t value = *bias;
    large |= (static_cast<uint32_t>(value ^ (value >> 31)) >= end ? 1u : 0u) << j;
#pragma GCC unroll 4
    for (uint32_t p = 0; p < kPlaces; ++p) sums[j][p] = value;
  }
  return large;
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
