// One element after the other.
#define ARENITE_WITHOUT_DSP
#include "portable_fallback/fast/integer_slopes_scalar_kernel.h"

namespace arenite {
namespace {

// kPlaced: the factors add the zero point.
template <typename T, bool kPlaced, typename Above, typename Below>
[[gnu::noinline]] void multiply(const IntegerSlopes& by, const Above& above, const Below& below,
                                const IntegerPairRow& row) {
  // Copies: what is written could be the numbers' own bytes.
  const Above of_above = above;
  const Below of_below = below;
  const int32_t zero_point = kPlaced ? 0 : by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  const int32_t of_x = by.zero_points[0], of_slopes = by.zero_points[1];
  const ptrdiff_t x_step = row.steps[0], slope_step = row.steps[1], y_step = row.y_step;
  Src<std::byte> x = row.inputs[0], slopes = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left) {
    const T element = *as<T>(x);
    const T slope = *as<T>(slopes);
    const int32_t number = int32_t{element} - of_x;
    const int32_t result =
        number >= 0 ? of_above(number) : of_below(number * (int32_t{slope} - of_slopes));
    *as<T>(y) = static_cast<T>(limited_number(result, low, high) + zero_point);
    x += x_step;
    slopes += slope_step;
    y += y_step;
  }
}

// By up to 2^22 a zero point is multiplied within 32 bits, and by up to 2^20 a number of 9 bits
// that is doubled.
constexpr int32_t kRightMax = 22, kLeftMax = 20;

// Whether NearFactor makes the products of numbers of 0 and more, or of all.
bool is_near(const FactorNumbers& factor, bool of_all) {
  return factor.shift >= -kRightMax && factor.shift <= (of_all ? -1 : kLeftMax);
}

// Rounds products of two numbers of 9 bits as TwiceRounded does, and adds a zero point before they
// are divided. kOfAll: factors are below 1/2, else numbers at least 0.
template <bool kOfAll>
class NearFactor {
 public:
  NearFactor(const FactorNumbers& factor, int32_t zero_point)
      : multiplier_(factor.multiplier),
        left_(factor.shift > 0 ? static_cast<uint32_t>(factor.shift) + 1 : 1),
        right_(factor.shift < 0 ? static_cast<uint32_t>(-factor.shift) : 0),
        added_(static_cast<int32_t>((1u << right_) >> 1) + zero_point * (1 << right_)) {}

  int32_t operator()(int32_t number) const {
    const int32_t product = dsp::high_product(number * (1 << left_), multiplier_) + added_;
    // Halves go away from zero, up if negative products are one lower; one that is 0 may be too.
    return (kOfAll ? product + (number >> 31) : product) >> right_;
  }

 private:
  int32_t multiplier_;
  uint32_t left_, right_;
  int32_t added_;
};

template <typename T>
void multiply(const IntegerSlopes& by, const IntegerPairRow& row) {
  if (!by.to_even && is_near(by.twice[0], false) && is_near(by.twice[1], true)) {
    multiply<T, true>(by, NearFactor<false>(by.twice[0], by.zero_point),
                      NearFactor<true>(by.twice[1], by.zero_point), row);
  } else if (by.to_even) {
    multiply<T, false>(by, EvenRounded(by.even[0]), EvenRounded(by.even[1]), row);
  } else {
    multiply<T, false>(by, TwiceRounded(by.twice[0]), TwiceRounded(by.twice[1]), row);
  }
}

}  // namespace

void multiply_slopes_scalar(const IntegerSlopes& by, const IntegerPairRow& row) {
  by.is_unsigned ? multiply<uint8_t>(by, row) : multiply<int8_t>(by, row);
}

void multiply_int16_slopes_scalar(const IntegerSlopes& by, const IntegerPairRow& row) {
  multiply<int16_t, false>(by, TwiceRounded(by.twice[0]), TwiceRounded(by.twice[1]), row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
