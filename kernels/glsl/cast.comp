// y = x as another type, of float32, integers of up to 32 bits, bool, float16 and bfloat16: to
// integers towards zero, saturating, NaN to 0, and from other integers wrapping; to bool whether it is
// not 0; to 16-bit floats the nearest, even of two.
/* words
use each_element
use integers
constant float16 = 8  // from and to: a type of integers.glsl, or one of these
constant bfloat16 = 9
constant truth = 10
spec
  uint store  // as each_element.glsl has it
  uint from
  uint to
push
  uint count, rank, x_skip, y_skip
  uint dims[8], x_strides[8], y_strides[8]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "cast.words.glsl"
#include "numbers.glsl"
#include "half_floats.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

uint stored_as(uint type) { return type == kTruth ? kBool : type >= kFloat16 ? kHalf : type & 3u; }
bool is_float_type(uint type) { return type == kFloat || type == kFloat16 || type == kBfloat16; }

// As kTo, of which 32 bits have a sign.
uint to_int(float v) {
  if (is_nan(v)) return 0u;
  if (v >= 2147483648.0) return mask_of(kStored) >> uint((kTo & kSigned) != 0u);
  if (v < -2147483648.0) return (kTo & kSigned) != 0u ? ~(mask_of(kStored) >> 1) : 0u;
  int number = int(v);
  if (kStored == kInt) return uint(number);
  int high = int(mask_of(kStored) >> uint((kTo & kSigned) != 0u));
  return uint(clamp(number, (kTo & kSigned) != 0u ? -high - 1 : 0, high));
}

uint from_float(uint bits) {
  if (kTo == kTruth) return uint(!is_zero(uintBitsToFloat(bits)));
  if (kTo == kFloat16) return float16_of(bits);
  if (kTo == kBfloat16) return bfloat16_of(bits);
  return kTo == kFloat ? bits : to_int(uintBitsToFloat(bits));
}

uint converted(uint word, uint at) {
  if (kFrom == kFloat) return from_float(word);
  if (kFrom == kFloat16) return from_float(float32_of_float16(bits_of(kHalf, word, at)));
  if (kFrom == kBfloat16) return from_float(bits_of(kHalf, word, at) << 16);
  int number = number_of(kFrom, word, at);
  if (kFrom == kTruth) number = int(bits_of(kBool, word, at) != 0u);
  if (is_float_type(kTo)) return from_float(floatBitsToUint(float(number)));
  return kTo == kTruth ? uint(number != 0) : uint(number);
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
  return converted(x[word_at(stored_as(kFrom), x_at)], x_at) & mask_of(kStored);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0
