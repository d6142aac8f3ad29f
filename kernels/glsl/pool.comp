// Maximum or average over windows of up to three spatial dims, any strides; neighbouring invocations
// take neighbouring channels.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"

layout(constant_id = 0) const bool kAverage = false;
layout(constant_id = 1) const bool kCountPadding = false;

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push {
  uint count, channels;
  uint size[3], out_size[3];  // depth, height, width
  uint kernel_stride[3];      // low half kernel, high half stride
  uint dilation_pad[3];       // low half dilation, high half padding before
  uint padded_end[3];         // size + padding after: where what counts as padding ends
  uint x_skip, y_skip;
  uint x_strides[5], y_strides[5];  // n, c, d, h, w
} p;

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint quotient = rest / p.channels;
  uint c = rest - quotient * p.channels;
  uint at[3];
  for (int d = 2; d >= 0; --d) {
    rest = quotient;
    quotient = rest / p.out_size[d];
    at[d] = rest - quotient * p.out_size[d];
  }
  uint x_at = p.x_skip + quotient * p.x_strides[0] + c * p.x_strides[1];
  uint y_at = p.y_skip + quotient * p.y_strides[0] + c * p.y_strides[1];
  ivec3 begin;
  uvec3 kernel, dilation;
  for (int d = 0; d < 3; ++d) {
    y_at += at[d] * p.y_strides[2 + d];
    begin[d] = int(at[d] * (p.kernel_stride[d] >> 16)) - int(p.dilation_pad[d] >> 16);
    kernel[d] = p.kernel_stride[d] & 0xffffu;
    dilation[d] = p.dilation_pad[d] & 0xffffu;
  }

  float most = uintBitsToFloat(0xff800000u);  // -inf
  float sum = 0.0;
  uint inside = 0u, counted = 0u;
  for (uint kd = 0u; kd < kernel.x; ++kd) {
    int zd = begin.x + int(kd * dilation.x);
    for (uint kh = 0u; kh < kernel.y; ++kh) {
      int zh = begin.y + int(kh * dilation.y);
      for (uint kw = 0u; kw < kernel.z; ++kw) {
        int zw = begin.z + int(kw * dilation.z);
        // Never below -padding, so only the far side is left to compare.
        if (zd < int(p.padded_end[0]) && zh < int(p.padded_end[1]) && zw < int(p.padded_end[2])) {
          ++counted;
        }
        // As unsigned numbers, positions before the input are large.
        if (uint(zd) < p.size[0] && uint(zh) < p.size[1] && uint(zw) < p.size[2]) {
          float v = x[x_at + uint(zd) * p.x_strides[2] + uint(zh) * p.x_strides[3] +
                      uint(zw) * p.x_strides[4]];
          ++inside;
          if (kAverage) {
            sum += v;
          } else {
            most = v > most ? v : most;
          }
        }
      }
    }
  }
  y[y_at] = kAverage ? sum / float(kCountPadding ? counted : inside) : most;
}
// SPDX-License-Identifier: Apache-2.0
