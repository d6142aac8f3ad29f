// One element after the other.
#define ARENITE_WITHOUT_DSP
#include "portable_fallback/fast/integer_slopes_scalar_kernel.h"

namespace arenite {
namespace {

template <typename T, typename Factor>
[[gnu::noinline]] void multiply(const IntegerSlopes& by, const Factor& above, const Factor& below,
                                const IntegerPairRow& row) {
  // Copies: what is written could be the numbers' own bytes.
  const Factor of_above = above, of_below = below;
  const int32_t zero_point = by.zero_point;
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

template <typename T>
void multiply(const IntegerSlopes& by, const IntegerPairRow& row) {
  if (by.to_even) {
    multiply<T>(by, EvenRounded(by.even[0]), EvenRounded(by.even[1]), row);
  } else {
    multiply<T>(by, TwiceRounded(by.twice[0]), TwiceRounded(by.twice[1]), row);
  }
}

}  // namespace

void multiply_slopes_scalar(const IntegerSlopes& by, const IntegerPairRow& row) {
  by.is_unsigned ? multiply<uint8_t>(by, row) : multiply<int8_t>(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
