// Adds, multiplies and rescales 16-bit integers one after the other.
#pragma once

#include "portable_fallback/fast/int16_pairs.h"
#include "portable_fallback/fast/integer_sums.h"

namespace arenite {
namespace {

inline void add_each(const Int16SumFactors& by, const Int16PairRow& row) {
  const Scale first(by.factors[0]), second(by.factors[1]), whole(by.whole);
  const int32_t zero_point = by.zero_point, low = by.low, high = by.high;
  const int32_t power = 2 << by.left, factor = by.subtracts ? -2 : 2;
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1], y_step = row.y_step;
  Src<int16_t> a = row.inputs[0], b = row.inputs[1];
  Dst<int16_t> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, a += a_step, b += b_step, y += y_step) {
    const int32_t doubled = factor * second(power * *b) + 2 * first(power * *a);
    *y = static_cast<int16_t>(limited_number(whole(doubled) + zero_point, low, high));
  }
}

inline void multiply_each(const Int16Factor& by, const Int16PairRow& row) {
  const TwiceRounded factor(by.factor);
  const int32_t zero_point = by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1], y_step = row.y_step;
  Src<int16_t> a = row.inputs[0], b = row.inputs[1];
  Dst<int16_t> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, a += a_step, b += b_step, y += y_step) {
    const int32_t number = factor(int32_t{*a} * int32_t{*b});
    *y = static_cast<int16_t>(limited_number(number, low, high) + zero_point);
  }
}

inline void rescale_each(const Int16Factor& by, Src<int16_t> x, Dst<int16_t> y, uint32_t count) {
  const TwiceRounded factor(by.factor);
  const int32_t zero_point = by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  for (; count != 0; --count, x += 1, y += 1) {
    *y = static_cast<int16_t>(limited_number(factor(*x), low, high) + zero_point);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
