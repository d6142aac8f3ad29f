// Averages or greatest samples over bins of regions; neighboring invocations take neighboring
// channels. A region of an image that is not there takes the nearest (index_check.comp reports it).
/* words
constant kMaxRoiSamples from ops/attributes.h
spec
  bool take_max
  bool half_pixel
  uint sampling
push
  uint count
  float scale
  uint images, channels, size[2], out_size[2]  // height, width
  uint x_skip, rois_skip, batch_skip, y_skip
  uint x_strides[4], y_strides[4], rois_strides[2], batch_stride
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "roi_align.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) readonly buffer Rois { float rois[]; };
layout(set = 0, binding = 2) readonly buffer Batch { int batch[]; };  // two words each, low first
layout(set = 0, binding = 3) writeonly buffer Y { float y[]; };

// As axis_of of portable_fallback/reference/roi_align.cc; how many samples.
uint axis_of(float from, float to, uint bins, out float begin, out float bin) {
  float offset = kHalfPixel ? 0.5 : 0.0;
  begin = from * p.scale - offset;
  float length = to * p.scale - offset - begin;
  if (!kHalfPixel) length = length < 1.0 ? 1.0 : length;
  bin = length / float(bins);
  if (kSampling != 0u) return kSampling;
  float wanted = ceil(bin);
  if (is_nan(bin) || !(wanted >= 1.0)) return 0u;
  return wanted >= float(kMaxRoiSamples) ? kMaxRoiSamples : uint(wanted);
}

bool around(float place, uint size, out uvec2 at, out vec2 weights) {
  at = uvec2(0u);
  weights = vec2(0.0);
  if (is_nan(place) || !(place >= -1.0 && place <= float(size))) return false;
  place = max(place, 0.0);
  at.x = uint(place);
  at.y = at.x + 1u;
  if (at.x + 1u >= size) {
    at = uvec2(size - 1u);
    place = float(size - 1u);
  }
  weights.y = place - float(at.x);
  weights.x = 1.0 - weights.y;
  return true;
}

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint quotient = rest / p.channels;
  uint c = rest - quotient * p.channels;
  rest = quotient;
  quotient = rest / p.out_size[1];
  uint ow = rest - quotient * p.out_size[1];
  uint r = quotient / p.out_size[0];
  uint oh = quotient - r * p.out_size[0];

  uint sides = p.rois_skip + r * p.rois_strides[0];
  float begin_h, bin_h, begin_w, bin_w;
  uint samples_h = axis_of(rois[sides + p.rois_strides[1]], rois[sides + 3u * p.rois_strides[1]],
                           p.out_size[0], begin_h, bin_h);
  uint samples_w = axis_of(rois[sides], rois[sides + 2u * p.rois_strides[1]], p.out_size[1],
                           begin_w, bin_w);
  int image = clamp(batch[p.batch_skip + r * p.batch_stride], 0, int(p.images) - 1);
  uint x_at = p.x_skip + uint(image) * p.x_strides[0] + c * p.x_strides[1];
  uint all = samples_h * samples_w;
  float sum = kTakeMax && all != 0u ? -infinity() : 0.0;
  for (uint i = 0u; i < samples_h; ++i) {
    uvec2 at_h;
    vec2 weights_h;
    bool inside_h = around(begin_h + float(oh) * bin_h + (float(i) + 0.5) * bin_h / float(samples_h),
                           p.size[0], at_h, weights_h);
    for (uint k = 0u; k < samples_w; ++k) {
      uvec2 at_w;
      vec2 weights_w;
      bool inside_w =
          around(begin_w + float(ow) * bin_w + (float(k) + 0.5) * bin_w / float(samples_w), p.size[1],
                 at_w, weights_w);
      float parts = 0.0, most = 0.0;
      if (inside_h && inside_w) {
        most = -infinity();
        for (uint corner = 0u; corner < 4u; ++corner) {
          float part = weights_h[corner / 2u] * weights_w[corner % 2u] *
                       x[x_at + at_h[corner / 2u] * p.x_strides[2] +
                         at_w[corner % 2u] * p.x_strides[3]];
          parts += part;
          most = part > most ? part : most;
        }
      }
      sum = kTakeMax ? (most > sum ? most : sum) : sum + parts;
    }
  }
  if (!kTakeMax && all != 0u) sum /= float(all);
  y[p.y_skip + r * p.y_strides[0] + c * p.y_strides[1] + oh * p.y_strides[2] +
    ow * p.y_strides[3]] = sum;
}
// SPDX-License-Identifier: Apache-2.0
