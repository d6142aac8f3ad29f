// Family pool: the maximum, average or p-norm over windows of up to three spatial dims, any strides; neighboring invocations
// take neighboring channels.
/* words
spec
  Op op
  bool count_padding
  uint p  // of lp_pool
push
  uint count, channels
  uint size[3], out_size[3]  // depth, height, width
  uint kernel_stride[3]  // low half kernel, high half stride
  uint dilation_pad[3]  // low half dilation, high half padding before
  uint padded_end[3]  // size + padding after: where what counts as padding ends
  uint x_skip, y_skip
  uint x_strides[5], y_strides[5]  // n, c, d, h, w
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "pool.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "functions.glsl"

const bool kAverage = kOp == kOpAveragePool;
const bool kNorm = kOp == kOpLpPool;

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { stored y[]; };

// Steps of `dilation` from `from` until `to` is reached or passed.
uint steps_to(int to, int from, uint dilation) {
  return to > from ? (uint(to - from) + dilation - 1u) / dilation : 0u;
}

uint tap_position(int d, ivec3 begin, uint tap) {
  return uint(begin[d] + int(tap * (p.dilation_pad[d] & 0xffffu)));
}

// v^kP of what is not negative: by squares, so that whole powers stay exact while they can.
float power(float v) {
  float result = 1.0;
  for (uint bits = kP; bits != 0u; bits >>= 1) {
    if ((bits & 1u) != 0u) result *= v;
    if (bits > 1u) v *= v;
  }
  return result;
}

// v^(1/kP) of what is not negative.
float root(float v) {
  if (kP == 1u) return v;
  if (kP == 2u) return sqrt_of_any(v);
  if (is_nan(v) || is_zero(v) || is_infinite(v)) return v;
  return exp_full(log_of_any(v) / float(kP));
}

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
  uvec3 first, end;  // taps inside the input: found by arithmetic, so that no kernel is too large
  ivec3 begin;
  uint counted = 1u;
  for (int d = 0; d < 3; ++d) {
    y_at += at[d] * p.y_strides[2 + d];
    begin[d] = int(at[d] * (p.kernel_stride[d] >> 16)) - int(p.dilation_pad[d] >> 16);
    uint kernel = p.kernel_stride[d] & 0xffffu;
    uint dilation = p.dilation_pad[d] & 0xffffu;
    first[d] = steps_to(0, begin[d], dilation);
    end[d] = min(kernel, steps_to(int(p.size[d]), begin[d], dilation));
    // Taps are never before the padding, so only the far side is left to compare.
    uint counted_end = min(kernel, steps_to(int(p.padded_end[d]), begin[d], dilation));
    counted *= kCountPadding ? counted_end : max(end[d], first[d]) - first[d];
  }

  float most = uintBitsToFloat(0xff800000u);  // -inf
  float sum = 0.0;
  bool nan = false;
  for (uint kd = first.x; kd < end.x; ++kd) {
    uint x_d = x_at + tap_position(0, begin, kd) * p.x_strides[2];
    for (uint kh = first.y; kh < end.y; ++kh) {
      uint x_h = x_d + tap_position(1, begin, kh) * p.x_strides[3];
      for (uint kw = first.z; kw < end.z; ++kw) {
        float v = float(x[x_h + tap_position(2, begin, kw) * p.x_strides[4]]);
        if (kAverage) {
          sum += v;
        } else if (kNorm) {
          sum += power(abs(v));
        } else {
          most = v > most ? v : most;  // may drop NaN
          nan = nan || is_nan(v);
        }
      }
    }
  }
  if (nan) most = uintBitsToFloat(0x7fc00000u);
  y[y_at] = store(kAverage ? sum / float(counted) : kNorm ? root(sum) : most);
}
// SPDX-License-Identifier: Apache-2.0
