// Quantised transposed convolution over three spatial dims: an invocation adds up four output
// channels at a place, of the taps that reach it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "integer_sums.glsl"

// Groups to loop over, output channels of each.
const uint kGroups = kOwn, kGroupOutputs = kOwn + 1u;
const uint kLanes = kOwn + 2u;  // the stride of x from one output channel to the next
const uint kGroupStride = kOwn + 3u;  // and from one group to the next
const uint kXStrides = kOwn + 4u;  // n, d, h, w
const uint kWStrides = kOwn + 8u;  // o, kd, kh, kw
const uint kSumStrides = kOwn + 12u;  // n, o, d, h, w
const uint kBiasStride = kOwn + 17u;
// Of each axis: sizes of input, output and kernel, stride, dilation, padding, tap and input step.
const uint kAxes = kOwn + 18u, kAxisWords = 8u;
#include "transposed_taps.glsl"

void add_sums() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint group_outputs = parameter(kGroupOutputs);
  uint quads = (group_outputs + 3u) / 4u;
  uint quotient = rest / quads;
  uint first = (rest - quotient * quads) * 4u;
  rest = quotient;
  quotient = rest / parameter(kGroups);
  uint group = rest - quotient * parameter(kGroups);
  uint at = parameter(kSumSkip);
  uint tap[3], position[3], count[3];
  for (uint back = 0u; back < 3u; ++back) {
    uint axis = 2u - back;
    uint size = parameter(kAxes + kAxisWords * axis + 1u);
    rest = quotient;
    quotient = rest / size;
    uint place = rest - quotient * size;
    at += place * parameter(kSumStrides + 2u + axis);
    taps_of(axis, place, tap[axis], position[axis], count[axis]);
  }
  uint n = quotient;
  at += n * parameter(kSumStrides);
  uint o = group * group_outputs + first;
  // The last channels repeat instead of leaving the tensor.
  uvec4 lanes = min(uvec4(0u, 1u, 2u, 3u), uvec4(group_outputs - 1u - first));
  uvec4 x_first = parameter(kXSkip) + n * parameter(kXStrides) + group * parameter(kGroupStride) +
                  (first + lanes) * parameter(kLanes);
  uvec4 w_first = parameter(kWSkip) + (o + lanes) * parameter(kWStrides);
  uint x_step[3], w_step[3];
  for (uint axis = 0u; axis < 3u; ++axis) {
    uint words = kAxes + kAxisWords * axis;
    w_step[axis] = parameter(words + 6u) * parameter(kWStrides + 1u + axis);
    x_step[axis] = parameter(words + 7u) * parameter(kXStrides + 1u + axis);
    x_first += position[axis] * parameter(kXStrides + 1u + axis);
    w_first += tap[axis] * parameter(kWStrides + 1u + axis);
  }
  ivec4 sums = ivec4(0);
  for (uint d = 0u; d < count[0]; ++d) {
    for (uint h = 0u; h < count[1]; ++h) {
      for (uint v = 0u; v < count[2]; ++v) {
        add_run(sums, x_first - d * x_step[0] - h * x_step[1] - v * x_step[2],
                w_first + d * w_step[0] + h * w_step[1] + v * w_step[2]);
      }
    }
  }
  for (uint j = 0u; j < 4u && first + j < group_outputs; ++j) {
    int bias = kHasBias ? int(b[parameter(kBiasSkip) + (o + j) * parameter(kBiasStride)]) : 0;
    y[at + (o + j) * parameter(kSumStrides + 1u)] = uint(sums[j] + bias);
  }
}
// SPDX-License-Identifier: Apache-2.0
