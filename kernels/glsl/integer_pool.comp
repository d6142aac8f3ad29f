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
  bool words  // four results lie side by side, as their elements of x do: they are an invocation's
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

// The numbers of x from a place on: four in a word, or one.
ivec4 numbers_at(uint place) {
  uint word = x[word_at(kType & 3u, place)];
  return kWords ? numbers_of(kType, word) : ivec4(number_of(kType, word, place));
}

// Halves away from zero.
int rounded_mean(int sum, int count) {
  uint magnitude = sum < 0 ? 0u - uint(sum) : uint(sum);
  uint mean = count == 0 ? 0u : (magnitude + uint(count / 2)) / uint(count);
  return sum < 0 ? -int(mean) : int(mean);
}

// Result i, of words also the three behind it, and where in y they begin.
ivec4 results(uint i, out uint y_at) {
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
  ivec4 sums = ivec4(0), greatest = ivec4(int(parameter(kLow)));  // so far the least
  int count = 0;
  for (uint kd = first.x; kd < end.x; ++kd) {
    uint x_d = x_at + uint(begin.x + int(kd * axis_word(0u, kAxisDilation))) * axis_word(0u, kAxisXStride);
    for (uint kh = first.y; kh < end.y; ++kh) {
      uint x_h = x_d + uint(begin.y + int(kh * axis_word(1u, kAxisDilation))) * axis_word(1u, kAxisXStride);
      for (uint kw = first.z; kw < end.z; ++kw) {
        uint place = x_h + uint(begin.z + int(kw * axis_word(2u, kAxisDilation))) * axis_word(2u, kAxisXStride);
        ivec4 numbers = numbers_at(place);
        sums += numbers;
        greatest = max(greatest, numbers);
        ++count;
      }
    }
  }
  if (kScaling == kGreatest) return greatest;
  Limits limits = output_limits();
  int multiplier = int(parameter(kMultiplier));
  if (kScaling == kCounted) {
    multiplier = multipliers[parameter(kMultipliersSkip) + uint(count) * parameter(kMultipliersStride)];
  }
  ivec4 numbers;
  // One after another: the code is long.
  for (uint k = 0u; k < (kWords ? 4u : 1u); ++k) {
    numbers[k] = kScaling == kMean ? clamp(rounded_mean(sums[k], count), limits.low, limits.high)
                                   : finished(sums[k] - count * int(parameter(kXZeroPoint)), multiplier,
                                              int(parameter(kShift)), kRounding, limits);
  }
  return numbers;
}

uint element(uint i, out uint y_at) { return uint(results(i, y_at).x) & mask_of(kStored); }

void main() {
  if (!kWords) {
    store_elements();
    return;
  }
  uint first = 4u * grid_index();
  if (first >= p.count) return;
  uint y_at;
  uvec4 bits = uvec4(results(first, y_at)) & 0xffu;
  y[y_at >> 2] = bits.x | bits.y << 8 | bits.z << 16 | bits.w << 24;
}
// SPDX-License-Identifier: Apache-2.0
