// Quantized convolution: four output channels of a pixel are added up at once.
/* words
use channel_sums
use conv_words
struct ConvSums
  SumWords sums
  ConvOwn own
*/
#include "integer_sums.glsl"
#include "channel_sums.glsl"

void add_sums() {
  uint rest = sums_index();
  bool idle = rest >= p.count;
  if (idle) {
    if (kSlices == 1u) return;
    rest = p.count - 1u;  // all of a group meet at the barrier
  }
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
  if (!join_slices(sums) || idle) return;
  store_sums(channels,
             parameter(kSumSkip) + n * parameter(kSumImage) + oh * parameter(kSumStrides) +
                 ow * parameter(kSumStrides + 1u),
             sums);
}
// SPDX-License-Identifier: Apache-2.0
