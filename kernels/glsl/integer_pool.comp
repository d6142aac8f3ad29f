// The greatest and the means of windows of integers, over up to three spatial dims, any strides. The
// same bits as the CPU's: sums wrap.
#version 450
#extension GL_GOOGLE_include_directive : require
#define PARAMETER_BINDING 3
#define PARAMETER_VECTORS 16
#include "parameters.glsl"
#include "wide.glsl"
#include "requantise.glsl"

layout(constant_id = 1) const uint kType = 0u;  // of x and y, as integers.glsl has them
layout(constant_id = 2) const uint kRounding = 0u;
layout(constant_id = 3) const uint kScaling = 0u;

const uint kMean = 0u, kOneMultiplier = 1u, kCounted = 2u, kGreatest = 3u;  // kScaling

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Multipliers { int multipliers[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

layout(push_constant) uniform Push { uint count, y_skip; } p;

#include "each_element.glsl"
#include "integers.glsl"

// The words of the parameter block.
const uint kRank = 0u, kXSkip = 1u, kXZeroPoint = 2u, kMultiplier = 3u, kShift = 4u, kOutput = 5u;
const uint kMultipliersSkip = 8u, kMultipliersStride = 9u;
// Of each axis: x's size and stride, the window's size, stride, dilation and padding before.
const uint kAxes = 10u, kAxisWords = 6u;
const uint kDims = 28u, kXStrides = 37u, kYStrides = 46u, kCodes = 55u;  // innermost first

uint axis_word(uint axis, uint word) { return parameter(kAxes + kAxisWords * axis + word); }

// Steps of `dilation` from `from` until `to` is reached or passed.
uint steps_to(int to, int from, uint dilation) {
  return to > from ? (uint(to - from) + dilation - 1u) / dilation : 0u;
}

// Halves away from zero.
int rounded_mean(int sum, int count) {
  uint magnitude = sum < 0 ? 0u - uint(sum) : uint(sum);
  uint mean = count == 0 ? 0u : (magnitude + uint(count / 2)) / uint(count);
  return sum < 0 ? -int(mean) : int(mean);
}

uint element(uint i, out uint y_at) {
  uint x_at = parameter(kXSkip);
  uint at[3] = uint[3](0u, 0u, 0u);
  y_at = p.y_skip;
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
  uvec3 first, end;  // taps inside the input: found by arithmetic, so that no kernel is too large
  ivec3 begin;
  for (uint d = 0u; d < 3u; ++d) {
    begin[d] = int(at[d] * axis_word(d, 3u)) - int(axis_word(d, 5u));
    first[d] = steps_to(0, begin[d], axis_word(d, 4u));
    end[d] = min(axis_word(d, 2u), steps_to(int(axis_word(d, 0u)), begin[d], axis_word(d, 4u)));
  }
  int sum = 0, count = 0;
  int greatest = int(parameter(kOutput + 1u));  // so far the least
  for (uint kd = first.x; kd < end.x; ++kd) {
    uint x_d = x_at + uint(begin.x + int(kd * axis_word(0u, 4u))) * axis_word(0u, 1u);
    for (uint kh = first.y; kh < end.y; ++kh) {
      uint x_h = x_d + uint(begin.y + int(kh * axis_word(1u, 4u))) * axis_word(1u, 1u);
      for (uint kw = first.z; kw < end.z; ++kw) {
        uint place = x_h + uint(begin.z + int(kw * axis_word(2u, 4u))) * axis_word(2u, 1u);
        int number = number_of(kType, x[word_at(kType & 3u, place)], place);
        sum += number;
        greatest = max(greatest, number);
        ++count;
      }
    }
  }
  Limits limits = Limits(int(parameter(kOutput)), int(parameter(kOutput + 1u)),
                         int(parameter(kOutput + 2u)));
  int result;
  if (kScaling == kGreatest) {
    result = greatest;
  } else if (kScaling == kMean) {
    result = clamp(rounded_mean(sum, count), limits.low, limits.high);
  } else {
    int multiplier = kScaling == kOneMultiplier
                         ? int(parameter(kMultiplier))
                         : multipliers[parameter(kMultipliersSkip) +
                                       uint(count) * parameter(kMultipliersStride)];
    result = finished(sum - count * int(parameter(kXZeroPoint)), multiplier, int(parameter(kShift)),
                    kRounding, limits);
  }
  return uint(result) & mask_of(kStored);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0
