// Elements to numbers and back, and comparisons that say where.
#include "tests/ops/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

namespace arenite::ops_test {
namespace {

// A float format of 16 bits: digits with the leading one, and exponents of the least and greatest
// normal number.
struct Format {
  int digits, low, high;
};

Format format_of(DType type) {
  switch (type) {
    case DType::kFloat16:
      return {11, -14, 15};
    default:
      return {8, -126, 127};
  }
}

constexpr int kExponentsMax = 140;  // more than the 16-bit floats have

constexpr auto kPowersOfTwo = [] {
  std::array<Number, 2 * kExponentsMax + 1> powers = {};
  powers[kExponentsMax] = 1;
  for (size_t i = 1; i <= kExponentsMax; ++i) {
    powers[kExponentsMax + i] = powers[kExponentsMax + i - 1] * 2;
    powers[kExponentsMax - i] = powers[kExponentsMax - i + 1] / 2;
  }
  return powers;
}();

// Many times as fast as std::ldexp.
Number power_of_two(int exponent) {
  return kPowersOfTwo.at(static_cast<size_t>(exponent + kExponentsMax));
}

template <typename T>
Number load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return static_cast<Number>(value);
}

template <typename T>
void store(Number value, std::byte* to) {
  const T stored = static_cast<T>(value);
  std::memcpy(to, &stored, sizeof(T));
}

Number decode_small(DType type, const std::byte* from) {
  uint16_t bits = 0;
  std::memcpy(&bits, from, 2);
  const Format f = format_of(type);
  const int mantissa_bits = f.digits - 1;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const int exponent = (bits & 0x7fff) >> mantissa_bits;
  Number magnitude = 0;
  if (exponent == f.high - f.low + 2) {
    magnitude = mantissa != 0 ? std::numeric_limits<Number>::quiet_NaN()
                              : std::numeric_limits<Number>::infinity();
  } else if (exponent == 0) {
    magnitude = static_cast<Number>(mantissa) * power_of_two(f.low - mantissa_bits);
  } else {
    magnitude = static_cast<Number>(mantissa + (1 << mantissa_bits)) *
                power_of_two(f.low + exponent - 1 - mantissa_bits);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

void encode_small(DType type, Number value, std::byte* to) {
  const Format f = format_of(type);
  const Number magnitude = std::fabs(nearest(type, value));
  const int mantissa_bits = f.digits - 1;
  int bits = (f.high - f.low + 2) << mantissa_bits;
  if (std::isnan(value)) {
    bits |= 1 << (mantissa_bits - 1);
  } else if (!std::isinf(magnitude)) {
    const int exponent = magnitude == 0 ? f.low : std::max(std::ilogb(magnitude), f.low);
    const int units = static_cast<int>(magnitude * power_of_two(mantissa_bits - exponent));
    bits = units + ((exponent - f.low) << mantissa_bits);
  }
  const auto stored = static_cast<uint16_t>(bits | (std::signbit(value) ? 0x8000 : 0));
  std::memcpy(to, &stored, 2);
}

std::string place(const Numbers& numbers, uint64_t position) {
  std::ostringstream text;
  text << "at [";
  for (uint32_t i : index_of(numbers.dims, position)) text << i << ' ';
  text << ']';
  return text.str();
}

template <typename Agree>
std::string first_difference(const Numbers& got, const Numbers& expected, Agree agree) {
  if (got.dtype != expected.dtype || got.dims != expected.dims) return "type or dims differ";
  std::ostringstream text;
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < expected.values.size(); ++i) {
    if (agree(got.values[i], expected.values[i])) continue;
    if (wrong++ == 0) {
      text.precision(10);
      text << place(got, i) << " expected " << expected.values[i] << ", found " << got.values[i];
    }
  }
  if (wrong > 1) text << " (and " << wrong - 1 << " more)";
  return text.str();
}

}  // namespace

uint64_t count_of(std::span<const uint32_t> dims) {
  uint64_t count = 1;
  for (uint32_t dim : dims) count *= dim;
  return count;
}

uint64_t position_of(std::span<const uint32_t> dims, std::span<const uint32_t> index) {
  uint64_t position = 0;
  for (size_t d = 0; d < dims.size(); ++d) position = position * dims[d] + index[d];
  return position;
}

Index index_of(std::span<const uint32_t> dims, uint64_t position) {
  Index index(dims.size());
  for (size_t d = dims.size(); d-- > 0;) {
    index[d] = static_cast<uint32_t>(position % dims[d]);
    position /= dims[d];
  }
  return index;
}

Number decode(DType type, const std::byte* from) {
  switch (type) {
    case DType::kUint8:
    case DType::kBool:
      return load<uint8_t>(from);
    case DType::kInt8:
      return load<int8_t>(from);
    case DType::kUint16:
      return load<uint16_t>(from);
    case DType::kInt16:
      return load<int16_t>(from);
    case DType::kUint32:
      return load<uint32_t>(from);
    case DType::kInt32:
      return load<int32_t>(from);
    case DType::kUint64:
      return load<uint64_t>(from);
    case DType::kInt64:
      return load<int64_t>(from);
    case DType::kFloat32:
      return load<float>(from);
    case DType::kFloat64:
      return load<double>(from);
    default:
      return decode_small(type, from);
  }
}

void encode(DType type, Number value, std::byte* to) {
  switch (type) {
    case DType::kUint8:
    case DType::kBool:
      return store<uint8_t>(value, to);
    case DType::kInt8:
      return store<int8_t>(value, to);
    case DType::kUint16:
      return store<uint16_t>(value, to);
    case DType::kInt16:
      return store<int16_t>(value, to);
    case DType::kUint32:
      return store<uint32_t>(value, to);
    case DType::kInt32:
      return store<int32_t>(value, to);
    case DType::kUint64:
      return store<uint64_t>(value, to);
    case DType::kInt64:
      return store<int64_t>(value, to);
    case DType::kFloat32:
      return store<float>(value, to);
    case DType::kFloat64:
      return store<double>(value, to);
    default:
      return encode_small(type, value, to);
  }
}

bool is_float(DType type) {
  return type == DType::kFloat16 || type == DType::kBfloat16 || type == DType::kFloat32 ||
         type == DType::kFloat64;
}

Number nearest(DType type, Number value) {
  // The processor rounds to these types by the same rule, thirty times as fast.
  if (type == DType::kFloat32) return static_cast<Number>(static_cast<float>(value));
  if (type == DType::kFloat64) return static_cast<Number>(static_cast<double>(value));
  if (std::isnan(value) || std::isinf(value) || value == 0) return value;
  const Format f = format_of(type);
  const int exponent = std::max(std::ilogb(value), f.low);
  const Number infinity = std::numeric_limits<Number>::infinity();
  if (exponent > f.high) return std::copysign(infinity, value);
  const int unit = exponent - (f.digits - 1);
  // rint rounds halves to even; scaling by powers of two is exact.
  const Number rounded = std::rint(value * power_of_two(-unit)) * power_of_two(unit);
  const Number beyond = 2 * power_of_two(f.high);
  if (std::fabs(rounded) < beyond) return std::copysign(rounded, value);
  return std::copysign(infinity, value);
}

Number lowest_of(DType type) {
  switch (type) {
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
      return -std::ldexp(Number{1}, static_cast<int>(element_bytes(type) * 8 - 1));
    default:
      return 0;
  }
}

double half_unit(DType type) {
  return type == DType::kFloat16 ? 0x1p-11 : type == DType::kBfloat16 ? 0x1p-8 : 0;
}

Number highest_of(DType type) {
  if (type == DType::kBool) return 1;
  const int bits = static_cast<int>(element_bytes(type) * 8);
  return std::ldexp(Number{1}, lowest_of(type) < 0 ? bits - 1 : bits) - 1;
}

std::string difference(const Numbers& got, const Numbers& expected, double tolerance) {
  return first_difference(got, expected, [&](Number a, Number b) {
    if (std::isnan(b) || std::isinf(b)) return std::isnan(b) ? std::isnan(a) : a == b;
    return std::fabs(a - b) <= static_cast<Number>(tolerance) * std::max(Number{1}, std::fabs(b));
  });
}

std::string bit_difference(const Numbers& got, const Numbers& expected) {
  return first_difference(got, expected, [](Number a, Number b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
  });
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
