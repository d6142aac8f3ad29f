// x at places that a grid gives for each output; neighboring invocations take neighboring channels.
/* words
enum GridMode from ops/attributes.h
enum GridPadding from ops/attributes.h
spec
  GridMode mode
  GridPadding padding
  bool align_corners
  uint coordinates = 2
push
  uint count, channels
  uint size[3], out_size[3]  // depth, height, width
  uint x_skip, grid_skip, y_skip
  uint x_strides[5], y_strides[5]  // n, c, d, h, w
  uint grid_strides[5]  // n, d, h, w, coordinate
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid_sample.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 1) readonly buffer Grid { stored grid[]; };
layout(set = 0, binding = 2) writeonly buffer Y { stored y[]; };

float reflected(float v, float low, float high) {
  float range = high - low;
  if (range == 0.0) return low;
  float beyond = v < low ? low - v : v - high;
  if (!(beyond > 0.0)) return v;
  float turns = trunc(beyond / range);
  float rest = beyond - turns * range;
  bool even = trunc(turns / 2.0) * 2.0 == turns;
  return (v < low) == even ? low + rest : high - rest;
}

float within(float at, float last) { return min(max(at, 0.0), last); }

float inner_weight(float x) { return (1.25 * x - 2.25) * x * x + 1.0; }
float outer_weight(float x) { return ((-0.75 * x + 3.75) * x - 6.0) * x + 3.0; }

// The place of tap `at` in x, and its weight: 0 outside x.
void put(float at, float weight, float last, float low, float high, out uint from, out float share) {
  float inside = kPadding == kReflection ? reflected(at, low, high) : at;
  inside = within(inside, last);
  from = uint(inside);
  share = kPadding != kZeros || inside == at ? weight : 0.0;
}

// As AxisRule::taps in portable_fallback/reference/grid_sample.cc; how many there are.
uint taps_of(float place, uint size, out uint from[4], out float shares[4]) {
  const float kFar = 8388608.0;
  float last = float(size) - 1.0;
  float low = kAlignCorners ? 0.0 : -0.5, high = kAlignCorners ? last : last + 0.5;
  float at = kAlignCorners ? (place + 1.0) / 2.0 * last : ((place + 1.0) * (last + 1.0) - 1.0) / 2.0;
  at = is_nan(at) ? -kFar : min(max(at, -kFar), kFar);
  if (kMode == kNearest) at = roundEven(at);
  if (at < low || at > high) {
    if (kPadding == kBorder) at = within(at, last);
    if (kPadding == kReflection) at = reflected(at, low, high);
  }
  if (kMode == kNearest) {
    put(at, 1.0, last, low, high, from[0], shares[0]);
    return 1u;
  }
  float whole = floor(at);
  float t = at - whole;
  if (kMode == kLinear) {
    put(whole, 1.0 - t, last, low, high, from[0], shares[0]);
    put(whole + 1.0, t, last, low, high, from[1], shares[1]);
    return 2u;
  }
  put(whole - 1.0, outer_weight(t + 1.0), last, low, high, from[0], shares[0]);
  put(whole, inner_weight(t), last, low, high, from[1], shares[1]);
  put(whole + 1.0, inner_weight(1.0 - t), last, low, high, from[2], shares[2]);
  put(whole + 2.0, outer_weight(2.0 - t), last, low, high, from[3], shares[3]);
  return 4u;
}

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint quotient = rest / p.channels;
  uint c = rest - quotient * p.channels;
  uint x_at = p.x_skip + c * p.x_strides[1], y_at = p.y_skip + c * p.y_strides[1];
  uint grid_at = p.grid_skip;
  for (int d = 2; d >= 0; --d) {
    rest = quotient;
    quotient = rest / p.out_size[d];
    uint at = rest - quotient * p.out_size[d];
    y_at += at * p.y_strides[2 + d];
    grid_at += at * p.grid_strides[1 + d];
  }
  x_at += quotient * p.x_strides[0];
  y_at += quotient * p.y_strides[0];
  grid_at += quotient * p.grid_strides[0];

  uint from_w[4], from_h[4], from_d[4];
  float share_w[4], share_h[4], share_d[4];
  uint count_w = taps_of(float(grid[grid_at]), p.size[2], from_w, share_w);
  uint count_h = taps_of(float(grid[grid_at + p.grid_strides[4]]), p.size[1], from_h, share_h);
  uint count_d = 1u;
  from_d[0] = 0u;
  share_d[0] = 1.0;
  if (kCoordinates == 3u) {
    count_d = taps_of(float(grid[grid_at + 2u * p.grid_strides[4]]), p.size[0], from_d, share_d);
  }
  float sum = 0.0;
  for (uint d = 0u; d < count_d; ++d) {
    for (uint h = 0u; h < count_h; ++h) {
      for (uint w = 0u; w < count_w; ++w) {
        float weight = share_d[d] * share_h[h] * share_w[w];
        if (weight == 0.0) continue;
        uint from = x_at + from_d[d] * p.x_strides[2] + from_h[h] * p.x_strides[3] + from_w[w] * p.x_strides[4];
        sum += weight * float(x[from]);
      }
    }
  }
  y[y_at] = store(sum);
}
// SPDX-License-Identifier: Apache-2.0
