// 16-bit floats to and from double, without hardware for them.
#pragma once

#include <bit>
#include <cstdint>

namespace arenite {

struct SmallFloatFormat {
  uint32_t mantissa_bits;
  int32_t bias;  // of the exponent
};
inline constexpr SmallFloatFormat kFloat16Format = {10, 15};
inline constexpr SmallFloatFormat kBfloat16Format = {7, 127};

// Exact; NaN stays NaN.
template <SmallFloatFormat format>
double small_to_double(uint16_t bits) {
  constexpr uint32_t kExponentMax = (1u << (15 - format.mantissa_bits)) - 1;
  const uint64_t sign = uint64_t{bits} >> 15 << 63;
  const uint32_t exponent = (bits & 0x7fffu) >> format.mantissa_bits;
  const uint64_t mantissa = bits & ((1u << format.mantissa_bits) - 1);
  if (exponent == 0) {
    // 2^(1 - bias - mantissa_bits) is a normal double.
    const auto unit =
        static_cast<uint64_t>(1023 + 1 - format.bias - static_cast<int32_t>(format.mantissa_bits));
    const double magnitude = static_cast<double>(mantissa) * std::bit_cast<double>(unit << 52);
    return std::bit_cast<double>(std::bit_cast<uint64_t>(magnitude) | sign);
  }
  const uint64_t wide =
      exponent == kExponentMax
          ? 0x7ff
          : static_cast<uint64_t>(static_cast<int32_t>(exponent) - format.bias + 1023);
  return std::bit_cast<double>(sign | wide << 52 | mantissa << (52 - format.mantissa_bits));
}

// Exact, in float32 arithmetic alone.
template <SmallFloatFormat format>
float small_to_float(uint16_t bits) {
  if constexpr (format.bias == kBfloat16Format.bias) {
    return std::bit_cast<float>(uint32_t{bits} << 16);
  } else {
    const uint32_t magnitude = bits & 0x7fffu;
    const uint32_t sign = (bits & 0x8000u) << 16;
    // With the mantissa in float32's place the exponent lacks the difference of the biases, which
    // the product adds; a subnormal becomes normal.
    const float finite = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    const uint32_t wide =
        magnitude < 0x7c00u ? std::bit_cast<uint32_t>(finite) : 0x7f800000u | magnitude << 13;
    return std::bit_cast<float>(wide | sign);
  }
}

// Rounds to nearest even; beyond the range is infinite.
template <SmallFloatFormat format>
uint16_t double_to_small(double value) {
  constexpr uint32_t kExponentMax = (1u << (15 - format.mantissa_bits)) - 1;
  const auto bits = std::bit_cast<uint64_t>(value);
  const auto sign = static_cast<uint32_t>(bits >> 63) << 15;
  const auto infinity = kExponentMax << format.mantissa_bits;
  const auto exponent = static_cast<int32_t>(bits >> 52 & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff) {
    const uint32_t quiet = mantissa != 0 ? 1u << (format.mantissa_bits - 1) : 0;
    return static_cast<uint16_t>(sign | infinity | quiet);
  }
  int32_t small = exponent - 1023 + format.bias;
  if (small >= static_cast<int32_t>(kExponentMax)) return static_cast<uint16_t>(sign | infinity);
  uint32_t cut = 52 - format.mantissa_bits;
  if (small <= 0) {
    // Subnormal: the leading 1 becomes explicit and moves right.
    mantissa |= uint64_t{1} << 52;
    cut += static_cast<uint32_t>(1 - small);
    if (cut > 54) return static_cast<uint16_t>(sign);
    small = 0;
  }
  uint32_t result = (static_cast<uint32_t>(small) << format.mantissa_bits) +
                    static_cast<uint32_t>(mantissa >> cut);
  const uint64_t rest = mantissa & ((uint64_t{1} << cut) - 1);
  const uint64_t half = uint64_t{1} << (cut - 1);
  // A carry out of the mantissa moves into the exponent, up to infinity, as it should.
  if (rest > half || (rest == half && (result & 1) != 0)) ++result;
  return static_cast<uint16_t>(sign | result);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
