// y = sums of neighbors of x along up to three axes, by tables of where they begin and what they
// weigh; or single elements of any type. Places that a table has outside x are clamped to it, so
// that no data can make it read elsewhere (the CPU reports them).
/* words
use each_element
use integers
enum Weighting = Unweighted, Floats, Integers
struct Axis
  uint there, taps, x_stride, highest  // the highest place
  uint first, weight                   // where its tables begin
spec
  uint store  // as each_element.glsl has it
  Weighting weights
  uint type_of_x  // and of y, as integers.glsl has them
  bool wide  // elements of two words
push
  uint count, y_skip
parameters
  uint rank, x_skip, firsts_skip, firsts_stride, weights_skip, weights_stride, outside[2]
  Axis axes[3]
  uint dims[9], x_strides[9], y_strides[9], codes[9]  // innermost first
  uint fraction_bits
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "resize.words.glsl"
#include "parameters.glsl"

const uint kType = kTypeOfX & 3u;  // by its size

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Firsts { int firsts[]; };
layout(set = 0, binding = 2) readonly buffer Weights { uint weights[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

// The offset of a tap's weight; the axis exists.
uint weight_at(uint axis, uint at, uint tap) {
  uint words = kAxes + kAxisWords * axis;
  uint place = parameter(words + kAxisWeight) + at * parameter(words + kAxisTaps) + tap;
  return parameter(kWeightsSkip) + place * parameter(kWeightsStride);
}

float weight(uint axis, uint at, uint tap) {
  if (parameter(kAxes + kAxisWords * axis + kAxisThere) == 0u) return 1.0;
  return uintBitsToFloat(weights[weight_at(axis, at, tap)]);
}

int integer_weight(uint axis, uint at, uint tap) {
  if (parameter(kAxes + kAxisWords * axis + kAxisThere) == 0u) return 1;
  uint place = weight_at(axis, at, tap);
  return number_of(kHalf | kSigned, weights[place / 2u], place);
}

// A sum in its fractions: to the nearest, halves away from zero, saturating.
uint whole_of(int sum) {
  uint magnitude = sum < 0 ? 0u - uint(sum) : uint(sum);
  uint bits = parameter(kFractionBits);
  uint whole = (magnitude + (bits == 0u ? 0u : 1u << (bits - 1u))) >> bits;
  int number = sum < 0 ? -int(min(whole, 256u)) : int(min(whole, 256u));
  number = (kTypeOfX & kSigned) != 0u ? clamp(number, -128, 127) : clamp(number, 0, 255);
  return uint(number) & mask_of(kStored);
}

uint element(uint i, out uint y_at) {
  uint x_at = parameter(kXSkip);
  uint at[3] = uint[3](0u, 0u, 0u);
  y_at = p.y_skip;
  uint word = 0u;  // of an element of two
  for (uint d = 0u; d < parameter(kRank); ++d) {
    uint quotient = i / parameter(kDims + d);
    uint k = i - quotient * parameter(kDims + d);
    i = quotient;
    y_at += k * parameter(kYStrides + d);
    uint code = parameter(kCodes + d);
    if (code == 0u) {
      x_at += k * parameter(kXStrides + d);
    } else {
      at[code - 1u] = k;
    }
  }
  if (kWide) word = (y_at - p.y_skip) & 1u;
  bool outside = false;
  for (uint axis = 0u; axis < 3u; ++axis) {
    uint words = kAxes + kAxisWords * axis;
    if (parameter(words + kAxisThere) == 0u) continue;
    int first = firsts[parameter(kFirstsSkip) +
                       (parameter(words + kAxisFirst) + at[axis]) * parameter(kFirstsStride)];
    outside = outside || first < 0;
    x_at += uint(clamp(first, 0, int(parameter(words + kAxisHighest)))) * parameter(words + kAxisXStride);
  }
  if (outside) return parameter(kOutside + word) & mask_of(kType);
  if (kWeights == kUnweighted) return bits_of(kType, x[word_at(kType, x_at)], x_at);
  float sum = 0.0;
  int integer_sum = 0;
  for (uint a = 0u; a < parameter(kAxes + kAxisTaps); ++a) {
    for (uint b = 0u; b < parameter(kAxes + kAxisWords + kAxisTaps); ++b) {
      float outer = 0.0;
      int integer_outer = 0;
      if (kWeights == kFloats) {
        outer = weight(0u, at[0], a) * weight(1u, at[1], b);
      } else {
        integer_outer = integer_weight(0u, at[0], a) * integer_weight(1u, at[1], b);
      }
      uint from = x_at + a * parameter(kAxes + kAxisXStride) + b * parameter(kAxes + kAxisWords + kAxisXStride);
      for (uint c = 0u; c < parameter(kAxes + kAxisWords * 2u + kAxisTaps); ++c) {
        uint tap_at = from + c * parameter(kAxes + kAxisWords * 2u + kAxisXStride);
        if (kWeights == kFloats) {
          sum += outer * weight(2u, at[2], c) * uintBitsToFloat(x[tap_at]);
        } else {
          integer_sum += integer_outer * integer_weight(2u, at[2], c) *
                         number_of(kTypeOfX, x[word_at(kType, tap_at)], tap_at);
        }
      }
    }
  }
  return kWeights == kFloats ? floatBitsToUint(sum) : whole_of(integer_sum);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0
