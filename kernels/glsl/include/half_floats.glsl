// 16-bit floats as bits, to and from the bits of float32, by integer arithmetic: subnormals count on
// every device, and what is made is what the CPU makes.

uint float32_of_float16(uint half_bits) {
  uint sign = (half_bits & 0x8000u) << 16;
  uint exponent = half_bits >> 10 & 31u;
  uint mantissa = half_bits & 0x3ffu;
  if (exponent == 0u) return sign | floatBitsToUint(float(mantissa) * 5.9604644775390625e-8);
  uint wide = exponent == 31u ? 255u : exponent + 112u;
  return sign | wide << 23 | mantissa << 13;
}

// `bits` without its last `cut`, from 1 to 25, rounded to nearest even.
uint rounded(uint bits, uint cut) {
  uint result = bits >> cut;
  uint rest = bits & ((1u << cut) - 1u);
  uint middle = 1u << (cut - 1u);
  return rest > middle || (rest == middle && (result & 1u) != 0u) ? result + 1u : result;
}

uint float16_of(uint bits) {
  uint sign = bits >> 16 & 0x8000u;
  uint magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;   // NaN
  if (magnitude >= 0x47800000u) return sign | 0x7c00u;  // from 2^16 on
  if (magnitude >= 0x38800000u) return sign | rounded(magnitude - 0x38000000u, 13u);
  // Subnormal: the leading 1 becomes explicit and moves right.
  uint cut = 126u - (magnitude >> 23);
  return cut > 25u ? sign : sign | rounded((magnitude & 0x7fffffu) | 0x800000u, cut);
}

uint bfloat16_of(uint bits) {
  uint sign = bits >> 16 & 0x8000u;
  uint magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7fc0u;  // NaN
  return sign | rounded(magnitude, 16u);
}
// SPDX-License-Identifier: Apache-2.0
