// y = x / (bias + alpha / size * sum of squares around the channel)^beta, any strides.
/* words
parameters
  uint count, rank, x_skip, y_skip, channels, channel_stride, size
  float factor, beta, bias
  uint dims[8], x_strides[8], y_strides[8], channel_of[8]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "lrn.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "functions.glsl"
#include "power.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { stored y[]; };

void main() {
  uint rest = grid_index();
  if (rest >= parameter(kCount)) return;
  uint x_at = parameter(kXSkip), y_at = parameter(kYSkip), c = 0u;
  for (uint d = 0u; d < parameter(kRank); ++d) {
    uint quotient = rest / parameter(kDims + d);
    uint i = rest - quotient * parameter(kDims + d);
    x_at += i * parameter(kXStrides + d);
    y_at += i * parameter(kYStrides + d);
    c += i * parameter(kChannelOf + d);
    rest = quotient;
  }
  uint size = parameter(kSize), before = min(c, (size - 1u) / 2u);
  uint end = min(c + size / 2u + 1u, parameter(kChannels));
  uint at = x_at - before * parameter(kChannelStride);
  float sum = 0.0;
  for (uint k = c - before; k < end; ++k) {
    float v = float(x[at]);
    sum += v * v;
    at += parameter(kChannelStride);
  }
  float base = float_parameter(kBias) + float_parameter(kFactor) * sum;
  y[y_at] = store(float(x[x_at]) / power(base, float_exponent(float_parameter(kBeta))));
}
// SPDX-License-Identifier: Apache-2.0
