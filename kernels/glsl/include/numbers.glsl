// Float functions that keep NaN, which GLSL leaves to the driver (SwiftShader's exp makes it 0).

// By its bits, which no compiler takes for always false.
bool is_nan(float v) { return (floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u; }

float exp_or_nan(float v) { return is_nan(v) ? v : exp(v); }
// SPDX-License-Identifier: Apache-2.0
