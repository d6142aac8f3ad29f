// y = sums of neighbours of x along up to three axes, by tables of where they begin and what they
// weigh; or single elements of any type. Places that a table has outside x are clamped to it, so
// that no data can make it read elsewhere (the CPU reports them).
#version 450
#extension GL_GOOGLE_include_directive : require
#define PARAMETER_BINDING 4
#define PARAMETER_VECTORS 16
#include "parameters.glsl"

layout(constant_id = 1) const uint kWeights = 0u;
layout(constant_id = 2) const uint kTypeOfX = 0u;  // and of y, as integers.glsl has them
layout(constant_id = 3) const bool kWide = false;  // elements of two words

const uint kUnweighted = 0u, kFloats = 1u, kIntegers = 2u;  // kWeights

const uint kType = kTypeOfX & 3u;  // by its size

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Firsts { int firsts[]; };
layout(set = 0, binding = 2) readonly buffer Weights { uint weights[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

layout(push_constant) uniform Push { uint count, y_skip; } p;

#include "each_element.glsl"
#include "integers.glsl"

// The words of the parameter block.
const uint kRank = 0u, kXSkip = 1u, kFirstsSkip = 2u, kFirstsStride = 3u, kWeightsSkip = 4u;
const uint kWeightsStride = 5u, kOutside = 6u;
// Of each axis: whether it is there, taps, x's stride, the highest place, where its tables begin.
const uint kAxes = 8u, kAxisWords = 6u;
const uint kDims = 26u, kXStrides = 35u, kYStrides = 44u, kCodes = 53u;  // innermost first
const uint kFractionBits = 62u;

// Where the weight of a tap lies, of an axis that is there.
uint weight_at(uint axis, uint at, uint tap) {
  uint words = kAxes + kAxisWords * axis;
  uint place = parameter(words + 5u) + at * parameter(words + 1u) + tap;
  return parameter(kWeightsSkip) + place * parameter(kWeightsStride);
}

float weight(uint axis, uint at, uint tap) {
  if (parameter(kAxes + kAxisWords * axis) == 0u) return 1.0;
  return uintBitsToFloat(weights[weight_at(axis, at, tap)]);
}

int integer_weight(uint axis, uint at, uint tap) {
  if (parameter(kAxes + kAxisWords * axis) == 0u) return 1;
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
    if (parameter(words) == 0u) continue;
    int first = firsts[parameter(kFirstsSkip) +
                       (parameter(words + 4u) + at[axis]) * parameter(kFirstsStride)];
    outside = outside || first < 0;
    x_at += uint(clamp(first, 0, int(parameter(words + 3u)))) * parameter(words + 2u);
  }
  if (outside) return parameter(kOutside + word) & mask_of(kType);
  if (kWeights == kUnweighted) return bits_of(kType, x[word_at(kType, x_at)], x_at);
  float sum = 0.0;
  int integer_sum = 0;
  for (uint a = 0u; a < parameter(kAxes + 1u); ++a) {
    for (uint b = 0u; b < parameter(kAxes + kAxisWords + 1u); ++b) {
      float outer = 0.0;
      int integer_outer = 0;
      if (kWeights == kFloats) {
        outer = weight(0u, at[0], a) * weight(1u, at[1], b);
      } else {
        integer_outer = integer_weight(0u, at[0], a) * integer_weight(1u, at[1], b);
      }
      uint from = x_at + a * parameter(kAxes + 2u) + b * parameter(kAxes + kAxisWords + 2u);
      for (uint c = 0u; c < parameter(kAxes + kAxisWords * 2u + 1u); ++c) {
        uint tap_at = from + c * parameter(kAxes + kAxisWords * 2u + 2u);
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
