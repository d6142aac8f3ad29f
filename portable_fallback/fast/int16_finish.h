// Makes results of 16 bits of sums of 16-bit activations and 8-bit weights, one at a time.
#pragma once

#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/int16_products.h"

namespace arenite {
namespace {

inline int32_t limited(int32_t number, int32_t low, int32_t high) {
  const int32_t raised = number < low ? low : number;
  return raised > high ? high : raised;
}

// The factor of an output with small sums: a multiplier that is rounded to 16 bits, saturating, so
// that the 16 bits below the upper half of a product come behind the half that decides.
struct SmallInt16Factor {
  SmallInt16Factor(int32_t whole, int8_t shift)
      : multiplier(dsp::saturated_sum(whole, 1 << 15) & ~0xffff),
        right(static_cast<uint32_t>(~shift)),
        half(1 << (right - 1)) {}
  int32_t number(int32_t sum) const { return dsp::add_high_half(sum, multiplier, half) >> right; }

  int32_t multiplier;
  uint32_t right;  // the divisor is 2^right
  int32_t half;
};

// Limits of results without a zero point: those of int16, of which those below 0 may be left out.
struct Int16Limits {
  explicit Int16Limits(const Int16Results& results) : negative(results.low == 0 ? -1 : 0) {}
  static bool takes(const Int16Results& results) {
    return results.zero_point == 0 && results.high == INT16_MAX &&
           (results.low == 0 || results.low == INT16_MIN);
  }
  int16_t result(int32_t number) const {
    const int32_t nearest = dsp::saturated_16(number);
    return static_cast<int16_t>(nearest & ~(nearest >> 31 & negative));
  }

  int32_t negative;  // the bits of a negative result that are left out
};

// The number of a sum of 32 bits that is rounded twice: the upper half of the doubled product, then
// its quotient, halves away from zero. Shifts are at most -2.
inline int32_t number_of_two_roundings(int32_t sum, int32_t multiplier, int32_t shift) {
  const auto product = static_cast<int32_t>((int64_t{sum} * multiplier + (int64_t{1} << 30)) >> 31);
  const int32_t half = (product >> 1) - ((product >> 31) & ~product & 1);
  return (half + (int32_t{1} << (-shift - 2))) >> (-shift - 1);
}

// Writes results of sums[count][places], to which biases have been added, so many elements apart:
// y_c and y_w lie between outputs and between places.
[[gnu::noinline]] inline void finish_any(const Int16Results& results, uint32_t output,
                                         uint32_t count, const int32_t* sums, size_t sum_c,
                                         size_t sum_w, uint32_t places, Dst<int16_t> y, size_t y_c,
                                         size_t y_w) {
  const int32_t zero_point = results.zero_point, low = results.low, high = results.high;
  for (; count != 0; --count, ++output, y += y_c, sums += sum_c) {
    const size_t at = output * results.factor_step;
    const int32_t multiplier = results.multipliers[at], shift = results.shifts[at];
    Dst<int16_t> to = y;
    const int32_t* from = sums;
    if (results.sums == Int16Sums::kSmall) {
      const SmallInt16Factor factor(multiplier, static_cast<int8_t>(shift));
      for (uint32_t i = places; i != 0; --i, to += y_w, from += sum_w) {
        *to = static_cast<int16_t>(limited(factor.number(*from) + zero_point, low, high));
      }
    } else if (results.sums == Int16Sums::kWrapping) {
      for (uint32_t i = places; i != 0; --i, to += y_w, from += sum_w) {
        const int32_t number = number_of_two_roundings(*from, multiplier, shift);
        *to = static_cast<int16_t>(limited(number + zero_point, low, high));
      }
    } else {
      for (uint32_t i = places; i != 0; --i, to += y_w, from += sum_w) {
        *to = static_cast<int16_t>(results.finish(results, *from, output));
      }
    }
  }
}

// The same of small sums with simple limits, one output after the other.
class SmallResults {
 public:
  SmallResults(const Int16Results& results, uint32_t output)
      : multiplier_(results.multipliers + output * results.factor_step),
        shift_(results.shifts + output * results.factor_step),
        step_(results.factor_step),
        limits_(results) {}
  static bool takes(const Int16Results& results) {
    return results.sums == Int16Sums::kSmall && Int16Limits::takes(results);
  }

  SmallInt16Factor next() {
    const SmallInt16Factor factor(*multiplier_, *shift_);
    multiplier_ += step_;
    shift_ += step_;
    return factor;
  }
  int16_t result(const SmallInt16Factor& factor, int32_t sum) const {
    return limits_.result(factor.number(sum));
  }

 private:
  const int32_t* multiplier_;
  const int8_t* shift_;
  const size_t step_;
  const Int16Limits limits_;
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
