// Direct convolution in general: any groups, any strides, an invocation for each output element.
/* words
use activation
use weights
use conv
spec
  ActivationKind activation
  bool has_bias = true
  bool panels
  WeightsType weights  // their type
push ConvPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "conv.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "conv.glsl"
#include "weights.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 2) readonly buffer Bias { stored bias[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint quotient = rest / p.outputs;
  uint o = rest - quotient * p.outputs;
  rest = quotient;
  quotient = rest / p.out_width;
  uint ow = rest - quotient * p.out_width;
  uint n = quotient / p.out_height;
  uint oh = quotient - n * p.out_height;

  uvec2 kernel = halves(p.kernel), stride = halves(p.stride), dilation = halves(p.dilation);
  ivec2 begin = ivec2(uvec2(oh, ow) * stride) - ivec2(halves(p.pad));
  uint group = o / p.group_outputs;
  uint x_first = p.x_skip + n * p.x_strides[0] + group * p.channels * p.x_strides[1];
  uint w_first, w_channel;
  if (kPanels) {
    w_first = p.w_skip + (o / 16u) * kernel.x * kernel.y * p.channels * 16u + o % 16u;
    w_channel = 16u;
  } else {
    w_first = p.w_skip + o * p.w_strides[0];
    w_channel = p.w_strides[1];
  }

  float sum = 0.0;
  for (uint kh = 0u; kh < kernel.x; ++kh) {
    uint h = uint(begin.x + int(kh * dilation.x));
    if (h >= p.height) continue;  // before the input counts as large
    for (uint kw = 0u; kw < kernel.y; ++kw) {
      uint column = uint(begin.y + int(kw * dilation.y));
      if (column >= p.width) continue;
      uint x_at = x_first + h * p.x_strides[2] + column * p.x_strides[3];
      uint w_at = w_first;
      if (kPanels) {
        w_at += (kh * kernel.y + kw) * p.channels * 16u;
      } else {
        w_at += kh * p.w_strides[2] + kw * p.w_strides[3];
      }
      for (uint c = 0u; c < p.channels; ++c) {
        sum += float(x[x_at]) * weight(w_at);
        x_at += p.x_strides[1];
        w_at += w_channel;
      }
    }
  }
  if (kHasBias) sum += float(bias[p.bias_skip + o * p.bias_stride]);
  y[p.y_skip + n * p.y_strides[0] + o * p.y_strides[1] + oh * p.y_strides[2] + ow * p.y_strides[3]] =
      store(activate(kActivation, sum, p.activation_a, p.activation_b));
}
// SPDX-License-Identifier: Apache-2.0
