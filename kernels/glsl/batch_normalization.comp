// Normalizes by given statistics in two passes, since the operands are six buffers and a stage is
// only sure to have four: y = (x - mean) / sqrt(variance + epsilon), then y = y * scale + bias.
/* words
spec
  bool second_pass
push
  uint count, rank, x_skip, first_skip, second_skip, y_skip
  uint first_stride, second_stride  // per channel
  uint channel_dim  // which of dims is the channel
  float epsilon
  uint dims[7], x_strides[7], y_strides[7]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "batch_normalization.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };       // second pass: y
layout(set = 0, binding = 1) readonly buffer First { stored first[]; };    // mean, then scale
layout(set = 0, binding = 2) readonly buffer Second { stored second[]; };  // variance, then bias
// In the second pass the same bytes as x: an invocation writes only the element it has read.
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint x_at = p.x_skip, y_at = p.y_skip, channel = 0u;
  for (uint d = 0u; d < p.rank; ++d) {
    uint quotient = rest / p.dims[d];
    uint i = rest - quotient * p.dims[d];
    x_at += i * p.x_strides[d];
    y_at += i * p.y_strides[d];
    if (d == p.channel_dim) channel = i;
    rest = quotient;
  }
  float u = float(first[p.first_skip + channel * p.first_stride]);
  float v = float(second[p.second_skip + channel * p.second_stride]);
  if (kSecondPass) {
    y[y_at] = store(float(x[x_at]) * u + v);
  } else {
    y[y_at] = store((float(x[x_at]) - u) / sqrt(v + p.epsilon));
  }
}
// SPDX-License-Identifier: Apache-2.0
