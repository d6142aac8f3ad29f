// Computes the tables of TensorFlow Lite's functions of 8-bit numbers.
#include "planner/fixed_point/tables.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "portable_fallback/shared/fixed_point.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite::planner::tflite {
namespace {

constexpr int32_t kIntegerBits = 4;  // of what fixed-point functions take

int32_t clamped(int64_t value, const Limits& limits) {
  return static_cast<int32_t>(std::clamp<int64_t>(value, limits.low, limits.high));
}

// For each x, by its difference to the zero point.
template <typename Function>
Table filled(const Scaled& x, Function function) {
  const Limits limits = range_of(x.dtype);
  Table table{};
  for (int32_t q = limits.low; q <= limits.high; ++q) {
    table[static_cast<size_t>(q - limits.low)] = function(q - x.zero_point);
  }
  return table;
}

int32_t scaled(int32_t value, const Multiplier& factor) {
  return requantized(value, factor.multiplier, factor.shift, Rounding::kTfliteDouble);
}

// A fixed-point function of int8: `function` gives results without integer bits, of which `bits`
// stay.
template <typename Function>
Table fixed_point_table(const Scaled& x, const Scaled& y, int32_t bits, Function function) {
  const Multiplier factor =
      quantized_multiplier(double{x.scale} * double{1u << (31 - kIntegerBits)});
  const int32_t radius = static_cast<int32_t>(std::floor(
      std::min(std::ldexp((1 << kIntegerBits) - 1, 31 - kIntegerBits - factor.shift), 1e9)));
  const Limits limits = range_of(y.dtype);
  return filled(x, [&](int32_t difference) {
    if (difference <= -radius) return limits.low;
    if (difference >= radius) return limits.high;
    const int32_t result = function(scaled(difference, factor));
    return clamped(int64_t{rounded_shift_away(result, 31 - bits)} + y.zero_point, limits);
  });
}

// Whether LiteRT has a kernel of its own.
bool is_litert(const Scaled& x, const Scaled& y) {
  return x.dtype == DType::kUint8 && y.dtype == DType::kUint8;
}

// LiteRT's factors of uint8: 8 bits below the point, where they are neither too small nor too
// large.
bool has_parts(float factor) {
  constexpr float kLeast = 0x1p-8f, kMost = 0x1p7f;
  return std::abs(factor) >= kLeast && std::abs(factor) <= kMost;
}

// Multiplies by one factor above the zero point and by another below, halves up.
Table of_parts(const Scaled& x, const Scaled& y, float above, float below) {
  constexpr int32_t kBits = 8;
  const auto parts = [](float factor) { return std::lrint(std::ldexp(factor, int{kBits})); };
  const int64_t above_parts = parts(above), below_parts = parts(below);
  return filled(x, [&](int32_t difference) {
    const int64_t product = difference * (difference >= 0 ? above_parts : below_parts);
    return clamped(rounded_shift_up(product, kBits) + y.zero_point, range_of(y.dtype));
  });
}

bool is(const Scaled& y, DType dtype, float scale, int32_t zero_point) {
  return y == Scaled{dtype, scale, zero_point};
}

// A multiplier's upper 16 bits, rounded.
int16_t upper_half(int32_t multiplier) {
  constexpr int32_t kHalf = 1 << 15;
  if (multiplier >= std::numeric_limits<int32_t>::max() - kHalf) {
    return std::numeric_limits<int16_t>::max();
  }
  return static_cast<int16_t>((multiplier + kHalf) >> 16);
}

int16_t saturated_int16(int64_t value) {
  return static_cast<int16_t>(clamped(value, range_of(DType::kInt16)));
}

// 1 / sqrt(value) as a multiplier and a shift, by five of Newton's steps from 1; value >= 1.
Multiplier inverse_root(int32_t value) {
  if (value == 1) return {std::numeric_limits<int32_t>::max(), 0};
  int32_t down = 11;
  for (; value >= 1 << 29; ++down) value /= 4;
  const int32_t pairs = (__builtin_clz(static_cast<uint32_t>(value)) - 1) / 2 - 1;
  down -= pairs;
  value <<= 2 * pairs;
  // Three integer bits; products have six, of which `product` takes three back.
  constexpr int32_t kOne = 1 << 28, kHalfOfRoot = 1518500250;
  const auto product = [](int32_t a, int32_t b) { return doubling_high_product(a, b); };
  const int32_t half = rounded_shift_away(value >> 1, 1);
  int32_t x = kOne;
  for (int32_t i = 0; i < 5; ++i) {
    const int32_t cube = fixed_point::rescaled<6>(product(product(x, x), x));
    x = fixed_point::rescaled<3>(product(kOne + kOne / 2, x) - product(half, cube));
  }
  x = product(x, kHalfOfRoot);
  if (down < 0) {
    x <<= -down;
    down = 0;
  }
  return {x, -down};
}

}  // namespace

Table table_of(const Scaled& x, const Scaled& y, const std::function<float(float)>& function) {
  const float reciprocal = 1 / y.scale;
  const Limits limits = range_of(y.dtype);
  return filled(x, [&](int32_t difference) {
    const float number = function(x.scale * static_cast<float>(difference));
    if (std::isnan(number)) return y.zero_point;
    const double at = std::round(double{number * reciprocal}) + y.zero_point;
    return static_cast<int32_t>(
        std::clamp(at, static_cast<double>(limits.low), static_cast<double>(limits.high)));
  });
}

Table requantized_table(const Scaled& x, const Scaled& y, const Limits& limits) {
  const float ratio = x.scale / y.scale;
  const Limits all = range_of(y.dtype);
  const bool clips = limits.low != all.low || limits.high != all.high;
  if (is_litert(x, y) && !clips && has_parts(ratio)) {
    return of_parts(x, y, ratio, ratio);
  }
  const Multiplier factor = quantized_multiplier(double{x.scale} / double{y.scale});
  return filled(x, [&](int32_t difference) {
    return clamped(int64_t{scaled(difference, factor)} + y.zero_point, limits);
  });
}

Table moved_table(const Scaled& x, const Scaled& y) {
  const float factor = x.scale * (1.0f / y.scale);
  const float moved = static_cast<float>(-x.zero_point) * factor;
  return filled(x, [&](int32_t difference) {
    const auto number = static_cast<float>(difference + x.zero_point);
    const double whole = std::round(double{number * factor + moved});
    return clamped(static_cast<int64_t>(whole) + y.zero_point, range_of(y.dtype));
  });
}

Table logistic_table(const Scaled& x, const Scaled& y) {
  constexpr float kScale = 1.0f / 256;
  if (x.dtype != DType::kInt8 || !is(y, DType::kInt8, kScale, -128)) {
    return table_of(x, y, [](float number) { return 1 / (1 + std::exp(-number)); });
  }
  return fixed_point_table(x, y, 8, fixed_point::logistic<kIntegerBits, int32_t>);
}

Table tanh_table(const Scaled& x, const Scaled& y) {
  constexpr float kScale = 1.0f / 128;
  if (x.dtype != DType::kInt8 || !is(y, DType::kInt8, kScale, 0)) {
    return table_of(x, y, [](float number) { return std::tanh(number); });
  }
  return fixed_point_table(x, y, 7, fixed_point::tanh<kIntegerBits, int32_t>);
}

// With 16-bit numbers: x with 7 bits more on y's scale, times what min(max(x / 3, -1), 1) makes of
// it between 0 and 1.
Table hard_swish_table(const Scaled& x, const Scaled& y) {
  constexpr float kReluScale = 3.0f / 32768;
  const float fine = (1.0f / 128) * x.scale;
  const Multiplier to_y = quantized_multiplier(double{fine / y.scale});
  const Multiplier to_relu = quantized_multiplier(double{fine / kReluScale});
  const int16_t factor = upper_half(to_y.multiplier);
  const int16_t relu_factor = upper_half(to_relu.multiplier);
  const Limits limits = range_of(y.dtype);
  if (to_y.shift > 0) {
    return table_of(x, y,
                    [](float number) { return number * std::clamp(number + 3, 0.0f, 6.0f) / 6; });
  }
  return filled(x, [&](int32_t difference) {
    const auto value = static_cast<int16_t>(difference * 128);
    const int16_t on_y = doubling_high_product(value, factor);
    int16_t relu = value;
    if (to_relu.shift > 0) {
      relu = saturated_int16(int64_t{relu} << std::min(to_relu.shift - 1, 16));
    }
    relu = doubling_high_product(relu, relu_factor);
    if (to_relu.shift > 0) relu = saturated_int16(int64_t{relu} * 2);
    if (to_relu.shift < 0) {
      relu = static_cast<int16_t>(rounded_shift_away(relu, -to_relu.shift));
    }
    relu = static_cast<int16_t>((int32_t{relu} + (1 << 15)) >> 1);
    // Towards zero, which cancels the bias of the products before.
    const auto product = static_cast<int16_t>(int32_t{relu} * on_y / (1 << 15));
    return clamped(int64_t{rounded_shift_away(product, -to_y.shift)} + y.zero_point, limits);
  });
}

Table leaky_relu_table(const Scaled& x, const Scaled& y, float alpha) {
  const Multiplier identity = quantized_multiplier(double{x.scale / y.scale});
  const float slope = x.scale * alpha / y.scale;
  const float ratio = x.scale / y.scale;
  if (is_litert(x, y) && has_parts(ratio) && has_parts(ratio * alpha)) {
    return of_parts(x, y, ratio, ratio * alpha);
  }
  Multiplier below = quantized_multiplier(double{std::abs(slope)});
  if (slope < 0) below.multiplier = -below.multiplier;
  return filled(x, [&](int32_t difference) {
    const int32_t result = scaled(difference, difference >= 0 ? identity : below);
    return clamped(int64_t{result} + y.zero_point, range_of(y.dtype));
  });
}

Table abs_table(const Scaled& x, const Scaled& y) {
  const Multiplier factor = quantized_multiplier(double{x.scale} / double{y.scale});
  return filled(x, [&](int32_t difference) {
    const int32_t magnitude = std::abs(difference);
    const int32_t result = x.scale == y.scale ? magnitude : scaled(magnitude, factor);
    return clamped(int64_t{result} + y.zero_point, range_of(y.dtype));
  });
}

Table rsqrt_table(const Scaled& x, const Scaled& y) {
  constexpr int32_t kBits = 20;
  const Multiplier factor =
      quantized_multiplier(1 / (std::sqrt(double{x.scale}) * double{y.scale}));
  const Limits limits = range_of(y.dtype);
  return filled(x, [&](int32_t difference) {
    if (difference <= 0) return limits.high;
    Multiplier root = inverse_root(difference);
    root.shift += kBits;
    const int32_t result = scaled(scaled(1, root), {factor.multiplier, factor.shift - kBits});
    return clamped(int64_t{result} + y.zero_point, limits);
  });
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
