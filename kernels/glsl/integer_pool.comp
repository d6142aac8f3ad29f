// The greatest and the means of windows of integers, over up to three spatial dims, any strides. The
// same bits as the CPU's: sums wrap.
/* words
use requantize
use each_element
use integers
enum WindowResult = Mean, OneMultiplier, Counted, Greatest
struct Axis
  uint size, x_stride, kernel, stride, dilation, pad_begin  // the first two are x's
spec
  uint store  // as each_element.glsl has it
  uint type  // of x and y, as integers.glsl has them
  Rounding rounding
  WindowResult scaling
push
  uint count, y_skip
parameters
  uint rank, x_skip
  int x_zero_point, multiplier, shift
  OutputWords output
  uint multipliers_skip, multipliers_stride
  Axis axes[3]
  uint dims[9], x_strides[9], y_strides[9], codes[9]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "integer_pool.words.glsl"
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Multipliers { int multipliers[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

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
    begin[d] = int(at[d] * axis_word(d, kAxisStride)) - int(axis_word(d, kAxisPadBegin));
    first[d] = steps_to(0, begin[d], axis_word(d, kAxisDilation));
    end[d] = min(axis_word(d, kAxisKernel), steps_to(int(axis_word(d, kAxisSize)), begin[d], axis_word(d, kAxisDilation)));
  }
  int sum = 0, count = 0;
  int greatest = int(parameter(kLow));  // so far the least
  for (uint kd = first.x; kd < end.x; ++kd) {
    uint x_d = x_at + uint(begin.x + int(kd * axis_word(0u, kAxisDilation))) * axis_word(0u, kAxisXStride);
    for (uint kh = first.y; kh < end.y; ++kh) {
      uint x_h = x_d + uint(begin.y + int(kh * axis_word(1u, kAxisDilation))) * axis_word(1u, kAxisXStride);
      for (uint kw = first.z; kw < end.z; ++kw) {
        uint place = x_h + uint(begin.z + int(kw * axis_word(2u, kAxisDilation))) * axis_word(2u, kAxisXStride);
        int number = number_of(kType, x[word_at(kType & 3u, place)], place);
        sum += number;
        greatest = max(greatest, number);
        ++count;
      }
    }
  }
  Limits limits = output_limits();
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
