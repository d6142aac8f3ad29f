// Quantised convolution: an invocation adds up four output channels of a pixel.
#include "integer_sums.glsl"
#include "channel_sums.glsl"

const uint kHeight = kOfShader, kWidth = kOfShader + 1u;
const uint kOutHeight = kOfShader + 2u, kOutWidth = kOfShader + 3u;
// Of both axes.
const uint kKernel = kOfShader + 4u, kStride = kOfShader + 6u, kDilation = kOfShader + 8u;
const uint kPad = kOfShader + 10u;
const uint kXStrides = kOfShader + 12u, kWStrides = kOfShader + 14u, kSumStrides = kOfShader + 16u;

void add_sums() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  Channels channels = channels_of(rest);
  uint quotient = rest / parameter(kOutWidth);
  uint ow = rest - quotient * parameter(kOutWidth);
  uint n = quotient / parameter(kOutHeight);
  uint oh = quotient - n * parameter(kOutHeight);

  uvec4 x_first = channels.x_at + n * parameter(kXImage);
  int top = int(oh * parameter(kStride)) - int(parameter(kPad));
  int left = int(ow * parameter(kStride + 1u)) - int(parameter(kPad + 1u));
  ivec4 sums = ivec4(0);
  for (uint kh = 0u; kh < parameter(kKernel); ++kh) {
    uint h = uint(top + int(kh * parameter(kDilation)));
    for (uint kw = 0u; kw < parameter(kKernel + 1u); ++kw) {
      uint column = uint(left + int(kw * parameter(kDilation + 1u)));
      uvec4 w_at = channels.w_at + kh * parameter(kWStrides) + kw * parameter(kWStrides + 1u);
      // Before the input counts as large.
      if (h < parameter(kHeight) && column < parameter(kWidth)) {
        add_run(sums, x_first + h * parameter(kXStrides) + column * parameter(kXStrides + 1u), w_at,
                channels.zeros);
      } else {
        add_outside(sums, w_at, channels.zeros);
      }
    }
  }
  store_sums(channels,
             parameter(kSumSkip) + n * parameter(kSumImage) + oh * parameter(kSumStrides) +
                 ow * parameter(kSumStrides + 1u),
             sums);
}
// SPDX-License-Identifier: Apache-2.0
