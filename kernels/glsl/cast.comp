// y = x as another type, of float32, int32, bool, float16 and bfloat16: to int32 towards zero,
// saturating, NaN to 0; to bool whether it is not 0; to 16 bits the nearest, even of two.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "numbers.glsl"
#include "half_floats.glsl"

layout(constant_id = 1) const uint kFrom = 0u;
layout(constant_id = 2) const uint kTo = 0u;

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };

layout(push_constant) uniform Push {
  uint count, rank, x_skip, y_skip;
  uint dims[8], x_strides[8], y_strides[8];  // innermost first
} p;

#include "each_element.glsl"

uint to_int(float v) {
  if (is_nan(v)) return 0u;
  if (v >= 2147483648.0) return 0x7fffffffu;
  if (v < -2147483648.0) return 0x80000000u;
  return uint(int(v));
}

// kFrom and kTo: a type of elements.glsl, float16 counting as kHalf, and beyond them bfloat16.
const uint kBfloat = 4u;
uint stored_as(uint type) { return min(type, kHalf); }
bool is_float_type(uint type) { return type != kInt && type != kBool; }

uint from_float(uint bits) {
  if (kTo == kBool) return uint(!is_zero(uintBitsToFloat(bits)));
  if (kTo == kInt) return to_int(uintBitsToFloat(bits));
  if (kTo == kHalf) return float16_of(bits);
  return kTo == kBfloat ? bfloat16_of(bits) : bits;
}

uint converted(uint bits) {
  if (kFrom == kHalf) return from_float(float32_of_float16(bits));
  if (kFrom == kBfloat) return from_float(bits << 16);
  if (kFrom == kFloat) return from_float(bits);
  int number = kFrom == kBool ? int(bits != 0u) : int(bits);
  if (is_float_type(kTo)) return from_float(floatBitsToUint(float(number)));
  return kTo == kBool ? uint(number != 0) : uint(number);
}

uint element(uint i, out uint y_at) {
  uint x_at = p.x_skip;
  y_at = p.y_skip;
  for (uint d = 0u; d + 1u < p.rank; ++d) {
    uint quotient = i / p.dims[d];
    uint k = i - quotient * p.dims[d];
    x_at += k * p.x_strides[d];
    y_at += k * p.y_strides[d];
    i = quotient;
  }
  uint last = p.rank - 1u;
  x_at += i * p.x_strides[last];
  y_at += i * p.y_strides[last];
  return converted(bits_of(stored_as(kFrom), x[word_at(stored_as(kFrom), x_at)], x_at));
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0
