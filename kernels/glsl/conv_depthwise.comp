// Depthwise convolution (one input and one output channel a group): an invocation computes four
// channels of up to four pixels of a row.
/* words
use activation
use weights
use conv
spec
  uint pixels = 4  // 1, 2 or 4
  ActivationKind activation
  bool has_bias = true
  bool vectors_x  // four channels of x are an aligned vec4
  bool vectors_w  // and of the weights
  bool vectors_y  // and of y
  WeightsType weights  // their type
push ConvPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "conv_depthwise.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "conv.glsl"

#include "weights.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 0) readonly buffer X4 { stored4 x4[]; };
layout(set = 0, binding = 2) readonly buffer Bias { stored bias[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint quads = (p.outputs + 3u) / 4u;
  uint strips = (p.out_width + kPixels - 1u) / kPixels;
  uint quotient = rest / quads;
  uint o = (rest - quotient * quads) * 4u;
  rest = quotient;
  quotient = rest / strips;
  uint ow = (rest - quotient * strips) * kPixels;
  uint n = quotient / p.out_height;
  uint oh = quotient - n * p.out_height;

  uvec2 kernel = halves(p.kernel), stride = halves(p.stride), dilation = halves(p.dilation);
  ivec2 pad = ivec2(halves(p.pad));
  int top = int(oh * stride.x) - pad.x;
  uint x_first = p.x_skip + n * p.x_strides[0] + o * p.x_strides[1];
  uint w_first = p.w_skip + o * p.w_strides[0];
  // The last channels and pixels repeat instead of leaving the tensor.
  uvec4 lanes = min(uvec4(0u, 1u, 2u, 3u), uvec4(p.outputs - 1u - o));
  int left[4];
  [[unroll]] for (uint j = 0u; j < 4u; ++j) {
    left[j] = int(min(ow + j, p.out_width - 1u) * stride.y) - pad.y;
  }

  vec4 sums[4] = {vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0)};
  for (uint kh = 0u; kh < kernel.x; ++kh) {
    uint h = uint(top + int(kh * dilation.x));
    if (h >= p.height) continue;  // before the input counts as large
    for (uint kw = 0u; kw < kernel.y; ++kw) {
      uint w_at = w_first + kh * p.w_strides[2] + kw * p.w_strides[3];
      vec4 weights;
      if (kVectorsW) {
        weights = weights_of_quad(w_at >> 2);
      } else {
        weights = weights_at(w_at + lanes * p.w_strides[0]);
      }
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        if (j < kPixels) {
          uint column = uint(left[j] + int(kw * dilation.y));
          // Pixels outside read an element of x and drop it: cheaper than a branch for each.
          bool inside = column < p.width;
          uint x_at = x_first + (inside ? h * p.x_strides[2] + column * p.x_strides[3] : 0u);
          vec4 v;
          if (kVectorsX) {
            v = vec4(x4[x_at >> 2]);
          } else {
            uvec4 at = x_at + lanes * p.x_strides[1];
            v = vec4(x[at.x], x[at.y], x[at.z], x[at.w]);
          }
          sums[j] += inside ? v * weights : vec4(0.0);
        }
      }
    }
  }

  vec4 offset = vec4(0.0);
  if (kHasBias) {
    uvec4 at = p.bias_skip + (o + lanes) * p.bias_stride;
    offset = vec4(bias[at.x], bias[at.y], bias[at.z], bias[at.w]);
  }
  [[unroll]] for (uint j = 0u; j < 4u; ++j) {
    if (j < kPixels && ow + j < p.out_width) {
      uint y_at = p.y_skip + n * p.y_strides[0] + o * p.y_strides[1] + oh * p.y_strides[2] +
                  (ow + j) * p.y_strides[3];
      vec4 v = sums[j] + offset;
      [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        v[i] = activate(kActivation, v[i], p.activation_a, p.activation_b);
        if (!kVectorsY && o + i < p.outputs) y[y_at + i * p.y_strides[1]] = store(v[i]);
      }
      if (kVectorsY) y4[y_at >> 2] = store4(v);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
