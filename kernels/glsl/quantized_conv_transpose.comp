// Quantized transposed convolution over three spatial dims: an invocation adds up four output
// channels at a place, of the taps that reach it.
/* words
use channel_sums
use transposed_taps
struct Own
  ChannelWords channels
  uint x_strides[3], w_strides[3], sum_strides[3]  // of d, h, w
  Axis axes[3]
  pad 13
struct ConvTransposeSums
  SumWords sums
  Own own
spec IntegerSumsSpec
push IntegerSumsPush
parameters ConvTransposeSums
parameters ElementWords
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "quantized_conv_transpose.words.glsl"
#include "integer_sums.glsl"
#include "channel_sums.glsl"

#include "transposed_taps.glsl"

void add_sums() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  Channels channels = channels_of(rest);
  uint at = parameter(kSumSkip);
  uint tap[3], position[3], count[3];
  for (uint back = 0u; back < 3u; ++back) {
    uint axis = 2u - back;
    uint size = parameter(kAxes + kAxisWords * axis + kAxisOutput);
    uint quotient = rest / size;
    uint place = rest - quotient * size;
    rest = quotient;
    at += place * parameter(kSumStrides + axis);
    taps_of(axis, place, tap[axis], position[axis], count[axis]);
  }
  uvec4 x_first = channels.x_at + rest * parameter(kXImage);
  uvec4 w_first = channels.w_at;
  uint x_step[3], w_step[3];
  for (uint axis = 0u; axis < 3u; ++axis) {
    uint words = kAxes + kAxisWords * axis;
    w_step[axis] = parameter(words + kAxisTapStep) * parameter(kWStrides + axis);
    x_step[axis] = parameter(words + kAxisInputStep) * parameter(kXStrides + axis);
    x_first += position[axis] * parameter(kXStrides + axis);
    w_first += tap[axis] * parameter(kWStrides + axis);
  }
  ivec4 sums = ivec4(0);
  for (uint d = 0u; d < count[0]; ++d) {
    for (uint h = 0u; h < count[1]; ++h) {
      for (uint v = 0u; v < count[2]; ++v) {
        add_run(sums, x_first - d * x_step[0] - h * x_step[1] - v * x_step[2],
                w_first + d * w_step[0] + h * w_step[1] + v * w_step[2], channels.zeros);
      }
    }
  }
  store_sums(channels, at + rest * parameter(kSumImage), sums);
}
// SPDX-License-Identifier: Apache-2.0
