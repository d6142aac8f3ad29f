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

float exp_or_nan(float v) { return is_nan(v) ? v : exp(v); }
// SPDX-License-Identifier: Apache-2.0
