// One bin of the Fourier transform of one frame: a sum over its elements.
/* words
spec
  bool windowed
  bool complex
push
  uint count, signal, n, frames, bins, hop
  float scale
  uint x_skip, twiddles_skip, window_skip, y_skip
  uint x_strides[3], twiddles_strides[2], window_stride, y_strides[4]
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "dft.words.glsl"
#include "grid.glsl"

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) readonly buffer Twiddles { float twiddles[]; };
layout(set = 0, binding = 2) readonly buffer Window { float window[]; };
layout(set = 0, binding = 3) writeonly buffer Y { float y[]; };

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint quotient = rest / p.bins;
  uint k = rest - quotient * p.bins;
  uint batch = quotient / p.frames;
  uint frame = quotient - batch * p.frames;
  uint first = frame * p.hop;
  uint last = first < p.signal ? min(p.n, p.signal - first) : 0u;
  uint x_at = p.x_skip + batch * p.x_strides[0] + first * p.x_strides[1];
  uint at = 0u;
  vec2 sum = vec2(0.0);
  for (uint i = 0u; i < last; ++i) {
    uint factor = p.twiddles_skip + at * p.twiddles_strides[0];
    vec2 w = vec2(twiddles[factor], twiddles[factor + p.twiddles_strides[1]]);
    float share = kWindowed ? p.scale * window[p.window_skip + i * p.window_stride] : p.scale;
    float re = x[x_at] * share;
    sum += re * w;
    if (kComplex) {
      float im = x[x_at + p.x_strides[2]] * share;
      sum += im * vec2(-w.y, w.x);
    }
    x_at += p.x_strides[1];
    at = at >= p.n - k ? at - (p.n - k) : at + k;
  }
  uint y_at = p.y_skip + batch * p.y_strides[0] + frame * p.y_strides[1] + k * p.y_strides[2];
  y[y_at] = sum.x;
  y[y_at + p.y_strides[3]] = sum.y;
}
// SPDX-License-Identifier: Apache-2.0
