// Float functions that keep NaN, which GLSL leaves to the driver (SwiftShader's exp makes it 0).

// By its bits, which no compiler takes for always false.
bool is_nan(float v) { return (floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u; }

// Devices may take subnormal numbers for 0: these look at the bits.
const uint kSmallestNormal = 0x00800000u;
bool is_zero(float v) { return (floatBitsToUint(v) & 0x7fffffffu) == 0u; }
bool is_subnormal(float v) { return !is_zero(v) && (floatBitsToUint(v) & 0x7fffffffu) < kSmallestNormal; }
bool is_negative(float v) { return (floatBitsToUint(v) >> 31) != 0u; }
bool is_infinite(float v) { return (floatBitsToUint(v) & 0x7fffffffu) == 0x7f800000u; }
float not_a_number() { return uintBitsToFloat(0x7fc00000u); }
float infinity() { return uintBitsToFloat(0x7f800000u); }

// GLSL leaves the logarithm of what is no positive number to the driver.
float log_of_any(float v) {
  if (is_nan(v)) return v;
  if (is_zero(v)) return -infinity();
  if (is_negative(v)) return not_a_number();
  if (is_infinite(v)) return v;
  if (is_subnormal(v)) return log(float(floatBitsToUint(v))) - 103.27893;  // 149 * ln 2
  return log(v);
}

float sqrt_of_any(float v) {
  if (is_nan(v) || is_zero(v) || (is_infinite(v) && !is_negative(v))) return v;
  return is_negative(v) ? not_a_number() : sqrt(v);
}

float exp_or_nan(float v) { return is_nan(v) ? v : exp(v); }
// SPDX-License-Identifier: Apache-2.0
