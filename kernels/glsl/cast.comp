// y = x as another type, of float32, int32 and bool: to int32 towards zero, saturating, NaN to 0; to
// bool whether it is not 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "numbers.glsl"

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

uint converted(uint bits) {
  if (kTo == kBool) {
    return uint(kFrom == kFloat ? !is_zero(uintBitsToFloat(bits)) : bits != 0u);
  }
  if (kFrom == kFloat) return to_int(uintBitsToFloat(bits));
  int number = kFrom == kBool ? int(bits != 0u) : int(bits);
  return kTo == kFloat ? floatBitsToUint(float(number)) : uint(number);
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
  return converted(bits_of(kFrom, x[word_at(kFrom, x_at)], x_at));
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0
